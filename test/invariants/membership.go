package invariants

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/test/sim"
)

// The invariants' own way to read a set and its pods: simple and slow on purpose, and not shared with the engine, so that the two can
// disagree.

// reading is a set and its pods in one state.
type reading struct {
	set      *sim.Set
	spec     *sim.SetSpec
	replicas int
	pods     map[int]*corev1.Pod // by ordinal, pods that the set controls
	state    sim.State
}

// read finds the set that a pod, or an object with an owner, belongs to; nil if there is none.
func read(state sim.State, setName string) *reading {
	set := state.Set(setName)
	if set == nil {
		return nil
	}
	r := &reading{set: set, spec: &sim.SetSpec{}, replicas: 1, pods: map[int]*corev1.Pod{}, state: state}
	if json.Unmarshal(set.Spec, r.spec) != nil {
		return nil
	}
	if r.spec.Replicas != nil {
		r.replicas = int(*r.spec.Replicas)
	}
	for _, name := range state.Names(sim.KindPod) {
		pod := state.Pod(name)
		if ordinal, ok := ordinalOf(name, setName); ok && sim.ControlledBy(pod, set) {
			r.pods[ordinal] = pod
		}
	}
	return r
}

// setOf returns the set that a pod belongs to by its name; false for a name without an ordinal.
func setOf(pod string) (string, bool) {
	match := ordinalName.FindStringSubmatch(pod)
	if match == nil {
		return "", false
	}
	return match[1], true
}

var ordinalName = regexp.MustCompile("^(.*)-(0|[1-9][0-9]*)$")

func ordinalOf(pod, set string) (int, bool) {
	match := ordinalName.FindStringSubmatch(pod)
	if match == nil || match[1] != set {
		return 0, false
	}
	ordinal, err := strconv.Atoi(match[2])
	return ordinal, err == nil
}

// available reports whether a pod runs, has been ready for minReadySeconds, and is not being deleted.
func (r *reading) available(pod *corev1.Pod, now time.Time) bool {
	if pod == nil || pod.DeletionTimestamp != nil || !sim.IsReady(pod) {
		return false
	}
	if r.spec.MinReadySeconds == 0 {
		return true // whatever the clocks say
	}
	since := sim.ReadyCondition(pod).LastTransitionTime.Time
	return !since.Add(time.Duration(r.spec.MinReadySeconds) * time.Second).After(now)
}

func (r *reading) podName(ordinal int) string { return r.set.Name + "-" + strconv.Itoa(ordinal) }

// revisions lists the revisions that the set controls and selects.
func (r *reading) revisions() []string {
	selector, err := metav1.LabelSelectorAsSelector(r.spec.Selector)
	return slices.DeleteFunc(r.state.Names(sim.KindRevision), func(name string) bool {
		revision := r.state.Revision(name)
		return err != nil || !sim.ControlledBy(revision, r.set) || !selector.Matches(labels.Set(revision.Labels))
	})
}

// updateRevision returns the newest revision with the template of the spec. A revision that is not, or no longer, the set's counts only
// if no other has the template: a new one would get the same name. The result is empty if there is none, or if several such strangers
// have the template, because only the hash tells which of them has that name.
func (r *reading) updateRevision() string {
	if own := r.newest(r.revisions()); own != "" {
		return own
	}
	strangers := slices.DeleteFunc(r.state.Names(sim.KindRevision), func(name string) bool {
		hash, ours := strings.CutPrefix(name, r.set.Name+"-")
		return !ours || strings.Contains(hash, "-") || !r.hasTemplate(name)
	})
	if len(strangers) == 1 {
		return strangers[0]
	}
	return ""
}

func (r *reading) hasTemplate(revision string) bool {
	stored := r.state.Revision(revision)
	return stored != nil && equalJSON(templateOf(stored), r.spec.Template) && r.removesTheSame(stored)
}

// newest finds, among sorted names of revisions, the newest that has the template; of equals, the last.
func (r *reading) newest(names []string) string {
	var newest *appsv1.ControllerRevision
	for _, name := range names {
		revision := r.state.Revision(name)
		if !r.hasTemplate(name) {
			continue
		}
		if newest == nil || revision.Revision > newest.Revision ||
			revision.Revision == newest.Revision && !revision.CreationTimestamp.Before(&newest.CreationTimestamp) {
			newest = revision
		}
	}
	if newest == nil {
		return ""
	}
	return newest.Name
}

// currentRevision is the revision of pods below the partition.
func (r *reading) currentRevision() string {
	if slices.Contains(r.revisions(), r.set.Status.CurrentRevision) {
		return r.set.Status.CurrentRevision
	}
	return r.updateRevision()
}

// selects reports whether the selector matches. A pod that it does not match is no replica, even if the set controls it.
func (r *reading) selects(object sim.Object) bool {
	selector, err := metav1.LabelSelectorAsSelector(r.spec.Selector)
	return err == nil && selector.Matches(labels.Set(object.GetLabels()))
}

func revisionOf(pod *corev1.Pod) string { return pod.Labels[appsv1.ControllerRevisionHashLabelKey] }

// hasNeighbour reports whether another set has a claim template that leads to the same claim names.
func (r *reading) hasNeighbour() bool {
	for _, name := range r.state.Names(sim.KindSet) {
		other := read(r.state, name)
		if other == nil || name == r.set.Name {
			continue
		}
		for _, theirs := range append(other.spec.ClaimTemplateNames(), other.asksToAdd()...) {
			if slices.ContainsFunc(r.templateNames(), func(ours string) bool { return theirs+"-"+name == ours+"-"+r.set.Name }) {
				return true
			}
		}
	}
	return false
}

// withData lists the ordinals that have a replica, a drain pod, or a marked claim that is not being deleted.
func (r *reading) withData() []int {
	var ordinals []int
	for ordinal, pod := range r.pods {
		if r.selects(pod) {
			ordinals = append(ordinals, ordinal)
		}
	}
	for _, name := range r.state.Names(sim.KindPod) {
		if ordinal, ok := ordinalOf(name, r.set.Name); ok && isDrainPodOf(r.state.Pod(name), r.set) {
			ordinals = append(ordinals, ordinal)
		}
	}
	for _, name := range r.state.Names(sim.KindClaim) {
		claim := r.state.Claim(name)
		if ordinal, ok := r.claimOf(name); ok && claim.DeletionTimestamp == nil && claim.Annotations[adapters.AnnotationDrainSet] == r.mark() {
			ordinals = append(ordinals, ordinal)
		}
	}
	return ordinals
}

// orphans reports whether the garbage collector orphans the set's objects, or has done so: then the finalizer is gone, and the objects
// have no controller.
func (r *reading) orphans() bool {
	freed := func(o sim.Object) bool { return metav1.GetControllerOf(o) == nil && r.selects(o) }
	return slices.Contains(r.set.Finalizers, metav1.FinalizerOrphanDependents) ||
		slices.ContainsFunc(r.state.Names(sim.KindRevision), func(name string) bool { return freed(r.state.Revision(name)) }) ||
		slices.ContainsFunc(r.state.Names(sim.KindPod), func(name string) bool {
			pod := r.state.Pod(name)
			_, ours := ordinalOf(name, r.set.Name)
			return ours && freed(pod) && !isDrainPodOf(pod, r.set)
		})
}

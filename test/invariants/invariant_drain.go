package invariants

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/sim"
)

// FinalizerDrain keeps a set that is deleted until it is drained.
const FinalizerDrain = "setplan.io/drain"

// DataIsDrained: a claim that a drain policy covers begins to go only when a drain pod of this very claim has succeeded,
// whoever deletes it. An adapter must have seen that, and the claim must be marked as that set's. The garbage collector must
// find nothing to delete where the set, or the pod, was deleted when it might be (Promises). Users do as they like.
func DataIsDrained(c *Check) error {
	switch {
	case c.Event.Kind != sim.KindClaim || !c.deletes() || c.Event.Old.GetDeletionTimestamp() != nil || c.Event.Actor == "user":
		return nil
	case c.View == nil:
		return c.goesUndrained()
	}
	claim := c.View.Claim(c.Event.Name)
	if claim == nil || claim.UID != c.Event.Old.GetUID() {
		return fmt.Errorf("the adapter has not seen this claim")
	}
	mark := claim.Annotations[adapters.AnnotationDrainSet]
	if mark == "" {
		return fmt.Errorf("it is not marked")
	}
	for _, name := range c.View.Names(sim.KindPod) {
		pod := c.View.Pod(name)
		drained := strings.Split(pod.Annotations[adapters.AnnotationDrainClaims], ",")
		if pod.Annotations[adapters.AnnotationDrainSet] == mark && pod.Status.Phase == corev1.PodSucceeded && c.believed(pod) &&
			slices.Contains(drained, string(claim.UID)) && slices.Contains(sim.ClaimsOf(pod), claim.Name) {
			return nil
		}
	}
	return fmt.Errorf("no drain pod that succeeded has drained it")
}

// goesUndrained is about a claim that the garbage collector deletes because its owner goes, or is gone.
func (c *Check) goesUndrained() error {
	claim := c.Event.Old.(*corev1.PersistentVolumeClaim)
	if c.Promises.drained[claim.UID] {
		return nil
	}
	for _, ref := range claim.OwnerReferences {
		if !c.Promises.given[ref.UID] || c.Promises.byHand[ref.UID] {
			continue
		}
		name := ref.Name
		if ref.Kind == sim.KindPod {
			name, _ = setOf(ref.Name)
		}
		if r := read(c.Before, name); r != nil && r.covers(claim) || r == nil && claim.Annotations[adapters.AnnotationDrainSet] == name+"/"+string(ref.UID) {
			return fmt.Errorf("it has not been drained, and goes with %s %s, which might be deleted", ref.Kind, ref.Name)
		}
	}
	return nil
}

// FinalizerComesLast: the finalizer of the drain says that the set may be deleted, so an adapter puts it on only when no
// claim belongs to the set any more.
func FinalizerComesLast(c *Check) error {
	if c.View == nil || c.Event.Kind != sim.KindSet || c.Event.Old == nil || c.Event.New == nil ||
		slices.Contains(c.Event.Old.GetFinalizers(), FinalizerDrain) || !slices.Contains(c.Event.New.GetFinalizers(), FinalizerDrain) {
		return nil
	}
	r := read(c.View.State, c.Set)
	for _, name := range c.View.Names(sim.KindClaim) {
		claim := c.View.Claim(name)
		ofSet := slices.ContainsFunc(claim.OwnerReferences, func(ref metav1.OwnerReference) bool { return ref.UID == c.Event.Old.GetUID() })
		if r != nil && r.isClaim(name) && ofSet && claim.DeletionTimestamp == nil && !c.Promises.drained[claim.UID] {
			return fmt.Errorf("claim %s still belongs to the set", name)
		}
	}
	return nil
}

// covers reports whether the policy of the set is about a claim.
func (r *reading) covers(claim *corev1.PersistentVolumeClaim) bool {
	if !r.drains() || r.set.DeletionTimestamp != nil && !r.drainsOnDelete() {
		return false
	}
	for _, template := range r.spec.ClaimTemplateNames() {
		ordinal, ours := ordinalOf(strings.TrimPrefix(claim.Name, template+"-"), r.set.Name)
		if ours && (claim.Annotations[adapters.AnnotationDrainSet] == r.mark() || r.takesLeftovers() || r.inRange(ordinal) || r.pods[ordinal] != nil) {
			return true
		}
	}
	return false
}

// believed reports whether the success of a drain pod means anything: with a proof asked for, each container has handed its
// token back; else nobody was stopping the pod.
func (c *Check) believed(pod *corev1.Pod) bool {
	if set := c.View.Set(c.Set); set != nil && set.Annotations[adapters.AnnotationDrainProof] != "" {
		return handedBack(pod)
	}
	return !sim.Disrupted(pod)
}

// DrainsInOrder: under OrderedReady nothing of a lower ordinal outside the range is touched, neither its replica nor its
// data, while a higher one has a replica, a drain pod or marked data. A replica that has ended may go out of turn.
func DrainsInOrder(c *Check) error {
	r, ordinal := c.podWrite()
	if r == nil || r.parallel() || !r.drains() || r.inRange(ordinal) && !r.emptied() {
		return nil
	}
	begins := c.Event.Verb == "create" && c.ofDrainPod()
	condemns := c.deletes() && r.pods[ordinal] != nil && !sim.HasEnded(r.pods[ordinal])
	if !begins && !condemns {
		return nil
	}
	for _, above := range r.withData() {
		if above > ordinal && (r.emptied() || !r.inRange(above)) {
			return fmt.Errorf("ordinal %d is higher and not drained", above)
		}
	}
	return nil
}

// OnlyMarkedIsDrained: a drain pod is made only on claims that bear the set's mark, so that what was left behind before
// there was a policy, or belongs to another set, is never drained.
func OnlyMarkedIsDrained(c *Check) error {
	r, _ := c.podWrite()
	if r == nil || c.Event.Verb != "create" || !c.ofDrainPod() {
		return nil
	}
	for _, name := range sim.ClaimsOf(c.Event.New.(*corev1.Pod)) {
		if claim := c.View.Claim(name); r.isClaim(name) && (claim == nil || claim.Annotations[adapters.AnnotationDrainSet] != r.mark()) {
			return fmt.Errorf("claim %s is not marked", name)
		}
	}
	return nil
}

// ofDrainPod reports whether a write is about a drain pod.
func (c *Check) ofDrainPod() bool {
	object := c.Event.New
	if object == nil {
		object = c.Event.Old
	}
	return object.GetAnnotations()[adapters.AnnotationDrainSet] != ""
}

func (r *reading) mark() string { return r.set.Name + "/" + string(r.set.UID) }

func (r *reading) drains() bool { return r.set.Annotations[adapters.AnnotationDrainTemplate] != "" }

// leavingCurrent counts what a policy may keep waiting outside the range at the current revision, and what therefore has no
// part in where the pods of the range come back.
func (r *reading) leavingCurrent() int {
	leaving := 0
	for ordinal, pod := range r.pods {
		if r.mayKeepWaiting() && !r.inRange(ordinal) && pod.DeletionTimestamp == nil && revisionOf(pod) == r.currentRevision() {
			leaving++
		}
	}
	return leaving
}

func (r *reading) mayKeepWaiting() bool {
	return r.drains() || r.set.Annotations[adapters.AnnotationDrainAsk] != ""
}

func (r *reading) drainsOnDelete() bool {
	value := r.set.Annotations[adapters.AnnotationDrainOnDelete]
	return r.drains() && value != "" && value != "false"
}

// emptied reports whether the set is deleted and drained first.
func (r *reading) emptied() bool {
	return r.set.DeletionTimestamp != nil && r.keptForDrain()
}

func (r *reading) keptForDrain() bool { return slices.Contains(r.set.Finalizers, FinalizerDrain) }

func (r *reading) takesLeftovers() bool {
	return r.set.Annotations[adapters.AnnotationDrainLeftovers] == "true"
}

func (r *reading) isClaim(name string) bool {
	return slices.ContainsFunc(r.spec.ClaimTemplateNames(), func(template string) bool {
		_, ours := ordinalOf(strings.TrimPrefix(name, template+"-"), r.set.Name)
		return ours
	})
}

// withData lists the ordinals that have a replica, a drain pod, or a marked claim that is not going.
func (r *reading) withData() []int {
	var ordinals []int
	for ordinal, pod := range r.pods {
		if r.selects(pod) {
			ordinals = append(ordinals, ordinal)
		}
	}
	for _, name := range r.state.Names(sim.KindPod) {
		if ordinal, ok := ordinalOf(name, r.set.Name); ok && r.state.Pod(name).Annotations[adapters.AnnotationDrainSet] == r.mark() {
			ordinals = append(ordinals, ordinal)
		}
	}
	for _, template := range r.spec.ClaimTemplateNames() {
		for _, name := range r.state.Names(sim.KindClaim) {
			claim := r.state.Claim(name)
			ordinal, ok := ordinalOf(strings.TrimPrefix(name, template+"-"), r.set.Name)
			if ok && claim.DeletionTimestamp == nil && claim.Annotations[adapters.AnnotationDrainSet] == r.mark() {
				ordinals = append(ordinals, ordinal)
			}
		}
	}
	return ordinals
}

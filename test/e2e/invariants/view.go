package invariants

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/setplan/setplan/test/invariants/law"
)

// minRepairAge is what the policy gives a pod, less the second that the API cuts times to.
const minRepairAge = 9 * time.Second

// show makes the view of a set at a time. The store tells neither who writes nor what they know.
func (w *world) show(set *appsv1.StatefulSet, at time.Time) *law.Set {
	first, end := bounds(set)
	newest := w.newest(set)
	s := &law.Set{
		Going: set.DeletionTimestamp != nil, Orphans: slices.Contains(set.Finalizers, metav1.FinalizerOrphanDependents),
		Finalizer: slices.Contains(set.Finalizers, finalizer), Start: first, Replicas: end - first,
		Parallel: set.Spec.PodManagementPolicy == appsv1.ParallelPodManagement,
		OnDelete: set.Spec.UpdateStrategy.Type == appsv1.OnDeleteStatefulSetStrategyType,
		Budget:   budget(set), SideBySide: budget(set), // an adapter writes the steps of a stage side by side
		Repair: law.RepairNeverReady, Drains: drains(set), DrainsOnDelete: drainsOnDelete(set),
		Current: set.Status.CurrentRevision, Named: set.Status.CurrentRevision, Update: newest,
	}
	switch set.Annotations["setplan.io/repair"] {
	case "Never":
		s.Repair = law.RepairNever
	case "Unready":
		s.Repair = law.RepairUnready
	}
	if rolling := set.Spec.UpdateStrategy.RollingUpdate; rolling != nil && rolling.Partition != nil {
		s.Partition = int(*rolling.Partition)
	}
	if policy := set.Spec.PersistentVolumeClaimRetentionPolicy; policy != nil {
		s.WhenScaled = policy.WhenScaled == appsv1.DeletePersistentVolumeClaimRetentionPolicyType
		s.WhenDeleted = policy.WhenDeleted == appsv1.DeletePersistentVolumeClaimRetentionPolicyType
	}
	for _, ordinal := range w.ordinals(set) {
		s.Places = append(s.Places, w.place(set, ordinal, at))
	}
	return s
}

// ordinals lists those of the range, and those that have something.
func (w *world) ordinals(set *appsv1.StatefulSet) []int {
	all := map[int]bool{}
	first, end := bounds(set)
	for ordinal := first; ordinal < end; ordinal++ {
		all[ordinal] = true
	}
	for name := range w.pods {
		if ordinal := ordinalOf(name, set.Name); ordinal >= 0 {
			all[ordinal] = true
		}
	}
	for name := range w.claims {
		if ordinal := claimOrdinal(name, set); ordinal >= 0 {
			all[ordinal] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func (w *world) place(set *appsv1.StatefulSet, ordinal int, at time.Time) law.Place {
	name := set.Name + "-" + strconv.Itoa(ordinal)
	p := law.Place{Ordinal: ordinal}
	pod := w.pods[name]
	if pod == nil { // another spelling, such as web-00
		for other := range w.pods {
			if ordinalOf(other, set.Name) == ordinal {
				pod = w.pods[other]
			}
		}
	}
	if pod != nil {
		p.Pod = w.pod(set, pod, at)
	}
	for _, template := range set.Spec.VolumeClaimTemplates {
		p.Claims = append(p.Claims, w.claim(set, template.Name+"-"+name, pod))
	}
	return p
}

func (w *world) pod(set *appsv1.StatefulSet, pod *corev1.Pod, at time.Time) law.Pod {
	return law.Pod{
		Exists: true, Ours: metav1.IsControlledBy(pod, set), Drain: pod.Annotations[drainSet] == markOf(set), Selected: true,
		Going: pod.DeletionTimestamp != nil, Ready: isReady(pod), WasReady: w.wasReady[pod.UID], Available: available(set, pod, at),
		Failed: pod.Status.Phase == corev1.PodFailed, Succeeded: pod.Status.Phase == corev1.PodSucceeded,
		Young:    at.Sub(pod.CreationTimestamp.Time) < minRepairAge,
		Revision: pod.Labels[appsv1.StatefulSetRevisionLabel],
	}
}

func (w *world) claim(set *appsv1.StatefulSet, name string, pod *corev1.Pod) law.Claim {
	claim := w.claims[name]
	if claim == nil {
		return law.Claim{Name: name}
	}
	k := law.Claim{Name: name, Exists: true, Going: claim.DeletionTimestamp != nil}
	switch mark := claim.Annotations[drainSet]; {
	case mark == markOf(set):
		k.Mark = law.Ours
	case strings.HasPrefix(mark, set.Name+"/"):
		k.Mark = law.Earlier
	case mark != "":
		k.Mark = law.Others
	}
	k.Empty = w.drained[string(claim.UID)] == markOf(set)
	k.Drained = k.Empty
	for _, ref := range claim.OwnerReferences {
		controls := ref.Controller != nil && *ref.Controller
		bySet, byPod := ref.Kind == "StatefulSet" && ref.Name == set.Name, ref.Kind == "Pod" && strings.HasSuffix(name, "-"+ref.Name)
		k.BySet, k.ByPod = k.BySet || bySet, k.ByPod || byPod
		k.BySetItself = k.BySetItself || ref.UID == set.UID
		k.ByPodItself = k.ByPodItself || byPod && pod != nil && ref.UID == pod.UID
		k.Uncontrolled = k.Uncontrolled || (bySet || byPod) && !controls
		k.Managed = k.Managed || !bySet && !byPod && controls
	}
	return k
}

// setOf is the set that controls an object, nil where there is none or it is being deleted: the garbage collector takes
// the pods of such a set in any order.
func (w *world) setOf(object metav1.Object) *appsv1.StatefulSet {
	owner := metav1.GetControllerOf(object)
	if owner == nil {
		return nil
	}
	set := w.sets[owner.Name]
	if set == nil || set.UID != owner.UID || set.DeletionTimestamp != nil {
		return nil
	}
	return set
}

// ordinalOf is the number in the name of a set's pod, -1 without one.
func ordinalOf(name, set string) int {
	number, found := strings.CutPrefix(name, set+"-")
	ordinal, err := strconv.Atoi(number)
	if !found || err != nil {
		return -1
	}
	return ordinal
}

// claimOrdinal is the ordinal that a set's claim is for, -1 for any other claim.
func claimOrdinal(name string, set *appsv1.StatefulSet) int {
	for _, template := range set.Spec.VolumeClaimTemplates {
		if ordinal := ordinalOf(name, template.Name+"-"+set.Name); ordinal >= 0 {
			return ordinal
		}
	}
	return -1
}

// bounds are the first ordinal of a set and the one after its last.
func bounds(set *appsv1.StatefulSet) (first, end int) {
	if set.Spec.Ordinals != nil {
		first = int(set.Spec.Ordinals.Start)
	}
	replicas := 1
	if set.Spec.Replicas != nil {
		replicas = int(*set.Spec.Replicas)
	}
	return first, first + replicas
}

// available: running, ready for as long as the set asks, and not going.
func available(set *appsv1.StatefulSet, pod *corev1.Pod, at time.Time) bool {
	if pod.DeletionTimestamp != nil || pod.Status.Phase != corev1.PodRunning || !metav1.IsControlledBy(pod, set) {
		return false
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
			return !c.LastTransitionTime.Add(time.Duration(set.Spec.MinReadySeconds) * time.Second).After(at)
		}
	}
	return false
}

func isReady(pod *corev1.Pod) bool {
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

// budget is how many pods an update may have unavailable.
func budget(set *appsv1.StatefulSet) int {
	rolling := set.Spec.UpdateStrategy.RollingUpdate
	if rolling == nil || rolling.MaxUnavailable == nil {
		return 1
	}
	first, end := bounds(set)
	scaled, err := intstr.GetScaledValueFromIntOrPercent(rolling.MaxUnavailable, end-first, false)
	if err != nil {
		return 1
	}
	return max(scaled, 1)
}

// newest is the name of the set's revision with the highest number, which is the one that pods are updated to.
func (w *world) newest(set *appsv1.StatefulSet) string {
	var newest *appsv1.ControllerRevision
	for _, r := range w.revisions {
		if metav1.IsControlledBy(r, set) && (newest == nil || r.Revision > newest.Revision) {
			newest = r
		}
	}
	if newest == nil {
		return ""
	}
	return newest.Name
}

package invariants

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// atMostOne: a pod is created only when no pod of the set has its ordinal any more, a terminating one included.
func atMostOne(w *world, s step) (broken []string) {
	if !s.created {
		return nil
	}
	if w.pods[s.pod.Name] != nil {
		broken = append(broken, fmt.Sprintf("%s was created while another pod had its name", s.pod.Name))
	}
	set := w.setOf(s.pod)
	if set == nil {
		return broken
	}
	for name, other := range w.pods {
		if name != s.pod.Name && metav1.IsControlledBy(other, set) && ordinalOf(name) == ordinalOf(s.pod.Name) {
			broken = append(broken, fmt.Sprintf("%s was created while %s had its ordinal", s.pod.Name, name))
		}
	}
	return broken
}

// orderedStart: under OrderedReady a pod is created when all below it are available.
func orderedStart(w *world, s step) (broken []string) {
	if !s.created {
		return nil
	}
	set := w.setOf(s.pod)
	if set == nil || parallel(set) || !inRange(set, s.pod) {
		return nil
	}
	first, _ := bounds(set)
	for ordinal := first; ordinal < ordinalOf(s.pod.Name); ordinal++ {
		if !available(set, w.podAt(set, ordinal), s.pod.CreationTimestamp.Time) {
			broken = append(broken, fmt.Sprintf("%s was created before %s-%d was available", s.pod.Name, set.Name, ordinal))
		}
	}
	return broken
}

// orderedScaleDown: under OrderedReady a pod outside the range goes when none above it is left that goes too. One that has ended may go
// at any time: it does nothing any more, and others would wait for it.
func orderedScaleDown(w *world, s step) (broken []string) {
	if !s.going {
		return nil
	}
	set := w.setOf(s.pod)
	if set == nil || parallel(set) || inRange(set, s.pod) || ordinalOf(s.pod.Name) < 0 || ended(w.pods[s.pod.Name]) {
		return nil
	}
	for name, other := range w.pods {
		if metav1.IsControlledBy(other, set) && !inRange(set, other) && ordinalOf(name) > ordinalOf(s.pod.Name) {
			broken = append(broken, fmt.Sprintf("%s was scaled away while %s was there", s.pod.Name, name))
		}
	}
	return broken
}

// updating: the step takes a pod away that only an update could want to take.
func updating(w *world, s step) *appsv1.StatefulSet {
	if !s.going {
		return nil
	}
	set := w.setOf(s.pod)
	if set == nil || !inRange(set, s.pod) || ended(w.pods[s.pod.Name]) || w.repaired(set, s) {
		return nil
	}
	return set
}

// updateOrder: updates take outdated pods only, none below the partition, and go down from the highest ordinal. Pods that
// the budget lets go together may go in any order.
func updateOrder(w *world, s step) (broken []string) {
	set := updating(w, s)
	if set == nil {
		return nil
	}
	newest, ordinal := w.newest(set), ordinalOf(s.pod.Name)
	if revisionOf(s.pod) == newest {
		broken = append(broken, fmt.Sprintf("%s was deleted although it had the newest revision %s", s.pod.Name, newest))
	}
	if set.Spec.UpdateStrategy.Type == appsv1.OnDeleteStatefulSetStrategyType {
		broken = append(broken, fmt.Sprintf("%s was deleted although the strategy is OnDelete", s.pod.Name))
	}
	if ordinal < partition(set) {
		broken = append(broken, fmt.Sprintf("%s was deleted although it is below the partition", s.pod.Name))
	}
	_, end := bounds(set)
	passedOver := 0
	for higher := ordinal + 1; higher < end; higher++ {
		pod := w.podAt(set, higher)
		if pod != nil && pod.DeletionTimestamp == nil && revisionOf(pod) != newest {
			passedOver++
		}
	}
	if passedOver >= budget(set) {
		broken = append(broken, fmt.Sprintf("%s was deleted while %d outdated pods above it were left", s.pod.Name, passedOver))
	}
	return broken
}

// updateBudget: an update takes an available pod only while fewer others than the budget allows are not available.
func updateBudget(w *world, s step) []string {
	set := updating(w, s)
	if set == nil || !available(set, w.pods[s.pod.Name], s.at) {
		return nil
	}
	unavailable := 0
	first, end := bounds(set)
	for ordinal := first; ordinal < end; ordinal++ {
		if ordinal != ordinalOf(s.pod.Name) && !available(set, w.podAt(set, ordinal), s.at) {
			unavailable++
		}
	}
	if unavailable >= budget(set) {
		return []string{fmt.Sprintf("%s was deleted while %d others were unavailable, the budget is %d", s.pod.Name, unavailable, budget(set))}
	}
	return nil
}

// belowPartition: a pod that is created below the partition has the current revision.
func belowPartition(w *world, s step) []string {
	if !s.created {
		return nil
	}
	set := w.setOf(s.pod)
	if set == nil || !inRange(set, s.pod) || ordinalOf(s.pod.Name) >= partition(set) {
		return nil
	}
	if current := set.Status.CurrentRevision; current != "" && revisionOf(s.pod) != current {
		return []string{fmt.Sprintf("%s is below the partition and was created at %s, the current revision is %s",
			s.pod.Name, revisionOf(s.pod), current)}
	}
	return nil
}

// claimsBeforePods: the claims of a pod that is created are there, stay there, and wait for no other pod.
func claimsBeforePods(w *world, s step) (broken []string) {
	if !s.created || w.setOf(s.pod) == nil {
		return nil
	}
	for _, volume := range s.pod.Spec.Volumes {
		if volume.PersistentVolumeClaim == nil {
			continue
		}
		name := volume.PersistentVolumeClaim.ClaimName
		switch claim := w.claims[name]; {
		case claim == nil:
			broken = append(broken, fmt.Sprintf("%s was created before its claim %s", s.pod.Name, name))
		case claim.DeletionTimestamp != nil:
			broken = append(broken, fmt.Sprintf("%s was created while its claim %s was being deleted", s.pod.Name, name))
		case ownedByOtherPod(claim, s.pod):
			broken = append(broken, fmt.Sprintf("%s was created while its claim %s waited for the garbage collector", s.pod.Name, name))
		}
	}
	return broken
}

func ownedByOtherPod(claim *corev1.PersistentVolumeClaim, pod *corev1.Pod) bool {
	for _, owner := range claim.OwnerReferences {
		if owner.Kind == "Pod" && owner.Name == pod.Name && owner.UID != pod.UID {
			return true
		}
	}
	return false
}

func parallel(set *appsv1.StatefulSet) bool {
	return set.Spec.PodManagementPolicy == appsv1.ParallelPodManagement
}

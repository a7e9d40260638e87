package invariants

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

// minRepairAge is what the policy gives a pod, less the second that the API cuts times to.
const minRepairAge = 9 * time.Second

// repaired: the pod that the step takes away has never been ready, comes back at another revision and is not young, and
// no other pod of the range is going. A set may ask for more than that, or for nothing.
func (w *world) repaired(set *appsv1.StatefulSet, s step) bool {
	policy := set.Annotations["setplan.io/repair"]
	pod := w.pods[s.pod.Name]
	if policy == "Never" || set.Spec.UpdateStrategy.Type == appsv1.OnDeleteStatefulSetStrategyType || isReady(pod) ||
		policy != "Unready" && w.wasReady[pod.UID] || s.at.Sub(pod.CreationTimestamp.Time) < minRepairAge {
		return false
	}
	target := w.newest(set)
	if ordinalOf(pod.Name) < partition(set) {
		target = set.Status.CurrentRevision
	}
	first, end := bounds(set)
	for ordinal := first; ordinal < end; ordinal++ {
		if other := w.podAt(set, ordinal); other != nil && other.Name != pod.Name && other.DeletionTimestamp != nil {
			return false
		}
	}
	return revisionOf(pod) != target
}

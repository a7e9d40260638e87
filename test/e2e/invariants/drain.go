package invariants

import (
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The annotations of a drain, spelled once more: these checks know only what the store held.
const (
	drainSet      = "setplan.io/drain-set"
	drainClaims   = "setplan.io/drain-claims"
	drainOnDelete = "setplan.io/drain-on-delete"
	finalizer     = "setplan.io/drain"
)

var drainTemplates = []string{"setplan.io/drain-pod-template", "statefulsets.kubernetes.io/drainer-pod-template"}

func drains(set *appsv1.StatefulSet) bool {
	return slices.ContainsFunc(drainTemplates, func(name string) bool { return set.Annotations[name] != "" })
}

func drainsOnDelete(set *appsv1.StatefulSet) bool {
	value := set.Annotations[drainOnDelete]
	return drains(set) && value != "" && value != "false"
}

// markOf is the mark of a set on what it drains, and with.
func markOf(set *appsv1.StatefulSet) string { return set.Name + "/" + string(set.UID) }

// marked is the set whose mark an object bears, nil if there is none or it is gone.
func (w *world) marked(object metav1.Object) *appsv1.StatefulSet {
	name, _, _ := strings.Cut(object.GetAnnotations()[drainSet], "/")
	if set := w.sets[name]; set != nil && markOf(set) == object.GetAnnotations()[drainSet] {
		return set
	}
	return nil
}

// noteDrain remembers what a pod says of the claims: that it has drained them, or that there is something to drain again. What
// a pod says once it is being deleted is no proof. The garbage collector may delete a drain pod before its claims go.
func (w *world) noteDrain(pod *corev1.Pod) {
	if pod.Status.Phase == corev1.PodSucceeded {
		if set := pod.Annotations[drainSet]; set != "" && pod.DeletionTimestamp == nil {
			for uid := range strings.SplitSeq(pod.Annotations[drainClaims], ",") {
				w.drained[uid] = set
			}
		}
		return
	}
	for _, name := range claimsOf(pod) {
		if claim := w.claims[name]; claim != nil {
			delete(w.drained, string(claim.UID))
		}
	}
}

func claimsOf(pod *corev1.Pod) []string {
	names := []string{} // not nil: none
	for _, volume := range pod.Spec.Volumes {
		if volume.PersistentVolumeClaim != nil {
			names = append(names, volume.PersistentVolumeClaim.ClaimName)
		}
	}
	return names
}

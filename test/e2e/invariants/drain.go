package invariants

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// The annotations of a drain, spelled once more: these checks know only what the store held.
const (
	drainSet    = "setplan.io/drain-set"
	drainClaims = "setplan.io/drain-claims"
)

// drainedBeforeDeleted: a claim that a drain policy covers is deleted only once a drain pod of that very claim has succeeded. The
// garbage collector may have deleted that pod in the meantime, but none may have used the claim since.
func drainedBeforeDeleted(w *world, s step) []string {
	if s.claim == nil {
		return nil
	}
	before := w.claims[s.claim.Name]
	if before == nil || before.Annotations[drainSet] == "" || before.DeletionTimestamp != nil || !s.deleted && s.claim.DeletionTimestamp == nil {
		return nil
	}
	if w.drained[string(before.UID)] == before.Annotations[drainSet] {
		return nil
	}
	return []string{fmt.Sprintf("%s was deleted, and no drain pod of it had succeeded", s.claim.Name)}
}

// noteDrain remembers what a pod says of the claims: that it has drained them, or that there is something to drain again. What
// a pod says once it is being deleted is no proof.
func (w *world) noteDrain(pod *corev1.Pod) {
	if pod.Status.Phase == corev1.PodSucceeded {
		if set := pod.Annotations[drainSet]; set != "" && pod.DeletionTimestamp == nil {
			for uid := range strings.SplitSeq(pod.Annotations[drainClaims], ",") {
				w.drained[uid] = set
			}
		}
		return
	}
	for _, volume := range pod.Spec.Volumes {
		if volume.PersistentVolumeClaim == nil {
			continue
		}
		if claim := w.claims[volume.PersistentVolumeClaim.ClaimName]; claim != nil {
			delete(w.drained, string(claim.UID))
		}
	}
}

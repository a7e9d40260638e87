package invariants

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// The annotations of a drain, spelled once more: these checks know only what the store held.
const (
	drainSet    = "setplan.io/drain-set"
	drainClaims = "setplan.io/drain-claims"
)

// drainedBeforeDeleted: a claim that a drain policy covers is deleted only once a drain pod of that very claim has
// succeeded, and while that pod is there.
func drainedBeforeDeleted(w *world, s step) []string {
	if s.claim == nil {
		return nil
	}
	before := w.claims[s.claim.Name]
	if before == nil || before.Annotations[drainSet] == "" || before.DeletionTimestamp != nil || !s.deleted && s.claim.DeletionTimestamp == nil {
		return nil
	}
	for _, pod := range w.pods {
		drained := strings.Split(pod.Annotations[drainClaims], ",")
		if pod.Status.Phase == corev1.PodSucceeded && pod.Annotations[drainSet] == before.Annotations[drainSet] &&
			slices.Contains(drained, string(before.UID)) {
			return nil
		}
	}
	return []string{fmt.Sprintf("%s was deleted, and no drain pod of it had succeeded", s.claim.Name)}
}

package invariants

import (
	"fmt"
	"strings"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/sim"
)

// drained: no drain is left to do. With a policy the claims of the range bear the set's mark, and no claim outside it does;
// without one nothing of a drain is left. What another set has marked is that set's.
func (w *wanted) drained() error {
	for _, name := range w.state.Names(sim.KindPod) {
		if isDrainPodOf(w.state.Pod(name), w.set) {
			return fmt.Errorf("drain pod %s is there", name)
		}
	}
	for ordinal, pod := range w.pods {
		if w.inRange(ordinal) && pod.Annotations[adapters.AnnotationDrainRequest]+pod.Annotations[adapters.AnnotationDrainAnswer] != "" {
			return fmt.Errorf("pod %s stays, and is asked whether it may go", pod.Name)
		}
	}
	for _, template := range w.spec.ClaimTemplateNames() {
		for _, name := range w.state.Names(sim.KindClaim) {
			pod, ok := strings.CutPrefix(name, template+"-")
			if ordinal, ours := ordinalOf(pod, w.set.Name); ok && ours {
				if err := w.drainedClaim(w.state.Claim(name), w.inRange(ordinal)); err != nil {
					return fmt.Errorf("claim %s %w", name, err)
				}
			}
		}
	}
	if has := w.keptForDrain(); has != w.drainsOnDelete() {
		return fmt.Errorf("the set has the finalizer of the drain: %t", has)
	}
	return nil
}

func (w *wanted) drainedClaim(claim sim.Object, inRange bool) error {
	mark := claim.GetAnnotations()[adapters.AnnotationDrainSet]
	another := mark != "" && !strings.HasPrefix(mark, w.set.Name+"/")
	switch {
	case claim.GetDeletionTimestamp() != nil || another:
	case !w.drains() && mark != "":
		return fmt.Errorf("is marked, and there is no drain policy")
	case !w.drains():
	case inRange && mark != w.mark():
		return fmt.Errorf("is not marked")
	case inRange && claim.GetAnnotations()[adapters.AnnotationDrainAttempts] != "":
		return fmt.Errorf("counts drain pods, and its ordinal is back")
	case !inRange && mark == w.mark():
		return fmt.Errorf("is outside the range, and not drained")
	case !inRange && w.takesLeftovers():
		return fmt.Errorf("is left over, and not drained")
	}
	return nil
}

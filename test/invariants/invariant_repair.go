package invariants

import (
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/sim"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// minRepairAge is how old a pod must be before it is repaired.
const minRepairAge = 10 * time.Second

// mayRepair: a repair takes a pod that is not ready and would come back at another revision, one at a time. That it costs
// nothing is asked about the truth: the precondition of the write sees to it, however old the view is.
func (r *reading) mayRepair(ordinal int, c *Check) error {
	policy := r.repairPolicy(c.Behavior)
	pod, truth := c.target(), c.Before.Pod(c.Event.Name)
	switch {
	case policy != "NeverReady" && policy != "Unready":
		return fmt.Errorf("the policy is %q", policy)
	case r.spec.UpdateStrategy.Type == "OnDelete":
		return errors.New("the strategy is OnDelete")
	case sim.IsReady(truth):
		return errors.New("it is ready")
	case policy == "NeverReady" && c.WasReady[truth.UID]:
		return errors.New("it has been ready")
	case c.Now.Sub(pod.CreationTimestamp.Time) < minRepairAge:
		return fmt.Errorf("it was created at %s", pod.CreationTimestamp)
	case revisionOf(pod) == r.comesBackAt(ordinal, pod):
		return fmt.Errorf("it comes back at the same revision %s", revisionOf(pod))
	}
	for other, p := range r.pods {
		if r.inRange(other) && p.DeletionTimestamp != nil {
			return fmt.Errorf("ordinal %d is going", other)
		}
	}
	return nil
}

func (r *reading) repairPolicy(behavior setplanv1.Behavior) string {
	policy := r.set.Annotations[adapters.AnnotationRepair]
	if policy == "" && behavior != setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36 {
		policy = "NeverReady"
	}
	return policy
}

// hopeless reports whether a pod outside the range would be repaired in it: nobody waits for it to become available.
func (r *reading) hopeless(ordinal int, c *Check) bool {
	pod, policy := r.pods[ordinal], r.repairPolicy(c.Behavior)
	return pod != nil && !sim.IsReady(pod) && revisionOf(pod) != r.updateRevision() &&
		(policy == "Unready" || policy == "NeverReady" && !c.WasReady[pod.UID])
}

// comesBackAt is the revision of the pod that is made in another one's place.
func (r *reading) comesBackAt(ordinal int, pod *corev1.Pod) string {
	old := r.partition()
	if r.spec.UpdateStrategy.RollingUpdate == nil {
		old = -r.leavingCurrent()
		for _, p := range r.pods {
			if p != pod && p.DeletionTimestamp == nil && revisionOf(p) == r.currentRevision() {
				old++
			}
		}
	}
	if ordinal-r.start() < old {
		return r.currentRevision()
	}
	return r.updateRevision()
}

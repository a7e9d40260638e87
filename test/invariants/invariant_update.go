package invariants

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters/sim"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// UpdateWithinBudget: pods of the range are taken away for an update or by a repair.
func UpdateWithinBudget(c *Check) error {
	r, ordinal := c.podWrite()
	if r == nil || !c.deletes() || c.ofDrainPod() || r.emptied() || !r.inRange(ordinal) || c.target() == nil || sim.HasEnded(c.target()) {
		return nil
	}
	if err := r.mayUpdate(ordinal, c); err != nil {
		if why := r.mayRepair(ordinal, c); why != nil {
			return fmt.Errorf("%w, and it is no repair: %w", err, why)
		}
	}
	return nil
}

// mayUpdate: pods go for an update from the highest ordinal down to the partition, and never more of them than the budget
// allows. A pod that is not available costs nothing, and may go before a higher one. The rules of KUBERNETES_1_36 have no
// budget: there a pod must not go while one above it is not available.
func (r *reading) mayUpdate(ordinal int, c *Check) error {
	update := r.updateRevision()
	switch {
	case r.spec.UpdateStrategy.Type == "OnDelete":
		return fmt.Errorf("the strategy is OnDelete")
	case update == "":
		return nil // somebody else's revision is used
	case revisionOf(c.target()) == update:
		return fmt.Errorf("it is at the update revision %s", update)
	case ordinal-r.start() < r.partition():
		return fmt.Errorf("it is below the partition")
	}
	for above := r.start() + r.replicas - 1; above > ordinal; above-- {
		pod := r.pods[above]
		if r.available(pod, c.Now) && revisionOf(pod) != update && r.available(c.target(), c.Now) {
			return fmt.Errorf("ordinal %d is higher and outdated too", above)
		}
		if c.Behavior == setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36 && !r.available(pod, c.Now) {
			return fmt.Errorf("ordinal %d, which is higher, is not available", above)
		}
	}
	if c.Behavior == setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36 {
		return nil
	}
	return r.withinBudget(c.target(), c)
}

// withinBudget counts what would be unavailable after the pod has gone. One that is not available costs nothing.
func (r *reading) withinBudget(target *corev1.Pod, c *Check) error {
	if !r.available(target, c.Now) {
		return nil
	}
	unavailable := 1
	for ordinal := r.start(); ordinal < r.start()+r.replicas; ordinal++ {
		if !r.available(r.pods[ordinal], c.Now) {
			unavailable++
		}
	}
	if unavailable > r.budget() {
		return fmt.Errorf("%d pods would be unavailable, and %d may be", unavailable, r.budget())
	}
	return nil
}

func (r *reading) partition() int {
	if r.spec.UpdateStrategy.RollingUpdate == nil {
		return 0
	}
	return int(r.spec.UpdateStrategy.RollingUpdate.Partition)
}

func (r *reading) budget() int {
	rolling := r.spec.UpdateStrategy.RollingUpdate
	if rolling == nil || rolling.MaxUnavailable == nil {
		return 1
	}
	if percent, ok := strings.CutSuffix(rolling.MaxUnavailable.StrVal, "%"); ok {
		share, err := strconv.Atoi(percent)
		if err != nil {
			return 0 // a malformed budget allows nothing
		}
		return max(1, share*r.replicas/100)
	}
	return max(1, int(rolling.MaxUnavailable.IntVal))
}

// BelowPartitionStaysOld: a pod that is created below the partition has the current revision, and above it the newest. A
// current revision that is not there is none to Kubernetes; else none may be made of another in its place.
func BelowPartitionStaysOld(c *Check) error {
	r, ordinal := c.podWrite()
	if r == nil || c.Event.Verb != "create" || c.ofDrainPod() {
		return nil
	}
	want := r.updateRevision()
	old := ordinal-r.start() < r.partition()
	if r.spec.UpdateStrategy.RollingUpdate == nil && r.spec.UpdateStrategy.Type != "OnDelete" {
		old = ordinal-r.start() < int(r.set.Status.CurrentReplicas)-r.leavingCurrent()
	}
	if old {
		want = r.currentRevision()
		if named := r.set.Status.CurrentRevision; named != "" && c.Behavior != setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36 {
			want = named
		}
	}
	if got := revisionOf(c.Event.New.(*corev1.Pod)); got != want && want != "" { // "": somebody else's revision is used
		return fmt.Errorf("it has revision %s instead of %s", got, want)
	}
	return nil
}

package engine

import (
	"fmt"
	"strconv"
	"strings"
)

// updatePods deletes outdated pods from the highest ordinal down to the partition, so that they come back at the update
// revision.
func (d *decision) updatePods() {
	if d.onDelete() {
		return
	}
	d.startPhase()
	var step Step
	if d.rules.MaxUnavailable {
		d.updateWithinBudget(&step)
	} else {
		d.updateOne(&step)
	}
	if len(step.Actions) > 0 {
		d.stage(Stage{Phase: PhaseUpdate, Steps: []Step{step}, OnFailure: Stop})
	}
}

func (d *decision) partition() int {
	if d.set.RollingUpdate == nil {
		return 0
	}
	return max(0, int(d.set.RollingUpdate.Partition))
}

// outdated tells whether a pod would come back at another revision. An ordinal without a pod is not outdated: what is
// created in this pass is not deleted in it.
func (d *decision) outdated(p *Pod) bool { return p != nil && p.Revision != d.update.name }

// updateOne is the rule without maxUnavailable: the highest outdated pod goes, unless one above it, or it has been
// updated but is not available yet.
func (d *decision) updateOne(step *Step) {
	for slot := len(d.replicas) - 1; slot >= d.partition(); slot-- {
		d.work(partReplicas, 1)
		p := d.replicas[slot]
		if d.outdated(p) && !p.terminating() {
			d.deleteOutdated(step, slot, false)
			return
		}
		if d.unavailable(p) {
			if d.anyOutdated(d.partition(), slot) {
				d.blockUpdate(p)
			}
			return
		}
	}
}

// updateWithinBudget is the rule with maxUnavailable (updateStatefulSetAfterInvariantEstablished upstream): as many pods
// go as the budget allows, counting every pod of the range that is unavailable already.
func (d *decision) updateWithinBudget(step *Step) {
	budget, err := d.maxUnavailable()
	if err != nil {
		d.attention(BlockInvalidSpec, fmt.Sprintf("spec.updateStrategy.rollingUpdate.maxUnavailable cannot be used: %v.", err),
			"Set it to a number of at least 1 or a share such as 25%.")
		return
	}
	unavailable := 0
	var lowest *Pod
	for slot := len(d.replicas) - 1; slot >= 0; slot-- {
		d.workAlong(partReplicas, 1, len(d.replicas)-1-slot, len(d.replicas))
		if p := d.replicas[slot]; d.unavailable(p) {
			unavailable++
			if p != nil {
				lowest = p
			}
		}
	}
	held := false
	for slot := len(d.replicas) - 1; slot >= d.partition(); slot-- {
		d.workAlong(partReplicas, 1, len(d.replicas)-1-slot, len(d.replicas))
		p := d.replicas[slot]
		if !d.outdated(p) || p.terminating() {
			continue
		}
		// A pod that comes back at the old revision is not mended by this.
		free := d.rules.BrokenPodsOutsideBudget && d.unavailable(p) && !d.staysCurrent(slot)
		if !free && unavailable >= budget {
			if !held {
				held = true
				d.blockBudget(p, lowest, unavailable, budget)
			}
			continue // a broken pod further down may still go
		}
		if !d.deleteOutdated(step, slot, free) {
			return
		}
		if !free {
			unavailable++
		}
	}
}

// maxUnavailable is the budget of the update: rounded down, at least 1.
func (d *decision) maxUnavailable() (int, error) {
	if d.set.RollingUpdate == nil || d.set.RollingUpdate.MaxUnavailable == nil {
		return 1, nil
	}
	m := d.set.RollingUpdate.MaxUnavailable
	if m.Percent == "" {
		return max(1, int(m.Count)), nil
	}
	number, found := strings.CutSuffix(m.Percent, "%")
	percent, err := strconv.ParseInt(number, 10, 32)
	if !found || err != nil {
		return 0, fmt.Errorf("%q is no percentage", short(m.Percent))
	}
	return max(1, int(percent*int64(d.set.Replicas)/100)), nil
}

// deleteOutdated plans the deletion, and takes the pod off the counter that it was in. A pod that has ended is deleted
// by an earlier phase of the same plan; upstream deletes and subtracts once more. One that goes because it is broken must
// still be as it was seen: in a view that is behind it may only seem so.
func (d *decision) deleteOutdated(step *Step, slot int, broken bool) bool {
	p := d.replicas[slot]
	if p.ended() && d.rules.CountersStayTrue {
		return true
	}
	if d.staysForClaims(p, d.ordinal(slot), BlockUpdateWaitsForPod, "The pod is outdated. It is replaced") {
		return false
	}
	version := ""
	if broken {
		version = p.ResourceVersion
	}
	if !d.emit(step, Action{Kind: KindPod, Name: p.Name, UID: p.UID, ResourceVersion: version, Op: DeletePod{}, Cause: Cause{CauseOutdated,
		fmt.Sprintf("The pod is at revision %s and comes back at %s.", orNone(p.Revision), short(d.update.name))}}, d.update.name) {
		return false
	}
	if !d.rules.CountersStayTrue || p.Revision == d.current.name {
		d.status.CurrentReplicas--
	}
	return true
}

func orNone(revision string) string {
	if revision == "" {
		return "(none)"
	}
	return short(revision)
}

func (d *decision) anyOutdated(from, to int) bool {
	for _, p := range d.replicas[from:to] {
		if d.outdated(p) {
			return true
		}
	}
	return false
}

// blockUpdate says for which pod the update waits. p is nil where the ordinal has no pod: the plan creates it, or
// another block says why not.
func (d *decision) blockUpdate(p *Pod) {
	if p == nil {
		return
	}
	b := d.waitFor(p)
	if b == nil {
		b = &Block{Severity: Wait, Kind: KindPod, Name: p.Name}
	}
	b.Code = BlockUpdateWaitsForPod
	b.Message = "The update goes on with lower ordinals once this pod is available. " + b.Message
	d.block(*b)
}

func (d *decision) blockBudget(held, lowest *Pod, unavailable, budget int) {
	b := Block{Code: BlockUpdateBudget, Severity: Wait, Kind: KindPod, Name: held.Name,
		Message: fmt.Sprintf("The pod waits to be updated: %s unavailable, and maxUnavailable allows %d.", are(unavailable, "pod"), budget)}
	if lowest != nil {
		b.Remedy = "Look at the pods that are not available, such as " + lowest.Name + "."
	}
	d.block(b)
}

// explainOutdated adds the blocks that say which pods stay at an old revision on purpose.
func (d *decision) explainOutdated() {
	below, first := 0, (*Pod)(nil)
	limit := d.partition()
	if d.onDelete() {
		limit = len(d.replicas)
	}
	for _, p := range d.replicas[:min(limit, len(d.replicas))] {
		if d.outdated(p) {
			if below++; first == nil {
				first = p
			}
		}
	}
	if below == 0 {
		return
	}
	b := Block{Code: BlockPartitionHeld, Severity: Info, Kind: KindPod, Name: first.Name,
		Message: fmt.Sprintf("%s held at an older revision, because the partition is %d.", are(below, "pod"), d.partition()),
		Remedy:  "Lower spec.updateStrategy.rollingUpdate.partition to update them."}
	if d.onDelete() {
		b.Code = BlockOnDelete
		b.Message = fmt.Sprintf("%s outdated until somebody deletes them, because the strategy is OnDelete.", are(below, "pod"))
		b.Remedy = "Delete each pod when it suits you: kubectl delete pod " + first.Name + "."
	}
	d.block(b)
}

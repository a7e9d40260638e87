package engine

import (
	"fmt"
	"time"
)

// repairPolicy says which pods are repaired.
type repairPolicy uint8

const (
	repairNever      repairPolicy = iota
	repairNeverReady              // those that have never been ready
	repairUnready                 // those that are not ready
)

// minRepairAge is how old a pod must be before it is repaired: it may be about to become ready, and a template that is
// edited several times in a row should not cost a pod for each.
const minRepairAge = 10 * time.Second

// readRepairPolicy reads what the caller asks for, or else the set. A text that nobody knows repairs nothing, and a block says
// so.
func (d *decision) readRepairPolicy() {
	switch d.s.Policy.Repair {
	case RepairUnspecified:
		d.readRepairAnnotation()
	case RepairNeverReady:
		d.repairs = repairNeverReady
	case RepairUnready:
		d.repairs = repairUnready
	}
}

func (d *decision) readRepairAnnotation() {
	switch text := d.set.Annotations[annotationRepair]; text {
	case "Never":
	case "NeverReady":
		d.repairs = repairNeverReady
	case "Unready":
		d.repairs = repairUnready
	case "":
		if d.rules.ReplaceNeverReady {
			d.repairs = repairNeverReady
		}
	default:
		d.attention(BlockInvalidPolicy, fmt.Sprintf("Annotation %s is %q, which is not Never, NeverReady or Unready, so no pod is repaired.",
			annotationRepair, short(text)), "Set it to Never, NeverReady or Unready, or remove it.")
	}
}

// repairPods replaces a pod that cannot become ready and would come back at another revision: what is left of a template
// that has been mended since (kubernetes/kubernetes#67250). One at a time, the highest first, and not beside what else this
// plan takes away. It takes no available pod: what it takes is not ready, and the resource version sees to it that this still
// holds when it goes.
func (d *decision) repairPods() {
	if d.repairs == repairNever || d.onDelete() || d.status.ReadyReplicas == d.status.Replicas || d.plan.Truncated {
		return
	}
	slot := len(d.replicas) - 1
	for slot >= 0 && !d.needsRepair(slot) {
		d.work(partReplicas, 1)
		slot--
	}
	if slot < 0 || d.takesAwayReplicas() || d.repairWaits(slot) || d.repairReleases(slot) {
		return
	}
	_, revision, ok := d.readyToMake(d.comesBackAtCurrent(slot))
	if !ok {
		return // it could not come back, and a block says why
	}
	p := d.replicas[slot]
	d.startPhase()
	var step Step
	if d.emit(&step, Action{Kind: KindPod, Name: p.Name, UID: p.UID, ResourceVersion: p.ResourceVersion, Op: DeletePod{},
		Cause: Cause{CauseRepair, d.whyRepair(slot)}}, revision) {
		d.stage(Stage{Phase: PhaseUpdate, Steps: []Step{step}, OnFailure: Stop})
		d.uncount(p)
	}
}

// needsRepair tells whether the policy wants the pod of a slot replaced, be it later. One that could not be made again stays.
func (d *decision) needsRepair(slot int) bool {
	p := d.replicas[slot]
	if p == nil || d.current.lost && d.comesBackAtCurrent(slot) {
		return false
	}
	return d.mayRepair(p) && !p.terminating() && !p.ended() && p.Revision != d.comesBackAt(slot)
}

// mayRepair tells whether the policy is about a pod in this state.
func (d *decision) mayRepair(p *Pod) bool {
	return !p.Ready && (d.repairs == repairUnready || d.repairs == repairNeverReady && p.neverReady())
}

// comesBackAt is the revision of the pod that is made when the one in a slot has gone.
func (d *decision) comesBackAt(slot int) string {
	if d.comesBackAtCurrent(slot) {
		return d.current.name
	}
	return d.update.name
}

// comesBackAtCurrent is staysCurrent for a pod that is still there. Without rollingUpdate the answer follows from the
// number of pods at the current revision: those that there are now, as this plan writes it, without the pod that goes.
func (d *decision) comesBackAtCurrent(slot int) bool {
	if d.set.RollingUpdate != nil {
		return d.staysCurrent(slot)
	}
	current := int(d.status.CurrentReplicas) - d.leavingCurrent()
	if d.replicas[slot].Revision == d.current.name {
		current--
	}
	return slot < current
}

// takesAwayReplicas tells whether the plan deletes a pod of the range already.
func (d *decision) takesAwayReplicas() bool {
	for _, stage := range d.plan.Stages {
		if stage.Phase != PhaseReplicas && stage.Phase != PhaseUpdate {
			continue
		}
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if _, ok := a.Op.(DeletePod); ok {
					return true
				}
			}
		}
	}
	return false
}

// repairWaits tells whether a pod that is to be repaired stays for now, and adds the block that says why.
func (d *decision) repairWaits(slot int) bool {
	p := d.replicas[slot]
	b := Block{Code: BlockRepairWaits, Severity: Wait, Kind: KindPod, Name: p.Name, Since: p.CreatedAt, Message: d.whyRepair(slot)}
	if at := p.CreatedAt.Add(minRepairAge); at.After(d.now) {
		b.NotBefore = at
		b.Message += fmt.Sprintf(" It is replaced once it is %s old, unless it gets ready before.", minRepairAge)
		d.lookAgainIn(at.Sub(d.now))
		d.block(b)
		return true
	}
	for _, other := range d.replicas {
		d.work(partReplicas, 1)
		if other != nil && other.terminating() {
			b.Message += " It is replaced once pod " + other.Name + ", which is being deleted, is gone."
			b.Remedy = whyItStays
			d.block(b)
			return true
		}
	}
	return false
}

// whyRepair says what is wrong with a pod that is to be repaired.
func (d *decision) whyRepair(slot int) string {
	p := d.replicas[slot]
	state := "is not ready"
	if p.neverReady() {
		state = "has never been ready"
	}
	return fmt.Sprintf("The pod %s at revision %s, and comes back at %s.", state, orNone(p.Revision), short(d.comesBackAt(slot)))
}

// hopeless tells whether a pod would be repaired if it were of the range: nothing waits for it to become available.
func (d *decision) hopeless(p *Pod) bool {
	return d.outdated(p) && d.mayRepair(p) && !p.ended() && !p.terminating()
}

// uncount takes a pod that is deleted off the counters that it was in: what comes back without rollingUpdate is decided by
// them.
func (d *decision) uncount(p *Pod) {
	if p.Revision == d.current.name {
		d.status.CurrentReplicas--
	}
	if p.Revision == d.update.name {
		d.status.UpdatedReplicas--
	}
}

// neverReady tells whether the snapshot proves that a pod has never been ready; docs/repair.md says why it is a proof.
// In doubt a pod may have been ready.
func (p *Pod) neverReady() bool {
	if p.Ready {
		return false
	}
	if p.StartedAt.IsZero() {
		return p.Phase == PodPending && p.ReadyChangedAt.IsZero() // no kubelet has seen it
	}
	// A kubelet that takes a pod writes Ready false and, at once after it, startTime; both are cut to seconds. From then
	// on the time of the condition changes only when the pod becomes ready, and when it ceases to be.
	before := p.StartedAt.Sub(p.ReadyChangedAt)
	return before >= 0 && before <= time.Second
}

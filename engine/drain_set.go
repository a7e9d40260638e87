package engine

import "fmt"

// finalizers are those of the set that mean something here.
type finalizers struct{ read, drain, orphan bool }

func (d *decision) readFinalizers() *finalizers {
	f := &d.ends
	if f.read {
		return f
	}
	f.read = true
	for _, name := range d.set.Finalizers {
		d.work(partFinalizers, 1)
		f.drain = f.drain || name == finalizerDrain
		f.orphan = f.orphan || name == finalizerOrphan
	}
	return f
}

func (d *decision) hasDrainFinalizer() bool { return d.readFinalizers().drain }

// orphans tells whether the set's objects are left to themselves: whoever deletes it so keeps the data. The garbage
// collector removes its finalizer when it has freed them, and may be done before we look; then a revision or a pod that
// would be the set's, and that nobody controls, tells. A background or foreground deletion never leaves one.
func (d *decision) orphans() bool {
	if d.readFinalizers().orphan || d.orphanRevisions() {
		return true
	}
	for i := range d.s.Pods {
		d.work(partPods, 1)
		p := &d.s.Pods[i]
		if _, ours := d.ordinalOf(p); ours && d.controllerOf(p.Owners) == nil && !d.isDrainPod(p) && d.selectsPod(p) {
			return true
		}
	}
	return false
}

// aloneWithDrain tells whether another controller runs the set.
func (d *decision) aloneWithDrain() bool { return d.drain != nil && d.drain.alone }

// handsOff tells whether nothing may be adopted or released.
func (d *decision) handsOff() bool { return d.deleting() || d.aloneWithDrain() }

// emptying tells whether the set is being deleted and is drained first.
func (d *decision) emptying() bool { return d.drain != nil && d.drain.emptying }

// drainAlone is the pass over a set that another controller runs: the drain and nothing else.
func (d *decision) drainAlone() {
	d.claimPods()
	d.protectClaims()
	d.classify()
	d.findPlaces()
	switch {
	case d.emptying():
		d.scaleDown() // that controller does nothing any more to a set that is being deleted
		d.explainUnavailable()
	case d.deleting():
		d.blockDeleting()
	}
	d.explainLimit()
	d.drainOrdinals()
	d.keepFinalizer()
	d.requeueDrain()
}

// emptySet takes a set apart that is being deleted: replicas from the highest ordinal, each drained when it is gone.
func (d *decision) emptySet() {
	if d.handOverCondemnedClaims() {
		d.scaleDown()
	}
	d.explainLimit()
	d.drainOrdinals()
	d.explainUnavailable()
}

// keepFinalizer adds the finalizer that keeps a deleted set until it is drained, and removes it when nothing is left, or
// when nobody wants that any more. It is the last stage of a plan, because it changes the set.
func (d *decision) keepFinalizer() {
	dr := d.drain
	if dr == nil || dr.held {
		return
	}
	var step Step
	d.startPhase()
	present := d.hasDrainFinalizer()
	switch {
	case dr.on && dr.onDelete && !d.deleting():
		if !present && len(dr.doomed) == 0 { // whoever sees it may delete the set
			d.setFinalizer(&step, true, d.asked.onDelete.source+" is true: when the set is deleted it stays until it is drained.")
		}
	case !present:
	case d.unsure: // a block says why the set stays
	case !dr.emptying:
		d.dropDrain(&step)
	case d.leftToDrain() == 0:
		d.setFinalizer(&step, false, "The set is drained and may go.")
	default:
		d.block(Block{Code: BlockSetDeleting, Severity: Wait, Kind: d.set.Kind, Name: d.set.Name, Since: d.set.DeletedAt,
			Message: fmt.Sprintf("The set is being deleted, and goes once it is drained: %s left.", are(d.leftToDrain(), "ordinal")),
			Remedy:  "To delete it without a drain, remove " + d.asked.onDelete.source + "; the claims then stay."})
	}
	if len(step.Actions) > 0 {
		d.stage(Stage{Phase: PhaseDrain, Steps: []Step{step}, OnFailure: SkipPhase})
	}
}

// dropDrain lets a set go, or stay, without a drain. Drain pods of a set that goes have to end first: one without an owner
// would outlive it.
func (d *decision) dropDrain(step *Step) {
	if d.deleting() {
		for _, p := range d.drainPods() {
			if !p.terminating() && !d.deleteDrainPod(step, p, Cause{CauseDrainCancelled, "The set goes without a drain; the claims stay."}) {
				return
			}
		}
	}
	d.setFinalizer(step, false, "The set is not drained when it is deleted.")
}

func (d *decision) setFinalizer(step *Step, present bool, why string) {
	d.emit(step, Action{Kind: d.set.Kind, Name: d.set.Name, UID: d.set.UID, Op: SetFinalizer{Finalizer: finalizerDrain, Present: present},
		Cause: Cause{CauseDrainFinalizer, why}}, fmt.Sprint(present))
}

// leftToDrain counts the ordinals of a set that is being emptied that are not done.
func (d *decision) leftToDrain() int {
	left := 0
	for _, p := range d.drain.places {
		d.work(partDrain, 1)
		if !d.drained(p) {
			left++
		}
	}
	return left
}

// requeueDrain asks for another look when a failed drain may be tried again.
func (d *decision) requeueDrain() {
	if d.drain == nil || d.drain.again.IsZero() {
		return
	}
	wait := max(1, d.drain.again.Sub(d.now))
	if d.plan.RequeueAfter == 0 || wait < d.plan.RequeueAfter {
		d.plan.RequeueAfter = wait
	}
}

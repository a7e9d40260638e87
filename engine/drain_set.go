package engine

import "fmt"

// finalizers are those of the set that mean something here.
type finalizers struct{ read, drain, orphan bool }

func (v *view) readFinalizers() *finalizers {
	f := &v.ends
	if f.read {
		return f
	}
	f.read = true
	for _, name := range v.set.Finalizers {
		v.meter.work(partFinalizers, 1)
		f.drain = f.drain || name == finalizerDrain
		f.orphan = f.orphan || name == finalizerOrphan
	}
	return f
}

func (v *view) hasDrainFinalizer() bool { return v.readFinalizers().drain }

// orphans tells whether the set's objects are left to themselves: whoever deletes it so keeps the data. The garbage
// collector removes its finalizer when it has freed them, and may be done before we look; then a revision or a pod that
// would be the set's, and that nobody controls, tells. A background or foreground deletion never leaves one.
func (v *view) orphans() bool {
	if v.readFinalizers().orphan || v.orphanRevisions() {
		return true
	}
	for i := range v.s.Pods {
		v.meter.work(partPods, 1)
		p := &v.s.Pods[i]
		if _, ours := v.ordinalOf(p); ours && v.controllerOf(p.Owners) == nil && !v.isDrainPod(p) && v.selectsPod(p) {
			return true
		}
	}
	return false
}

// aloneWithDrain tells whether another controller runs the set.
func (v *view) aloneWithDrain() bool { return v.drain.alone }

// handsOff tells whether nothing may be adopted or released.
func (v *view) handsOff() bool { return v.deleting() || v.aloneWithDrain() }

// emptying tells whether the set is being deleted and is drained first.
func (v *view) emptying() bool { return v.drain.emptying }

// keepFinalizer adds the finalizer that keeps a deleted set until it is drained, and removes it when nothing is left, or
// when nobody wants that any more. It is the last stage of a plan, because it changes the set.
func (dr *drain) keepFinalizer() {
	if dr == nil || dr.held {
		return
	}
	var step Step
	dr.out.startPhase()
	present := dr.view.hasDrainFinalizer()
	switch {
	case dr.on && dr.onDelete && !dr.view.deleting():
		if !present && len(dr.doomed) == 0 { // whoever sees it may delete the set
			dr.setFinalizer(&step, true, dr.asked.onDelete.source+" is true: when the set is deleted it stays until it is drained.")
		}
	case !present:
	case dr.view.unsure: // a block says why the set stays
	case !dr.emptying:
		dr.dropDrain(&step)
	case dr.leftToDrain() == 0:
		dr.setFinalizer(&step, false, "The set is drained and may go.")
	default:
		dr.out.block(Block{Code: BlockSetDeleting, Severity: Wait, Kind: dr.view.set.Kind, Name: dr.view.set.Name, Since: dr.view.set.DeletedAt,
			Message: fmt.Sprintf("The set is being deleted, and goes once it is drained: %s left.", are(dr.leftToDrain(), "ordinal")),
			Remedy:  "To delete it without a drain, remove " + dr.asked.onDelete.source + "; the claims then stay."})
	}
	if len(step.Actions) > 0 {
		dr.out.stage(Stage{Phase: PhaseDrain, Steps: []Step{step}, OnFailure: SkipPhase})
	}
}

// dropDrain lets a set go, or stay, without a drain. Drain pods of a set that goes have to end first: one without an owner
// would outlive it.
func (dr *drain) dropDrain(step *Step) {
	if dr.view.deleting() {
		for _, p := range dr.drainPods() {
			if !p.terminating() && !dr.deleteDrainPod(step, p, Cause{CauseDrainCancelled, "The set goes without a drain; the claims stay."}) {
				return
			}
		}
	}
	dr.setFinalizer(step, false, "The set is not drained when it is deleted.")
}

func (dr *drain) setFinalizer(step *Step, present bool, why string) {
	dr.out.emit(step, Action{Kind: dr.view.set.Kind, Name: dr.view.set.Name, UID: dr.view.set.UID, Op: SetFinalizer{Finalizer: finalizerDrain, Present: present},
		Cause: Cause{CauseDrainFinalizer, why}}, fmt.Sprint(present))
}

// leftToDrain counts the ordinals of a set that is being emptied that are not done.
func (dr *drain) leftToDrain() int {
	left := 0
	for _, p := range dr.places {
		dr.view.meter.work(partDrain, 1)
		if !dr.drained(p) {
			left++
		}
	}
	return left
}

// requeue asks for another look when a failed drain may be tried again.
func (dr *drain) requeue() {
	if dr == nil || dr.again.IsZero() {
		return
	}
	wait := max(1, dr.again.Sub(dr.view.now))
	if dr.out.plan.RequeueAfter == 0 || wait < dr.out.plan.RequeueAfter {
		dr.out.plan.RequeueAfter = wait
	}
}

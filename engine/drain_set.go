package engine

import (
	"fmt"

	"github.com/setplan/setplan/engine/model"
)

// keepFinalizer adds the finalizer that keeps a deleted set until it is drained. It removes it when nothing is left to drain, or the policy
// no longer asks for it. It is the last stage of a plan, because it changes the set.
func (dr *drain) keepFinalizer() {
	if dr == nil || dr.held && !dr.orphaning() || dr.view.paused == pauseAll {
		return
	}
	var step model.Step
	dr.out.startPhase()
	present := dr.view.hasDrainFinalizer()
	switch {
	case dr.on && dr.onDelete && !dr.view.deleting():
		if !present && len(dr.doomed) == 0 { // people who see it may delete the set
			dr.setFinalizer(&step, true, causeDrainsOnDelete(dr.asked.onDelete.source))
		}
	case !present, dr.view.paused == pauseHealOnly:
	case dr.view.unsure: // a block says why
	case !dr.emptying:
		dr.dropDrain(&step)
	case dr.leftToDrain() == 0:
		dr.setFinalizer(&step, false, causeSetDrained)
	default:
		dr.out.block(blockSetDrains(dr.view.set, dr.leftToDrain(), dr.asked.onDelete.source))
	}
	if len(step.Actions) > 0 {
		dr.out.stage(model.Stage{Phase: model.PhaseDrain, Steps: []model.Step{step}, OnFailure: model.SkipPhase})
	}
}

// orphaning reports whether the set is being deleted so that its pods and claims stay: then nothing is to be drained, and a policy that holds
// everything has nothing to hold.
func (dr *drain) orphaning() bool { return dr.view.deleting() && dr.view.readFinalizers().orphan }

// dropDrain removes the finalizer of a set that is not drained. The drain pods of a deleted set are deleted first: one without an owner
// would outlive it.
func (dr *drain) dropDrain(step *model.Step) {
	if dr.view.deleting() {
		for _, p := range dr.drainPods() {
			if !p.Terminating() && !dr.deleteDrainPod(step, p, causeSetGoes) {
				return
			}
		}
	}
	if dr.view.deleting() && dr.view.rules.WantedClaimsStay && len(dr.view.goingWithSet()) > 0 {
		return // they are released first
	}
	dr.setFinalizer(step, false, causeSetNotDrained)
}

func (dr *drain) setFinalizer(step *model.Step, present bool, why model.Cause) {
	dr.out.emit(step, model.Action{Kind: dr.view.set.Kind, Name: dr.view.set.Name, UID: dr.view.set.UID, Op: model.SetFinalizer{Finalizer: model.FinalizerDrain, Present: present},
		Cause: why}, fmt.Sprint(present))
}

// leftToDrain counts the ordinals that are not drained yet.
func (dr *drain) leftToDrain() int {
	left := 0
	for _, p := range dr.places {
		if !dr.drained(p) {
			left++
		}
	}
	return left
}

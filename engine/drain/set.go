package drain

import (
	"fmt"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// KeepFinalizer adds the finalizer that keeps a deleted set until it is drained. It removes it when nothing is left to drain, or the policy
// no longer asks for it. It is the last stage of a plan, because it changes the set.
func (dr *Drain) KeepFinalizer() {
	if dr == nil || dr.Held && !dr.orphaning() || dr.view.Paused == state.PauseAll {
		return
	}
	var step model.Step
	dr.out.StartPhase()
	present := dr.view.HasDrainFinalizer()
	switch {
	case dr.On && dr.OnDelete && !dr.view.Deleting():
		if !present && len(dr.doomed) == 0 { // people who see it may delete the set
			dr.setFinalizer(&step, true, causeDrainsOnDelete(dr.Asked.OnDelete.Source))
		}
	case !present, dr.view.Paused == state.PauseHealOnly:
	case dr.view.Unsure: // a block says why
	case !dr.Emptying:
		dr.dropDrain(&step)
	case dr.leftToDrain() == 0:
		dr.setFinalizer(&step, false, causeSetDrained)
	default:
		dr.out.Block(blockSetDrains(dr.view.Set, dr.leftToDrain(), dr.Asked.OnDelete.Source))
	}
	if len(step.Actions) > 0 {
		dr.out.Add(model.Stage{Phase: model.PhaseDrain, Steps: []model.Step{step}, OnFailure: model.SkipPhase})
	}
}

// orphaning reports whether the set is being deleted so that its pods and claims stay: then nothing is to be drained, and a policy that holds
// everything has nothing to hold.
func (dr *Drain) orphaning() bool { return dr.view.Deleting() && dr.view.ReadFinalizers().Orphan }

// dropDrain removes the finalizer of a set that is not drained. The drain pods of a deleted set are deleted first: one without an owner
// would outlive it.
func (dr *Drain) dropDrain(step *model.Step) {
	if dr.view.Deleting() {
		for _, p := range dr.drainPods() {
			if !p.Terminating() && !dr.deleteDrainPod(step, p, causeSetGoes) {
				return
			}
		}
	}
	if dr.view.Deleting() && dr.view.Rules.WantedClaimsStay && len(dr.view.GoingWithSet()) > 0 {
		return // they are released first
	}
	dr.setFinalizer(step, false, causeSetNotDrained)
}

func (dr *Drain) setFinalizer(step *model.Step, present bool, why model.Cause) {
	dr.out.Emit(step, model.Action{Kind: dr.view.Set.Kind, Name: dr.view.Set.Name, UID: dr.view.Set.UID, Op: model.SetFinalizer{Finalizer: model.FinalizerDrain, Present: present},
		Cause: why}, fmt.Sprint(present))
}

// leftToDrain counts the ordinals that are not drained yet.
func (dr *Drain) leftToDrain() int {
	left := 0
	for _, p := range dr.places {
		if !dr.drained(p) {
			left++
		}
	}
	return left
}

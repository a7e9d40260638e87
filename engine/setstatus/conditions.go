package setstatus

import (
	"slices"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// conditions appends the conditions that say what the set is doing and whether somebody has to act. Reasons and messages stay the same as long as
// the state does: of the plan they take only whether it changes a member. The plan's Done is decided with them, whether or not they are written.
func (pass *statusPass) conditions(list []model.Condition) []model.Condition {
	draining := pass.at(drainBlocks, drainCauses)
	left, done := pass.left(draining)
	pass.out.Plan.Done = done
	if pass.view.Snap.Capabilities&model.CanSetConditions == 0 {
		return nil
	}
	if c := pass.progressing(); c != nil {
		list = append(list, *c)
	}
	if !pass.writesConditions() {
		return list
	}
	repairing := pass.at(repairBlocks, repairCauses)
	list = append(list, left, pass.blocked())
	if repairing || pass.storedCondition(state.ConditionRepairing) != nil { // most sets never have one
		list = append(list, conditionRepairing(repairing))
	}
	if draining || pass.storedCondition(state.ConditionDraining) != nil {
		list = append(list, conditionDraining(draining))
	}
	return list
}

// progressing is upstream's condition of a set with the strategy Recreate (setProgressingCondition); nil: it stays as it is. Under SETPLAN it also ends where
// somebody has chosen another strategy meanwhile.
func (pass *statusPass) progressing() *model.Condition {
	v, stored := pass.view, pass.storedCondition(state.ConditionProgressing)
	var at *model.Condition
	switch {
	case !v.Recreates() || v.Deleting() || v.RecreationHeld:
	case v.OldLeft():
		at = conditionRecreating(deletesOld)
	case v.Current.Name != v.Update.Name:
		at = conditionRecreating(createsNew)
	}
	ends := v.Recreates() || v.Rules.StatusConditions && stored != nil && stored.Reason == recreateInProgress
	if pass.complete && ends && (at != nil || stored != nil) {
		return conditionRecreated()
	}
	return at
}

func (pass *statusPass) writesConditions() bool {
	return pass.view.Rules.StatusConditions && pass.view.Snap.Capabilities&model.CanSetConditions != 0
}

// setConditions adds the conditions to the status that will be written.
func (pass *statusPass) setConditions(list []model.Condition) {
	pass.status.Conditions = slices.Clone(list)
	for i := range pass.status.Conditions {
		pass.date(&pass.status.Conditions[i])
	}
}

// conditionDiffers reports whether a condition is worth a write. A missing one counts as False: taking over a set at rest writes nothing.
func (pass *statusPass) conditionDiffers(c model.Condition) bool {
	stored := pass.storedCondition(c.Type)
	if stored == nil {
		return c.Status != state.ConditionFalse
	}
	return stored.Status != c.Status || stored.Reason != c.Reason || stored.Message != c.Message
}

// changedConditions are those that are worth a write.
func (pass *statusPass) changedConditions() (changed []model.Condition) {
	for _, c := range pass.status.Conditions {
		if pass.conditionDiffers(c) {
			changed = append(changed, c)
		}
	}
	return changed
}

// storedCondition is the first stored condition of one of our types.
func (pass *statusPass) storedCondition(name string) *model.Condition {
	if !pass.storedRead {
		pass.storedRead = true
		for i := range pass.view.Set.Status.Conditions {
			c := &pass.view.Set.Status.Conditions[i]
			if at := conditionIndex(c.Type); at >= 0 && pass.stored[at] == nil {
				pass.stored[at] = c
			}
		}
	}
	return pass.stored[conditionIndex(name)]
}

// ownConditions is how many types of conditions are ours.
const ownConditions = 5

// conditionIndex is a place for each of our types; -1 for those of others.
func conditionIndex(name string) int {
	switch name {
	case state.ConditionReconciling:
		return 0
	case state.ConditionBlocked:
		return 1
	case state.ConditionRepairing:
		return 2
	case state.ConditionDraining:
		return 3
	case state.ConditionProgressing:
		return 4
	}
	return -1
}

// date sets the time at which a condition's status changed.
func (pass *statusPass) date(c *model.Condition) {
	if stored := pass.storedCondition(c.Type); stored != nil && stored.Status == c.Status && !stored.ChangedAt.IsZero() {
		c.ChangedAt = stored.ChangedAt
	} else {
		c.ChangedAt = pass.view.Now.Truncate(time.Second)
	}
}

// left is what keeps the set from being done, as the condition Reconciling says it. It decides alone: the plan's Done and Converged, and whoever reads
// one of them or the condition, say the same.
func (pass *statusPass) left(draining bool) (left model.Condition, done bool) {
	v, st, want := pass.view, pass.status, pass.view.Set.Replicas
	switch {
	case v.Paused == state.PauseAll && (v.Emptying() || !v.Deleting()), v.Paused == state.PauseHealOnly && pass.leavesPods(draining):
		return conditionPaused(v.Asks(policy.Pause)), false
	case v.Deleting():
		return conditionDeleting(), false
	case st.Replicas != want || len(v.Condemned) > 0:
		return conditionScaling(), false
	case draining:
		return conditionOrdinalsLeave(), false
	case v.UpdateLeft() && v.Paused != state.PauseNothing && st.AvailableReplicas == want:
		return conditionPaused(v.Asks(policy.Pause)), false
	case v.UpdateLeft():
		return conditionUpdating(), false
	case st.AvailableReplicas != want, slices.ContainsFunc(v.Members, func(m state.Member) bool { return m.Pod.Terminating() }):
		return conditionWaitingForPods(), false
	case changesMembers(pass.out), slices.ContainsFunc(pass.out.Plan.Blocks, HoldsSomething):
		return conditionWaiting(), false
	case st.UpdatedReplicas != want:
		return conditionHeldBySpec(), true
	}
	return conditionComplete(), true
}

// HoldsSomething reports whether a block is about something that the spec asks for and that is not reached. Invalid settings, an owner of claims that is not the set
// and a revision that is missing hold back nothing by themselves: where they do, pods tell.
func HoldsSomething(b model.Block) bool {
	switch b.Code {
	case model.BlockInvalidPolicy, model.BlockInvalidSpec, model.BlockInvalidRevision, model.BlockClaimForeignController, model.BlockDrainUnprotected:
		return b.Severity == model.Wait
	}
	return b.Severity != model.Info
}

// changesMembers reports whether the plan makes, takes or changes a pod or a claim otherwise than by its owners.
func changesMembers(out *state.Draft) bool {
	for i := range out.Plan.Stages {
		for j := range out.Plan.Stages[i].Steps {
			if slices.ContainsFunc(out.Plan.Stages[i].Steps[j].Actions, changesMember) {
				return true
			}
		}
	}
	return false
}

func changesMember(a model.Action) bool {
	switch a.Op.(type) {
	case model.CreatePod, model.DeletePod, model.EvictPod, model.UpdatePod, model.ResizePod, model.CreateClaim, model.DeleteClaim, model.PatchClaim:
		return true
	}
	return false
}

// leavesPods reports whether nothing is missing, and something would be taken away.
func (pass *statusPass) leavesPods(draining bool) bool {
	v := pass.view
	return (v.Emptying() || draining || len(v.Condemned) > 0) && !slices.Contains(v.Replicas, nil)
}

// blocked is True while a block needs somebody to act. Its reason is the code of the first one.
func (pass *statusPass) blocked() model.Condition {
	var first *model.Block
	for i := range pass.out.Plan.Blocks {
		if b := &pass.out.Plan.Blocks[i]; b.Severity == model.Attention && (first == nil || plan.CompareBlocks(*b, *first) < 0) {
			first = b
		}
	}
	return conditionBlocked(first)
}

// What a plan has while a pod that cannot become ready is being replaced, and while an ordinal has data to drain.
var (
	repairBlocks = []model.BlockCode{model.BlockRepairWaits}
	repairCauses = []model.CauseCode{model.CauseRepair}
	drainBlocks  = []model.BlockCode{model.BlockDraining, model.BlockDrainFailed, model.BlockDrainWaits, model.BlockDrainClaimMissing, model.BlockDrainAsked}
	drainCauses  = []model.CauseCode{model.CauseDrain, model.CauseDrained, model.CauseDrainFailed, model.CauseDrainAsk}
)

// at reports whether the plan so far has one of these blocks, or an action with one of these causes.
func (pass *statusPass) at(blocks []model.BlockCode, causes []model.CauseCode) bool {
	for i := range pass.out.Plan.Blocks {
		if slices.Contains(blocks, pass.out.Plan.Blocks[i].Code) {
			return true
		}
	}
	for _, stage := range pass.out.Plan.Stages {
		for _, step := range stage.Steps {
			for i := range step.Actions {
				if slices.Contains(causes, step.Actions[i].Cause.Code) {
					return true
				}
			}
		}
	}
	return false
}

package engine

import (
	"slices"
	"time"

	"github.com/setplan/setplan/engine/model"
)

// The conditions that the engine writes; docs/conditions.md says what each means.
const (
	ConditionReconciling = "Reconciling"
	ConditionBlocked     = "Blocked"
	ConditionRepairing   = "Repairing"
	ConditionDraining    = "Draining"
)

// The values of Condition.Status that the engine writes.
const (
	conditionTrue  = "True"
	conditionFalse = "False"
)

// conditions appends the conditions that say what the set is doing and whether somebody has to act. Reasons and messages stay the same as long as
// the state does: of the plan they take only whether it changes a member. The plan's Done is decided with them, whether or not they are written.
func (pass *statusPass) conditions(list []model.Condition) []model.Condition {
	draining := pass.at(drainBlocks, drainCauses)
	left, done := pass.left(draining)
	pass.out.plan.Done = done
	if !pass.writesConditions() {
		return nil
	}
	repairing := pass.at(repairBlocks, repairCauses)
	list = append(list, left, pass.blocked())
	if repairing || pass.storedCondition(ConditionRepairing) != nil { // most sets never have one
		list = append(list, conditionRepairing(repairing))
	}
	if draining || pass.storedCondition(ConditionDraining) != nil {
		list = append(list, conditionDraining(draining))
	}
	return list
}

func (pass *statusPass) writesConditions() bool {
	return pass.view.rules.StatusConditions && pass.view.s.Capabilities&model.CanSetConditions != 0
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
		return c.Status != conditionFalse
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
		for i := range pass.view.set.Status.Conditions {
			c := &pass.view.set.Status.Conditions[i]
			if at := conditionIndex(c.Type); at >= 0 && pass.stored[at] == nil {
				pass.stored[at] = c
			}
		}
	}
	return pass.stored[conditionIndex(name)]
}

// ownConditions is how many types of conditions are ours.
const ownConditions = 4

// conditionIndex is a place for each of our types; -1 for those of others.
func conditionIndex(name string) int {
	switch name {
	case ConditionReconciling:
		return 0
	case ConditionBlocked:
		return 1
	case ConditionRepairing:
		return 2
	case ConditionDraining:
		return 3
	}
	return -1
}

// date sets the time at which a condition's status changed.
func (pass *statusPass) date(c *model.Condition) {
	if stored := pass.storedCondition(c.Type); stored != nil && stored.Status == c.Status && !stored.ChangedAt.IsZero() {
		c.ChangedAt = stored.ChangedAt
	} else {
		c.ChangedAt = pass.view.now.Truncate(time.Second)
	}
}

// left is what keeps the set from being done, as the condition Reconciling says it. It decides alone: the plan's Done and Converged, and whoever reads
// one of them or the condition, say the same.
func (pass *statusPass) left(draining bool) (left model.Condition, done bool) {
	v, st, want := pass.view, pass.status, pass.view.set.Replicas
	switch {
	case v.paused == pauseAll && (v.emptying() || !v.deleting()), v.paused == pauseHealOnly && pass.leavesPods(draining):
		return conditionPaused(v.asks(annotationPause)), false
	case v.deleting():
		return conditionDeleting(), false
	case st.Replicas != want || len(v.condemned) > 0:
		return conditionScaling(), false
	case draining:
		return conditionOrdinalsLeave(), false
	case v.updateLeft() && v.paused != pauseNothing && st.AvailableReplicas == want:
		return conditionPaused(v.asks(annotationPause)), false
	case v.updateLeft():
		return conditionUpdating(), false
	case st.AvailableReplicas != want, slices.ContainsFunc(v.members, func(m member) bool { return m.pod.Terminating() }):
		return conditionWaitingForPods(), false
	case pass.out.changesMembers(), slices.ContainsFunc(pass.out.plan.Blocks, holdsSomething):
		return conditionWaiting(), false
	case st.UpdatedReplicas != want:
		return conditionHeldBySpec(), true
	}
	return conditionComplete(), true
}

// holds reports whether a block is about something that the spec asks for and that is not reached. Invalid settings, an owner of claims that is not the set
// and a revision that is missing hold back nothing by themselves: where they do, pods tell.
func holdsSomething(b model.Block) bool {
	switch b.Code {
	case model.BlockInvalidPolicy, model.BlockInvalidSpec, model.BlockInvalidRevision, model.BlockClaimForeignController, model.BlockDrainUnprotected:
		return b.Severity == model.Wait
	}
	return b.Severity != model.Info
}

// changesMembers reports whether the plan makes, takes or changes a pod or a claim otherwise than by its owners.
func (out *draft) changesMembers() bool {
	for i := range out.plan.Stages {
		for j := range out.plan.Stages[i].Steps {
			if slices.ContainsFunc(out.plan.Stages[i].Steps[j].Actions, changesMember) {
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
	return (v.emptying() || draining || len(v.condemned) > 0) && !slices.Contains(v.replicas, nil)
}

// blocked is True while a block needs somebody to act. Its reason is the code of the first one.
func (pass *statusPass) blocked() model.Condition {
	var first *model.Block
	for i := range pass.out.plan.Blocks {
		if b := &pass.out.plan.Blocks[i]; b.Severity == model.Attention && (first == nil || compareBlocks(*b, *first) < 0) {
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
	for i := range pass.out.plan.Blocks {
		if slices.Contains(blocks, pass.out.plan.Blocks[i].Code) {
			return true
		}
	}
	for _, stage := range pass.out.plan.Stages {
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

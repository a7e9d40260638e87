package setstatus

import (
	"slices"
	"strconv"

	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// statusPass makes the status from the counters and the plan so far.
type statusPass struct {
	view       *claims.Claims
	status     *model.Status
	out        *state.Draft
	stored     [ownConditions]*model.Condition // of our types, once they have been read
	storedRead bool
	complete   bool // every pod is as the update wants it
}

// Write completes a finished update and plans the status if it differs from the stored one.
func Write(v *claims.Claims, status *model.Status, out *state.Draft) {
	pass := statusPass{view: v, status: status, out: out}
	ahead := countCreated(v, status, out)
	pass.completeUpdate()
	out.ReportFailures()
	var room [ownConditions]model.Condition
	conditions := pass.conditions(room[:0])
	if !pass.statusDiffers() && !slices.ContainsFunc(conditions, pass.conditionDiffers) {
		return
	}
	pass.write(conditions, ahead)
}

// Unplanned writes into the conditions that nothing is planned until somebody has acted, and leaves the counters as they are. Where an edit of the spec is
// why, model.ObservedGeneration tells. An annotation changes no generation, and everybody would go on to believe what the last plan said.
func Unplanned(v *claims.Claims, out *state.Draft) {
	status := v.Set.Status
	pass := statusPass{view: v, status: &status, out: out}
	blocked := pass.blocked()
	if blocked.Status != state.ConditionTrue || !pass.writesConditions() || v.Deleting() || v.Snap.Policy.Scope == model.ScopeDrainOnly || v.Set.Generation != status.ObservedGeneration {
		return
	}
	if conditions := []model.Condition{conditionUnplanned(), blocked}; slices.ContainsFunc(conditions, pass.conditionDiffers) {
		pass.write(conditions, false)
	}
}

// write plans the write of the status.
func (pass *statusPass) write(conditions []model.Condition, ahead bool) {
	v, status, out := pass.view, pass.status, pass.out
	pass.setConditions(conditions)
	out.StartPhase()
	facts := []string{strconv.FormatInt(status.ObservedGeneration, 10), strconv.Itoa(int(status.Replicas)),
		strconv.Itoa(int(status.ReadyReplicas)), strconv.Itoa(int(status.AvailableReplicas)), strconv.Itoa(int(status.CurrentReplicas)),
		strconv.Itoa(int(status.UpdatedReplicas)), status.CurrentRevision, status.UpdateRevision}
	for _, c := range status.Conditions {
		facts = append(facts, c.Type, c.Status, c.Reason, c.Message)
	}
	var step model.Step
	out.Emit(&step, model.Action{Kind: v.Set.Kind, Name: v.Set.Name, UID: v.Set.UID, ResourceVersion: v.Set.ResourceVersion,
		Op:    model.UpdateStatus{Status: *status},
		Cause: pass.cause(),
	}, facts...)
	if len(step.Actions) > 0 {
		out.Add(model.Stage{Phase: model.PhaseStatus, Steps: []model.Step{step}, OnFailure: model.SkipPhase, AlwaysRun: !ahead && !out.Uncertain})
	}
}

// cause gives the counters, or the conditions if only they changed.
func (pass *statusPass) cause() model.Cause {
	if !pass.statusDiffers() {
		return causeConditions(pass.changedConditions())
	}
	return causeStatus(pass.status)
}

// completeUpdate makes the update revision the current one when every pod has it and is ready (or available).
func (pass *statusPass) completeUpdate() {
	st, want := pass.status, pass.view.Set.Replicas
	if pass.view.Excluded(st.UpdateRevision) {
		st.CurrentRevision = pass.view.Set.Status.CurrentRevision // what is not stored is never the one that pods come back at
		return
	}
	if pass.view.UpdatedByHand() && !pass.view.Rules.CompletesByHand || st.UpdatedReplicas != want || st.ReadyReplicas != want || st.Replicas != want {
		return
	}
	if pass.view.Rules.CompletionNeedsAvailability && st.AvailableReplicas != want {
		return
	}
	st.CurrentReplicas = st.UpdatedReplicas
	st.CurrentRevision = st.UpdateRevision
	pass.complete = true
}

// statusDiffers is inconsistentStatus upstream: a changed collision count alone is not written.
func (pass *statusPass) statusDiffers() bool {
	a, b := pass.status, &pass.view.Set.Status
	return b.LongRevision || a.ObservedGeneration > b.ObservedGeneration ||
		a.Replicas != b.Replicas ||
		a.ReadyReplicas != b.ReadyReplicas ||
		a.AvailableReplicas != b.AvailableReplicas ||
		a.CurrentReplicas != b.CurrentReplicas ||
		a.UpdatedReplicas != b.UpdatedReplicas ||
		a.CurrentRevision != b.CurrentRevision ||
		a.UpdateRevision != b.UpdateRevision
}

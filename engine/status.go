package engine

import (
	"slices"
	"strconv"

	"github.com/setplan/setplan/engine/model"
)

// statusPass makes the status from the counters and the plan so far.
type statusPass struct {
	view       *view
	status     *model.Status
	out        *draft
	stored     [ownConditions]*model.Condition // of our types, once they have been read
	storedRead bool
}

// writeStatus completes a finished update and plans the status if it differs from the stored one.
func writeStatus(v *view, status *model.Status, out *draft) {
	pass := statusPass{view: v, status: status, out: out}
	ahead := countCreated(v, status, out)
	pass.completeUpdate()
	out.reportFailures()
	var room [ownConditions]model.Condition
	conditions := pass.conditions(room[:0])
	if !pass.statusDiffers() && !slices.ContainsFunc(conditions, pass.conditionDiffers) {
		return
	}
	pass.write(conditions, ahead)
}

// tellUnplanned writes into the conditions that nothing is planned until somebody has acted, and leaves the counters as they are. Where an edit of the spec is
// why, observedGeneration tells. An annotation changes no generation, and everybody would go on to believe what the last plan said.
func tellUnplanned(v *view, out *draft) {
	status := v.set.Status
	pass := statusPass{view: v, status: &status, out: out}
	blocked := pass.blocked()
	if blocked.Status != conditionTrue || !pass.writesConditions() || v.deleting() || v.s.Policy.Scope == model.ScopeDrainOnly || v.set.Generation != status.ObservedGeneration {
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
	out.startPhase()
	facts := []string{strconv.FormatInt(status.ObservedGeneration, 10), strconv.Itoa(int(status.Replicas)),
		strconv.Itoa(int(status.ReadyReplicas)), strconv.Itoa(int(status.AvailableReplicas)), strconv.Itoa(int(status.CurrentReplicas)),
		strconv.Itoa(int(status.UpdatedReplicas)), status.CurrentRevision, status.UpdateRevision}
	for _, c := range status.Conditions {
		facts = append(facts, c.Type, c.Status, c.Reason, c.Message)
	}
	var step model.Step
	out.emit(&step, model.Action{Kind: v.set.Kind, Name: v.set.Name, UID: v.set.UID, ResourceVersion: v.set.ResourceVersion,
		Op:    model.UpdateStatus{Status: *status},
		Cause: pass.cause(),
	}, facts...)
	if len(step.Actions) > 0 {
		out.stage(model.Stage{Phase: model.PhaseStatus, Steps: []model.Step{step}, OnFailure: model.SkipPhase, AlwaysRun: !ahead && !out.uncertain})
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
	st, want := pass.status, pass.view.set.Replicas
	if pass.view.excluded(st.UpdateRevision) {
		st.CurrentRevision = pass.view.set.Status.CurrentRevision // what is not stored is never the one that pods come back at
		return
	}
	if pass.view.updatedByHand() || st.UpdatedReplicas != want || st.ReadyReplicas != want || st.Replicas != want {
		return
	}
	if pass.view.rules.CompletionNeedsAvailability && st.AvailableReplicas != want {
		return
	}
	st.CurrentReplicas = st.UpdatedReplicas
	st.CurrentRevision = st.UpdateRevision
}

// statusDiffers is inconsistentStatus upstream: a changed collision count alone is not written.
func (pass *statusPass) statusDiffers() bool {
	a, b := pass.status, &pass.view.set.Status
	return b.LongRevision || a.ObservedGeneration > b.ObservedGeneration ||
		a.Replicas != b.Replicas ||
		a.ReadyReplicas != b.ReadyReplicas ||
		a.AvailableReplicas != b.AvailableReplicas ||
		a.CurrentReplicas != b.CurrentReplicas ||
		a.UpdatedReplicas != b.UpdatedReplicas ||
		a.CurrentRevision != b.CurrentRevision ||
		a.UpdateRevision != b.UpdateRevision
}

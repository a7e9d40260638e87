package plan

import (
	"cmp"
	"slices"
	"time"

	"github.com/setplan/setplan/engine/model"
)

// An API server may refuse a write for days: for a quota, a webhook, a right that is missing, or a budget. Such a write is tried with each plan,
// and starves nobody:
//
//   - What does not build on it is done whatever becomes of it (Stuck).
//   - What takes pods away one at a time passes it over (TakesTurn).
//   - Among writes that have no order it comes last (SetAside). Updates have one, and so has all that OrderedReady does.

// FirstFailed is the place of the first action of a step that failed the last time; -1: none did.
func (out *Draft) FirstFailed(step *model.Step) int {
	if len(out.failed) == 0 {
		return -1
	}
	for i := range step.Actions {
		if out.failed[step.Actions[i].ID] != nil {
			return i
		}
	}
	return -1
}

// Stuck reports whether a stage has failed before that others wait for. A repair, a pod that somebody has chosen, and what is under way in place do not
// build on it, and run nevertheless. Where claims are released from their pods first it says no: a pod that goes would take along a claim that
// was not.
func (out *Draft) Stuck() (stuck bool) {
	for i := range out.Plan.Stages {
		stage := &out.Plan.Stages[i]
		switch {
		case stage.OnFailure != model.Stop:
		case stage.Phase == model.PhaseOwnership:
			return false
		default:
			for j := range stage.Steps {
				stuck = stuck || out.FirstFailed(&stage.Steps[j]) >= 0
			}
		}
	}
	return stuck
}

// TakesAwayReplicas reports whether the plan already deletes a pod of the range, or starts its containers anew, or is about to replace one that has ended. What failed the last time may be passed
// over, and so may what comes after it in its step.
func (out *Draft) TakesAwayReplicas() bool {
	if out.Replaces {
		return true
	}
	for i := range out.Plan.Stages {
		stage := &out.Plan.Stages[i]
		if stage.Phase != model.PhaseReplicas && stage.Phase != model.PhaseUpdate {
			continue
		}
		for j := range stage.Steps {
			actions := stage.Steps[j].Actions
			if at := out.FirstFailed(&stage.Steps[j]); at >= 0 {
				actions = actions[:at]
			}
			if out.takesOneAway(actions) {
				return true
			}
		}
	}
	return false
}

func (out *Draft) takesOneAway(actions []model.Action) bool {
	for i := range actions {
		if a := &actions[i]; a.Kind == model.KindPod && (a.Op.Traits().Destructive || out.restarts[a.UID]) {
			return true
		}
	}
	return false
}

// TakesTurn reports whether a step may take a pod away in this plan, of which TakesAwayReplicas says no. What failed the last time and would take another
// one away then leaves the plan, with what comes after it, and has its turn with the next one; but it keeps its turn if the step has failed, too,
// and was tried later.
func (out *Draft) TakesTurn(step *model.Step) bool {
	if len(out.failed) == 0 {
		return true
	}
	var passed []*model.Step
	for i := range out.Plan.Stages {
		stage := &out.Plan.Stages[i]
		for j := range stage.Steps {
			other := &stage.Steps[j]
			at := out.FirstFailed(other)
			if at < 0 || stage.Phase != model.PhaseReplicas && stage.Phase != model.PhaseUpdate || !out.takesOneAway(other.Actions[at:]) {
				continue
			}
			if mine := out.FirstFailed(step); mine >= 0 && !out.failed[step.Actions[mine].ID].TriedAt.Before(out.failed[other.Actions[at].ID].TriedAt) {
				return false
			}
			passed = append(passed, other)
		}
	}
	for _, other := range passed {
		at := out.FirstFailed(other)
		out.Block(blockFailedBefore(&other.Actions[at], out.failed[other.Actions[at].ID]))
		other.Actions = other.Actions[:at]
	}
	out.dropEmpty()
	return true
}

// dropEmpty takes steps without actions out of the plan, and stages without steps.
func (out *Draft) dropEmpty() {
	for i := range out.Plan.Stages {
		stage := &out.Plan.Stages[i]
		stage.Steps = slices.DeleteFunc(stage.Steps, func(step model.Step) bool { return len(step.Actions) == 0 })
	}
	out.Plan.Stages = slices.DeleteFunc(out.Plan.Stages, func(stage model.Stage) bool { return len(stage.Steps) == 0 })
	out.edition++
}

// Aside are steps of a phase that failed the last time, and come after all others.
type Aside []asideStep

type asideStep struct {
	model.Step
	tried time.Time
	place int
}

// SetAside reports whether a step failed the last time, and takes it out of the phase's budget.
func (out *Draft) SetAside(of *Aside, step *model.Step) bool {
	at := out.FirstFailed(step)
	if at < 0 {
		return false
	}
	out.budget += len(step.Actions)
	for i := range step.Actions {
		out.bytes -= sizeOf(&step.Actions[i])
	}
	*of = append(*of, asideStep{*step, out.failed[step.Actions[at].ID].TriedAt, len(*of)})
	return true
}

// Again are steps that were set aside, as far as there is room for them: what was tried longest ago comes first, since one that is always refused may
// end the phase.
func (out *Draft) Again(of Aside) (steps []model.Step) {
	Sort(of, func(a, b asideStep) int {
		return cmp.Or(a.tried.Compare(b.tried), cmp.Compare(a.place, b.place))
	})
	for i := range of {
		actions := of[i].Actions
		if out.budget < len(actions) || out.bytes > maxManifestBytes {
			out.full, out.Plan.Truncated = true, true
			break
		}
		out.budget -= len(actions)
		for j := range actions {
			out.bytes += sizeOf(&actions[j])
		}
		steps = append(steps, of[i].Step)
	}
	return steps
}

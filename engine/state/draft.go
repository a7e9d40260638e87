package state

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
)

// Draft is the draft of a plan, with what the steps of a pass note for those after them.
type Draft struct {
	plan.Draft

	Changed map[string]bool // claims that this plan changes, at the resource version that it saw
	Updated map[string]bool // uids of pods that this plan updates in place, or brings on their way there
	First   map[string]bool // those of them that are written to before they can be updated
	Taken   map[string]bool // uids of pods that this plan takes away, of a set whose pods have ranks
	Waiting string          // name of a pod that is not ready, and of which a block says why the update does not take it yet
	Created string          // revision of the replica that the plan creates; of an OrderedReady set, which gets one at a time

	Counts    bool // the status may count the pod as gone that rollout.TakeAway has planned last
	Uncertain bool // the status counts what an eviction does, and a budget may refuse it

	replicasReadAt int // see ChangesReplicas
	replicasChange bool
}

// NewDraft begins the draft of a snapshot's plan.
func NewDraft(s *model.Snapshot, c *plan.Caller) Draft { return Draft{Draft: plan.Begin(s, c)} }

// NoteUpdated prevents a second write to this pod at a stale version. first: its update is still to come.
func (out *Draft) NoteUpdated(p *model.Pod, first bool) {
	if out.Updated == nil {
		out.Updated, out.First = map[string]bool{}, map[string]bool{}
	}
	out.Updated[p.UID], out.First[p.UID] = true, first
}

// NoteChange prevents a second write to this claim at a stale version.
func (out *Draft) NoteChange(c *model.Claim) {
	if out.Changed == nil {
		out.Changed = map[string]bool{}
	}
	out.Changed[c.Name] = true
}

// Presume notes that the status counts what the last action of a step does. An eviction may be refused.
func (out *Draft) Presume(step *model.Step) {
	out.Uncertain = out.Uncertain || step.Actions[len(step.Actions)-1].Op == model.Operation(model.EvictPod{})
}

// ChangesReplicas reports whether the plan makes a pod of the range, or takes one away. It looks once until the plan has another stage.
func (out *Draft) ChangesReplicas() bool {
	if at := out.Edition() + 1; out.replicasReadAt != at {
		out.replicasReadAt, out.replicasChange = at, out.TakesAwayReplicas() || makesReplicas(out)
	}
	return out.replicasChange
}

// makesReplicas reports whether the plan creates a pod of the range, and that was not refused the last time.
func makesReplicas(out *Draft) bool {
	for i := range out.Plan.Stages {
		stage := &out.Plan.Stages[i]
		if stage.Phase != model.PhaseReplicas {
			continue
		}
		for j := range stage.Steps {
			actions := stage.Steps[j].Actions
			if at := out.FirstFailed(&stage.Steps[j]); at >= 0 {
				actions = actions[:at]
			}
			if slices.ContainsFunc(actions, func(a model.Action) bool { _, is := a.Op.(model.CreatePod); return is }) {
				return true
			}
		}
	}
	return false
}

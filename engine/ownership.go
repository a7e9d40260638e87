package engine

import (
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/state"
)

// findRevisions finds the set's revisions: those that the selector matches and nobody else controls.
func (v *view) findRevisions() (revisions []*model.Revision) {
	revisions = make([]*model.Revision, 0, len(v.Snap.Revisions))
	for i := range v.Snap.Revisions {
		r := &v.Snap.Revisions[i]
		controller := state.ControllerOf(r.Owners)
		if controller != nil && controller.UID != v.Set.UID {
			continue
		}
		if v.Selects(r.Labels) {
			revisions = append(revisions, r)
		}
	}
	plan.Sort(revisions, compareRevisions)
	return revisions
}

// adoptRevisions adopts those that nobody controls (StatefulSetController.adoptOrphanRevisions). It returns false if one could not
// be planned: nothing may build on that revision then.
func adoptRevisions(v *view, out *state.Draft) bool {
	if v.Deleting() {
		return true
	}
	out.StartPhase()
	var step model.Step
	adopted := true
	for _, r := range v.Revisions {
		if state.ControllerOf(r.Owners) == nil {
			adopted = adopted && out.Emit(&step, model.Action{Kind: model.KindRevision, Name: r.Name, UID: r.UID, Op: model.AdoptRevision{Owner: v.Owner()},
				Cause: causeOrphanRevision})
		}
	}
	if len(step.Actions) > 0 {
		out.Add(model.Stage{Phase: model.PhaseOwnership, Steps: []model.Step{step}, OnFailure: model.Abort, RequiresLiveSet: true})
	}
	return adopted
}

// compareRevisions is the order of the history: number, then age, then name (history.byRevision upstream).
func compareRevisions(a, b *model.Revision) int {
	switch {
	case a.Number != b.Number:
		if a.Number < b.Number {
			return -1
		}
		return 1
	case !a.CreatedAt.Equal(b.CreatedAt):
		return a.CreatedAt.Compare(b.CreatedAt)
	default:
		return strings.Compare(a.Name, b.Name)
	}
}

// adoptPods sorts the pods into members and strangers, adopting and releasing (ControllerRefManager.ClaimObject). A planned
// adoption or release counts as done; its failure aborts the plan. It returns false if one could not be planned.
func adoptPods(v *view, out *state.Draft) bool {
	members := make([]state.Member, 0, len(v.Snap.Pods))
	var changes []ownerChange
	adoptions := false
	for i := range v.Snap.Pods {
		if v.EndsAt(i) {
			break
		}
		p := &v.Snap.Pods[i]
		parent, ordinal, canonical, ok := model.ParseMember(p.Name)
		named := ok && parent == v.Set.Name && (canonical || !v.Rules.CanonicalOrdinalsOnly)
		controller := state.ControllerOf(p.Owners)
		switch {
		case controller != nil && controller.UID != v.Set.UID:
			v.Strangers = append(v.Strangers, p)
		case named && v.SelectsPod(p) && (controller != nil || !v.AdoptsNothing() && !p.Terminating() && !v.IsDrainPod(p)):
			members = append(members, state.Member{Pod: p, Ordinal: ordinal})
			if !canonical {
				v.oddNames++
			}
			if controller == nil {
				adoptions = true
				changes = append(changes, ownerChange{p, true})
			}
		default:
			v.Strangers = append(v.Strangers, p)
			if controller != nil && !v.AdoptsNothing() {
				changes = append(changes, ownerChange{p, false})
			}
		}
	}
	v.Members = members
	plan.SortByName(v.Caller, changes, func(c ownerChange) string { return c.pod.Name })
	out.StartPhase()
	stage := model.Stage{Phase: model.PhaseOwnership, OnFailure: model.Abort, RequiresLiveSet: adoptions}
	for _, change := range changes {
		var step model.Step
		if !out.Emit(&step, v.changeOwner(change)) {
			out.Add(stage)
			return false
		}
		stage.Steps = append(stage.Steps, step)
	}
	out.Add(stage)
	return true
}

// ownerChange is a pod that is adopted, or else released. Only the first become actions if there are very many.
type ownerChange struct {
	pod   *model.Pod
	adopt bool
}

func (v *view) changeOwner(c ownerChange) model.Action {
	a := model.Action{Kind: model.KindPod, Name: c.pod.Name, UID: c.pod.UID, Op: model.ReleasePod{OwnerUID: v.Set.UID},
		Cause: causeNoLongerOurs}
	if c.adopt {
		a.Op = model.AdoptPod{Owner: v.Owner()}
		a.Cause = causeOrphanPod
	}
	return a
}

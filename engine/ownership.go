package engine

import (
	"strings"

	"github.com/setplan/setplan/engine/model"
)

// findRevisions finds the set's revisions: those that the selector matches and nobody else controls.
func (v *view) findRevisions() (revisions []*model.Revision) {
	revisions = make([]*model.Revision, 0, len(v.s.Revisions))
	for i := range v.s.Revisions {
		r := &v.s.Revisions[i]
		controller := controllerOf(r.Owners)
		if controller != nil && controller.UID != v.set.UID {
			continue
		}
		if v.selects(r.Labels) {
			revisions = append(revisions, r)
		}
	}
	sortList(revisions, compareRevisions)
	return revisions
}

// adoptRevisions adopts those that nobody controls (StatefulSetController.adoptOrphanRevisions). It returns false if one could not
// be planned: nothing may build on that revision then.
func adoptRevisions(v *view, out *draft) bool {
	if v.deleting() {
		return true
	}
	out.startPhase()
	var step model.Step
	adopted := true
	for _, r := range v.revisions {
		if controllerOf(r.Owners) == nil {
			adopted = adopted && out.emit(&step, model.Action{Kind: model.KindRevision, Name: r.Name, UID: r.UID, Op: model.AdoptRevision{Owner: v.owner()},
				Cause: causeOrphanRevision})
		}
	}
	if len(step.Actions) > 0 {
		out.stage(model.Stage{Phase: model.PhaseOwnership, Steps: []model.Step{step}, OnFailure: model.Abort, RequiresLiveSet: true})
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

// member is a pod of the set with the ordinal that its name says; noOrdinal if it fits no int32.
type member struct {
	pod     *model.Pod
	ordinal int32
}

// adoptPods sorts the pods into members and strangers, adopting and releasing (ControllerRefManager.ClaimObject). A planned
// adoption or release counts as done; its failure aborts the plan. It returns false if one could not be planned.
func adoptPods(v *view, out *draft) bool {
	members := make([]member, 0, len(v.s.Pods))
	var changes []ownerChange
	adoptions := false
	for i := range v.s.Pods {
		if v.endsAt(i) {
			break
		}
		p := &v.s.Pods[i]
		parent, ordinal, canonical, ok := model.ParseMember(p.Name)
		named := ok && parent == v.set.Name && (canonical || !v.rules.CanonicalOrdinalsOnly)
		controller := controllerOf(p.Owners)
		switch {
		case controller != nil && controller.UID != v.set.UID:
			v.strangers = append(v.strangers, p)
		case named && v.selectsPod(p) && (controller != nil || !v.adoptsNothing() && !p.Terminating() && !v.isDrainPod(p)):
			members = append(members, member{p, ordinal})
			if !canonical {
				v.oddNames++
			}
			if controller == nil {
				adoptions = true
				changes = append(changes, ownerChange{p, true})
			}
		default:
			v.strangers = append(v.strangers, p)
			if controller != nil && !v.adoptsNothing() {
				changes = append(changes, ownerChange{p, false})
			}
		}
	}
	v.members = members
	sortByName(v.caller, changes, func(c ownerChange) string { return c.pod.Name })
	out.startPhase()
	stage := model.Stage{Phase: model.PhaseOwnership, OnFailure: model.Abort, RequiresLiveSet: adoptions}
	for _, change := range changes {
		var step model.Step
		if !out.emit(&step, v.changeOwner(change)) {
			out.stage(stage)
			return false
		}
		stage.Steps = append(stage.Steps, step)
	}
	out.stage(stage)
	return true
}

// ownerChange is a pod that is adopted, or else released. Only the first become actions if there are very many.
type ownerChange struct {
	pod   *model.Pod
	adopt bool
}

func (v *view) changeOwner(c ownerChange) model.Action {
	a := model.Action{Kind: model.KindPod, Name: c.pod.Name, UID: c.pod.UID, Op: model.ReleasePod{OwnerUID: v.set.UID},
		Cause: causeNoLongerOurs}
	if c.adopt {
		a.Op = model.AdoptPod{Owner: v.owner()}
		a.Cause = causeOrphanPod
	}
	return a
}

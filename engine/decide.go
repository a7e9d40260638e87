package engine

import (
	"slices"

	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/drain"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/setstatus"
	"github.com/setplan/setplan/engine/state"
)

// Decide returns the plan for one set. It always returns one; what cannot be done is a block.
func Decide(s *model.Snapshot) *model.Plan { return DecideUntil(s, nil) }

// DecideUntil is Decide, and returns nil once stop reports true. It is asked between steps, and on the walks over all pods; nil: never.
// What the snapshot may hold bounds how long a decision takes: no step takes more than a time that is proportional to it.
func DecideUntil(s *model.Snapshot, stop func() bool) *model.Plan {
	p := begin(s, stop)
	p.run()
	if p.out.Gone() {
		return nil
	}
	p.out.Finish()
	return p.out.Plan
}

// pass is what one decision works with, in one piece of memory.
type pass struct {
	caller plan.Caller
	view   view
	made   claimtemplate.Made
	out    state.Draft
}

func begin(s *model.Snapshot, stop func() bool) *pass {
	p := &pass{caller: *plan.NewCaller(stop)}
	p.out = state.NewDraft(s, &p.caller)
	p.view.open(s, &p.caller)
	return p
}

// run is one pass, in upstream's order (StatefulSetController.sync and updateStatefulSet): it reads the snapshot into the view and
// decides on the view.
func (p *pass) run() {
	v, out := &p.view, &p.out
	if !readSet(v, out) {
		setstatus.Unplanned(&v.Claims, out)
		return
	}
	dr := drain.Open(&v.Claims, out)
	if v.DrainOnly() {
		readForDrain(v, dr, out)
		decideDrain(v, dr, out)
		return
	}
	mk := claimtemplate.Maker{View: &v.Known, Out: out, Made: &p.made}
	if readObjects(v, dr, &mk, out) {
		decide(v, dr, &mk, out)
	}
}

// readSet reads the set and finds its revisions. It returns false if nothing can be planned.
func readSet(v *view, out *state.Draft) bool {
	if !usable(v, out) || !claimtemplate.ReadTemplates(&v.Known, out) {
		return false
	}
	v.Revisions = v.findRevisions()
	if out.Ends() || !claimtemplate.ReadAdditions(&v.Known, out) {
		return false
	}
	claimtemplate.ReadPolicy(&v.Known, out)
	v.Unsure = readUnknown(v, out)
	readNamesake(v, out)
	drain.ReadPolicy(&v.Claims, out)
	claims.ReadShared(&v.Claims, out)
	claims.ReadRetention(&v.Claims)
	state.ReadRange(&v.View)
	readLimits(v, out)
	return !out.Ends()
}

// readObjects completes the view. It already plans what makes objects the set's own, because the rest builds on that. It returns
// false if that could not be planned, or if nothing is left to decide.
func readObjects(v *view, dr *drain.Drain, mk *claimtemplate.Maker, out *state.Draft) bool {
	if claimtemplate.Refused(&v.Known, out) || !v.storedAsIs() && !mk.ReadTemplate() || !claimtemplate.ReadRemovals(&v.Known, mk, out) {
		return false
	}
	if out.Ends() || !adoptRevisions(v, out) || !adoptPods(v, out) || out.Ends() {
		return false
	}
	if v.Deleting() && !v.Emptying() {
		out.Block(state.BlockSetDeleting(v.Set))
		if v.OrphanRevisions() {
			dr.KeepFinalizer()
			return false // upstream gives up here: it may not adopt for a set that is being deleted
		}
	}
	dr.ProtectClaims()
	v.classify()
	if out.Ends() {
		return false
	}
	claims.ReleaseWanted(&v.Claims, out)
	claims.FreeOfDeleted(&v.Claims, out)
	claims.ExplainDanger(&v.Claims, out)
	claims.ExplainOtherOwners(&v.Claims, out)
	claims.Change(&v.Claims, out)
	if out.Ends() || !chooseRevisions(v, mk, out) || out.Ends() {
		return false
	}
	v.Leaving = max(dr.FindPlaces(), v.OutsideAtCurrent())
	if !v.Deleting() {
		v.repairs = readRepairPolicy(v, out)
	}
	readRecreation(v, dr, out)
	return true
}

// readForDrain completes the view of a set that another controller runs. The drain needs no revisions.
func readForDrain(v *view, dr *drain.Drain, out *state.Draft) {
	adoptPods(v, out)
	dr.ProtectClaims()
	v.classify()
	v.Leaving = dr.FindPlaces()
}

// decide plans on the view, which nobody changes any more.
func decide(v *view, dr *drain.Drain, mk *claimtemplate.Maker, out *state.Draft) {
	status := change(v, dr, mk, out)
	setstatus.Write(&v.Claims, &status, out)
	setstatus.TrimHistory(&v.Claims, out)
	dr.KeepFinalizer()
	setstatus.Requeue(&v.Claims, &status, out)
	dr.Requeue()
}

// change plans the changes of pods and claims, and returns the counters.
func change(v *view, dr *drain.Drain, mk *claimtemplate.Maker, out *state.Draft) model.Status {
	switch {
	case v.Emptying() && v.Paused >= state.PauseHealOnly:
		explainPaused(v, out)
		return setstatus.CountMembers(&v.Claims)
	case v.Paused == state.PauseAll && !v.Deleting():
		explainPaused(v, out)
		explainUnavailable(v, out)
		return setstatus.CountPlaced(&v.Claims)
	case v.StandsStill():
		explainUnavailable(v, out)
		return setstatus.CountPlaced(&v.Claims)
	case v.Emptying():
		emptySet(v, dr, out)
		return setstatus.CountMembers(&v.Claims)
	case v.Deleting():
		return setstatus.CountMembers(&v.Claims)
	}
	return changePods(v, dr, mk, out)
}

// decideDrain is decide for a set that another controller runs: the drain and nothing else.
func decideDrain(v *view, dr *drain.Drain, out *state.Draft) {
	switch {
	case v.Emptying():
		scaleDown(v, dr, out) // that controller does nothing to a set that is being deleted
		explainUnavailable(v, out)
	case v.Deleting():
		out.Block(state.BlockSetDeleting(v.Set))
	}
	dr.DrainOrdinals()
	dr.KeepFinalizer()
	dr.Requeue()
	out.Plan.Done = len(out.Plan.Stages) == 0 && !slices.ContainsFunc(out.Plan.Blocks, setstatus.HoldsSomething) // the other controller writes the status
}

// emptySet deletes the replicas of a set that is being deleted, from the highest ordinal; each ordinal is drained once its replica is
// gone.
func emptySet(v *view, dr *drain.Drain, out *state.Draft) {
	if handOverCondemnedClaims(v, out) {
		scaleDown(v, dr, out)
	}
	dr.DrainOrdinals()
	explainUnavailable(v, out)
}

// changePods creates, deletes and updates pods, and returns the counters after that. Each part runs only if the one before lets it,
// except the repair, which is for sets that are stuck there, and the pods that somebody has chosen and that may be why it does not.
func changePods(v *view, dr *drain.Drain, mk *claimtemplate.Maker, out *state.Draft) (status model.Status) {
	if !recreateSet(v, dr, out) {
		explainUnavailable(v, out)
		return setstatus.CountPlaced(&v.Claims)
	}
	proceed := bringUpReplicas(v, dr, mk, out)
	proceed = proceed && handOverCondemnedClaims(v, out)
	proceed = proceed && scaleDown(v, dr, out)
	dr.DrainOrdinals()
	status = setstatus.CountPlaced(&v.Claims)
	again := goOnInPlace(v, out)
	if proceed {
		updatePods(v, &status, out)
	}
	if out.Ends() {
		return status
	}
	repairPods(v, mk, &status, out)
	recreateChosen(v, mk, &status, out, proceed)
	out.Add(again)
	if out.Ends() {
		return status
	}
	explainOnTheWay(v, out)
	explainRecords(v, out)
	explainPaused(v, out)
	explainOutdated(v, out)
	explainUnavailable(v, out)
	return status
}

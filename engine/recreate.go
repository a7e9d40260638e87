package engine

import (
	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/rollout"
	"github.com/setplan/setplan/engine/state"
)

// recreateChosen deletes a pod that somebody has chosen by the annotation setplan.io/recreate, or whose file system grows only when it starts
// anew, so that a new one takes its place: at most one in each plan, and only as it was seen. It comes after updates and repairs, holds to
// maxUnavailable as an update does, and takes the leader of a set with ranks last. While the set waits for a pod,
// only one that somebody has chosen and that is not available goes: it may be that pod, or wait for it for ever.
func recreateChosen(v *view, mk *claimtemplate.Maker, status *model.Status, out *state.Draft, proceed bool) {
	if !v.anyChosen && len(v.Growing) == 0 || v.Paused >= state.PauseUpdates {
		return
	}
	explainNotChosen(v, out)
	pass := repairPass{v, status, out}
	growing := v.Growing
	if !proceed {
		growing = nil
	}
	if !out.TakesAwayReplicas() && pass.recreateNext(mk, growing, proceed) {
		pass.recreateNext(mk, nil, proceed)
	}
}

// explainNotChosen adds a block about the first pod whose annotation looks like a choice and is none.
func explainNotChosen(v *view, out *state.Draft) {
	var first *model.Pod
	more := 0
	for _, p := range v.Replicas {
		switch {
		case p == nil || p.Annotations.Get(state.AnnotationRecreate) == "" || v.Chosen(p):
		case first == nil:
			first = p
		default:
			more++
		}
	}
	if first != nil {
		out.Block(rollout.BlockNotChosen(first, more))
	}
}

// recreateNext recreates the pod that goes first of those that somebody has chosen, and of those that are growing. It reports whether that one
// waits because nobody has agreed that it starts again: that holds back no pod that somebody has chosen.
func (pass *repairPass) recreateNext(mk *claimtemplate.Maker, growing map[int]bool, proceed bool) (gated bool) {
	v, out := pass.view, pass.out
	slot, leads := pass.nextChosen(growing, pass.refusedBefore)
	if slot < 0 || leads {
		slot, leads = pass.nextChosen(growing, nil) // no leader goes before a follower that was refused
	}
	if slot < 0 || !pass.mayRecreate(slot, leads, proceed) {
		return false
	}
	p := v.Replicas[slot]
	_, revision, ok := readyToMake(pass.view, mk, pass.comesBackAtCurrent(slot))
	if !ok || claims.StaysForClaims(&v.Claims, out, p, v.Ordinal(slot), model.BlockRecreateWaits, chosenIsReplaced) {
		return false // a block says why
	}
	why := causeChosen(revision)
	if !v.Chosen(p) {
		if v.InPlace == inplace.InPlaceOnly && !v.AtRest(p, revision) || v.kept(taking{pod: p, revision: revision}, out) != nil {
			return true
		}
		why = causeFileSystem(revision)
	}
	out.StartPhase()
	var step model.Step
	if v.TakeAway(&step, p, p.ResourceVersion, why, out, revision) == plan.GoOn && out.TakesTurn(&step) {
		out.Add(model.Stage{Phase: model.PhaseUpdate, Steps: []model.Step{step}, OnFailure: model.Stop, AlwaysRun: out.Stuck()})
		if out.Counts {
			pass.uncount(p)
			out.Presume(&step)
		}
	}
	return false
}

// nextChosen is the slot of the chosen or growing pod that goes first: one that is shown to be broken, one that is unavailable, or else the highest one that
// does not lead. leads reports that it does, or may. It leaves out what passes says, if anything. -1: there is no such pod.
func (pass *repairPass) nextChosen(growing map[int]bool, passes func(slot int) bool) (next int, leads bool) {
	v := pass.view
	next = -1
	var leadership rollout.Leadership
	read := false
	for slot := len(v.Replicas) - 1; slot >= 0; slot-- {
		p := v.Replicas[slot]
		if p == nil || !v.Chosen(p) && !growing[slot] || p.Terminating() || p.HasEnded() || passes != nil && passes(slot) {
			continue
		}
		if v.Ranking.On && !read {
			leadership, read = v.ReadLeadership(pass.out), true
		}
		mayLead := v.Ranking.On && v.MayLead(p, &leadership)
		if !mayLead && v.broken(p) {
			return slot, false
		}
		if unready := !mayLead && v.Absent(p); next < 0 || leads && !mayLead || unready && !v.Absent(v.Replicas[next]) {
			next, leads = slot, mayLead
		}
	}
	return next, leads
}

// mayRecreate reports whether the budget and the order allow to delete a chosen pod now; if not, a block says so.
func (pass *repairPass) mayRecreate(slot int, leads, proceed bool) bool {
	v, p := pass.view, pass.view.Replicas[slot]
	budget, err := v.rankedBudget()
	if err != nil {
		if pass.out.Count(model.BlockInvalidSpec) == 0 { // an update has said so
			pass.out.Block(blockMaxUnavailable(v.Set, err))
		}
		return false
	}
	beside, first := 0, -1
	var on spent
	for other, q := range v.Replicas {
		if other != slot && v.Absent(q) {
			on.on(v, q)
			if beside++; first < 0 {
				first = other
			}
		}
	}
	switch {
	case !leads && beside >= budget && !p.Ready:
		why, may := v.mayGoBroken(p, pass.out)
		if !may {
			on.on(v, p)
			pass.out.Block(blockBrokenWaits(model.BlockRecreateWaits, p, on, budget, &why))
		}
		return may
	case leads && beside > 0 || beside >= budget:
		pass.out.Block(blockRecreateWaits(p, v.Set.PodName(v.Ordinal(first)), on, budget, leads))
		return false
	case proceed || v.Absent(p):
		return true
	case beside > 0:
		pass.out.Block(rollout.BlockRecreateWaitsInOrder(p, v.Set.PodName(v.Ordinal(first))))
	}
	return false // a block says why the set waits
}

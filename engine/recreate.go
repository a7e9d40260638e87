package engine

import "github.com/setplan/setplan/engine/model"

// recreateChosen deletes a pod that somebody has chosen by the annotation setplan.io/recreate, or whose file system grows only when it starts
// anew, so that a new one takes its place: at most one in each plan, and only as it was seen. It comes after updates and repairs, holds to
// maxUnavailable as an update does, and takes the leader of a set with ranks last. While the set waits for a pod,
// only one that somebody has chosen and that is not available goes: it may be that pod, or wait for it for ever.
func recreateChosen(v *view, mk *maker, status *model.Status, out *draft, proceed bool) {
	if !v.anyChosen && len(v.growing) == 0 || v.paused >= pauseUpdates {
		return
	}
	explainNotChosen(v, out)
	pass := repairPass{v, status, out}
	growing := v.growing
	if !proceed {
		growing = nil
	}
	if !takesAwayReplicas(out) && pass.recreateNext(mk, growing, proceed) {
		pass.recreateNext(mk, nil, proceed)
	}
}

// explainNotChosen adds a block about the first pod whose annotation looks like a choice and is none.
func explainNotChosen(v *view, out *draft) {
	var first *model.Pod
	more := 0
	for _, p := range v.replicas {
		switch {
		case p == nil || p.Annotations.Get(annotationRecreate) == "" || v.chosen(p):
		case first == nil:
			first = p
		default:
			more++
		}
	}
	if first != nil {
		out.block(blockNotChosen(first, more))
	}
}

// recreateNext recreates the pod that goes first of those that somebody has chosen, and of those that are growing. It reports whether that one
// waits because nobody has agreed that it starts again: that holds back no pod that somebody has chosen.
func (pass *repairPass) recreateNext(mk *maker, growing map[int]bool, proceed bool) (gated bool) {
	v, out := pass.view, pass.out
	slot, leads := pass.nextChosen(growing, pass.refusedBefore)
	if slot < 0 || leads {
		slot, leads = pass.nextChosen(growing, nil) // no leader goes before a follower that was refused
	}
	if slot < 0 || !pass.mayRecreate(slot, leads, proceed) {
		return false
	}
	p := v.replicas[slot]
	_, revision, ok := mk.readyToMake(pass.comesBackAtCurrent(slot))
	if !ok || staysForClaims(v, out, p, v.ordinal(slot), model.BlockRecreateWaits, chosenIsReplaced) {
		return false // a block says why
	}
	why := causeChosen(revision)
	if !v.chosen(p) {
		if v.inPlace == inPlaceOnly && !v.atRest(p, revision) || v.kept(taking{pod: p, revision: revision}, out) != nil {
			return true
		}
		why = causeFileSystem(revision)
	}
	out.startPhase()
	var step model.Step
	if v.takeAway(&step, p, p.ResourceVersion, why, out, revision) == goOn && out.takesTurn(&step) {
		out.stage(model.Stage{Phase: model.PhaseUpdate, Steps: []model.Step{step}, OnFailure: model.Stop, AlwaysRun: out.stuck()})
		if out.counts {
			pass.uncount(p)
			out.presume(&step)
		}
	}
	return false
}

// nextChosen is the slot of the chosen or growing pod that goes first: one that is shown to be broken, one that is unavailable, or else the highest one that
// does not lead. leads reports that it does, or may. It leaves out what passes says, if anything. -1: there is no such pod.
func (pass *repairPass) nextChosen(growing map[int]bool, passes func(slot int) bool) (next int, leads bool) {
	v := pass.view
	next = -1
	var leadership leadership
	read := false
	for slot := len(v.replicas) - 1; slot >= 0; slot-- {
		p := v.replicas[slot]
		if p == nil || !v.chosen(p) && !growing[slot] || p.Terminating() || p.HasEnded() || passes != nil && passes(slot) {
			continue
		}
		if v.ranking.on && !read {
			leadership, read = v.readLeadership(pass.out), true
		}
		mayLead := v.ranking.on && v.mayLead(p, &leadership)
		if !mayLead && v.broken(p) {
			return slot, false
		}
		if unready := !mayLead && v.absent(p); next < 0 || leads && !mayLead || unready && !v.absent(v.replicas[next]) {
			next, leads = slot, mayLead
		}
	}
	return next, leads
}

// mayRecreate reports whether the budget and the order allow to delete a chosen pod now; if not, a block says so.
func (pass *repairPass) mayRecreate(slot int, leads, proceed bool) bool {
	v, p := pass.view, pass.view.replicas[slot]
	budget, err := v.rankedBudget()
	if err != nil {
		if pass.out.counted(model.BlockInvalidSpec).all == 0 { // an update has said so
			pass.out.block(blockMaxUnavailable(v.set, err))
		}
		return false
	}
	beside, first := 0, -1
	var on spent
	for other, q := range v.replicas {
		if other != slot && v.absent(q) {
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
			pass.out.block(blockBrokenWaits(model.BlockRecreateWaits, p, on, budget, &why))
		}
		return may
	case leads && beside > 0 || beside >= budget:
		pass.out.block(blockRecreateWaits(p, v.set.PodName(v.ordinal(first)), on, budget, leads))
		return false
	case proceed || v.absent(p):
		return true
	case beside > 0:
		pass.out.block(blockRecreateWaitsInOrder(p, v.set.PodName(v.ordinal(first))))
	}
	return false // a block says why the set waits
}

package engine

import "github.com/setplan/setplan/engine/model"

// handOverCondemnedClaims makes each pod outside the range the owner of its claims if whenScaled is Delete, so that the claims are deleted
// with the pod. It runs before any of the pods is deleted.
func handOverCondemnedClaims(v *view, out *draft) bool {
	if len(v.templates) == 0 || v.keepsAll() || v.paused >= pauseHealOnly {
		return true
	}
	out.startPhase()
	if len(v.condemned) == 0 {
		return true
	}
	handOver := func(step *model.Step, i int) verdict {
		if i > 0 && v.condemned[i-1].ordinal == v.condemned[i].ordinal {
			return goOn // web-01 beside web-1: the claims went to the canonical name, which comes first
		}
		p := v.condemned[i].pod
		if !fixClaimOwners(v, out, step, v.condemned[i].ordinal, podRef{p.Name, p.UID}) {
			return fail
		}
		return goOn
	}
	if !v.parallel() {
		return inOrder(out, model.PhaseCondemnedClaims, len(v.condemned), handOver)
	}
	return inBatches(v, out, model.PhaseCondemnedClaims, len(v.condemned), handOver)
}

// scaleDownPass is one walk over the condemned pods.
type scaleDownPass struct {
	view  *view
	drain *drain
	out   *draft
}

// scaleDown deletes pods outside the range, from the highest ordinal (processCondemned upstream). It returns false if
// the update must wait.
func scaleDown(v *view, dr *drain, out *draft) (proceed bool) {
	switch {
	case v.keepsAll(), v.longNames && !v.emptying():
		return true // a block says why
	case v.paused >= pauseHealOnly:
		explainStaying(v, out)
		return true
	}
	explainGuarded(v, out)
	pass := scaleDownPass{v, dr, out}
	out.startPhase()
	if v.parallel() {
		return inBatches(v, out, model.PhaseScaleDown, len(v.condemned), pass.condemnAny)
	}
	if len(v.condemned) == 0 {
		return true
	}
	first := v.firstUnavailable()
	return inOrder(out, model.PhaseScaleDown, len(v.condemned), func(step *model.Step, i int) verdict {
		return pass.condemnInOrder(step, v.condemned[i], first)
	})
}

// explainStaying adds a block for each pod outside the range that a pause keeps, if it is unavailable or terminating. The terminating
// pods of a Parallel set are left to explainUnavailable.
func explainStaying(v *view, out *draft) {
	for _, m := range v.condemned {
		if b := v.waitFor(m.pod); b != nil && !(v.parallel() && m.pod.Terminating()) {
			out.block(*b)
		}
	}
}

func (pass *scaleDownPass) condemnAny(step *model.Step, i int) verdict {
	if m := pass.view.condemned[i]; !m.pod.Terminating() && !pass.view.guarded(m.ordinal) {
		return pass.deleteCondemned(step, m)
	}
	return goOn
}

// condemnInOrder deletes one pod and then waits. An unavailable pod waits for the lowest unavailable one of the set, unless it is that one
// itself or would be repaired.
func (pass *scaleDownPass) condemnInOrder(step *model.Step, m member, first *model.Pod) verdict {
	p := m.pod
	if pass.view.guarded(m.ordinal) {
		return goOn
	}
	if p.Terminating() {
		pass.out.block(blockCondemnedTerminating(p, pass.view.now))
		return hold
	}
	if (!p.RunningReady() || !pass.view.available(p)) && p != first && !pass.view.wouldRepair(p) {
		if first == nil {
			first = p // ready by its condition, but not running: upstream waits here as well
		}
		if pass.view.rules.EndedPodsHoldNothing && first.HasEnded() && !first.Terminating() {
			ordinal, _ := pass.view.ordinalOf(first)
			pass.deleteEnded(step, member{first, ordinal})
			return hold
		}
		pass.out.block(blockScaleDownWaits(p, first, pass.view.waitFor(first)))
		return hold
	}
	if v := pass.deleteCondemned(step, m); v != goOn {
		return v
	}
	return hold
}

func (pass *scaleDownPass) deleteCondemned(step *model.Step, m member) verdict {
	if v := pass.drain.mayGo(step, m); v != goOn {
		return v
	}
	return pass.deleteEnded(step, m)
}

// deleteEnded skips the drain: an ended pod serves nobody.
func (pass *scaleDownPass) deleteEnded(step *model.Step, m member) verdict {
	p, version := m.pod, ""
	if staysForClaims(pass.view, pass.out, p, m.ordinal, model.BlockScaleDownWaitsForPod, condemnedGoes) {
		return hold
	}
	if pass.view.emptying() {
		version = p.ResourceVersion // a pod that was orphaned meanwhile has another version: see orphans
	}
	return pass.view.takeAway(step, p, version, causeScaledDown, pass.out)
}

// firstUnavailable returns the lowest unavailable pod of the range, or else of the condemned pods, without those that would be repaired
// and those that the guard keeps. Every ordinal of the range has a pod when it is called.
func (v *view) firstUnavailable() *model.Pod {
	for _, p := range v.replicas {
		if v.unavailable(p) {
			return p
		}
	}
	for i := len(v.condemned) - 1; i >= 0; i-- {
		if p := v.condemned[i].pod; v.unavailable(p) && !v.wouldRepair(p) && !v.guarded(v.condemned[i].ordinal) {
			return p
		}
	}
	return nil
}

// explainGuarded adds the block that says which pods outside the range stay because their ordinals are not reserved.
func explainGuarded(v *view, out *draft) {
	if !v.guard {
		return
	}
	stay, lowest := 0, (*model.Pod)(nil)
	for _, m := range v.condemned {
		if v.guarded(m.ordinal) {
			stay, lowest = stay+1, m.pod
		}
	}
	if stay > 0 {
		out.block(blockScaleInGuarded(lowest, stay, v.asks(annotationGuard)))
	}
}

package engine

import (
	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/drain"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// handOverCondemnedClaims makes each pod outside the range the owner of its claims if whenScaled is Delete, so that the claims are deleted
// with the pod. It runs before any of the pods is deleted.
func handOverCondemnedClaims(v *view, out *state.Draft) bool {
	if len(v.Templates) == 0 || v.KeepsAll() || v.Paused >= state.PauseHealOnly {
		return true
	}
	out.StartPhase()
	if len(v.Condemned) == 0 {
		return true
	}
	handOver := func(step *model.Step, i int) plan.Verdict {
		if i > 0 && v.Condemned[i-1].Ordinal == v.Condemned[i].Ordinal {
			return plan.GoOn // web-01 beside web-1: the claims went to the canonical name, which comes first
		}
		p := v.Condemned[i].Pod
		if !claims.FixClaimOwners(&v.Claims, out, step, v.Condemned[i].Ordinal, claims.RefTo(p)) {
			return plan.Fail
		}
		return plan.GoOn
	}
	if !v.Parallel() {
		return out.InOrder(model.PhaseCondemnedClaims, len(v.Condemned), handOver)
	}
	return out.InBatches(v.Rules.DeletesDespiteFailedCreates, model.PhaseCondemnedClaims, len(v.Condemned), handOver)
}

// scaleDownPass is one walk over the condemned pods.
type scaleDownPass struct {
	view  *view
	drain *drain.Drain
	out   *state.Draft
}

// scaleDown deletes pods outside the range, from the highest ordinal (processCondemned upstream). It returns false if
// the update must wait.
func scaleDown(v *view, dr *drain.Drain, out *state.Draft) (proceed bool) {
	switch {
	case v.KeepsAll(), v.longNames && !v.Emptying():
		return true // a block says why
	case v.Paused >= state.PauseHealOnly:
		explainStaying(v, out)
		return true
	}
	explainGuarded(v, out)
	pass := scaleDownPass{v, dr, out}
	out.StartPhase()
	if v.Parallel() {
		return out.InBatches(v.Rules.DeletesDespiteFailedCreates, model.PhaseScaleDown, len(v.Condemned), pass.condemnAny)
	}
	if len(v.Condemned) == 0 {
		return true
	}
	first := v.firstUnavailable()
	return out.InOrder(model.PhaseScaleDown, len(v.Condemned), func(step *model.Step, i int) plan.Verdict {
		return pass.condemnInOrder(step, v.Condemned[i], first)
	})
}

// explainStaying adds a block for each pod outside the range that a pause keeps, if it is unavailable or terminating. The terminating
// pods of a Parallel set are left to explainUnavailable.
func explainStaying(v *view, out *state.Draft) {
	for _, m := range v.Condemned {
		if b := v.waitFor(m.Pod); b != nil && !(v.Parallel() && m.Pod.Terminating()) {
			out.Block(*b)
		}
	}
}

func (pass *scaleDownPass) condemnAny(step *model.Step, i int) plan.Verdict {
	if m := pass.view.Condemned[i]; !m.Pod.Terminating() && !pass.view.Guarded(m.Ordinal) {
		return pass.deleteCondemned(step, m)
	}
	return plan.GoOn
}

// condemnInOrder deletes one pod and then waits. An unavailable pod waits for the lowest unavailable one of the set, unless it is that one
// itself or would be repaired.
func (pass *scaleDownPass) condemnInOrder(step *model.Step, m state.Member, first *model.Pod) plan.Verdict {
	p := m.Pod
	if pass.view.Guarded(m.Ordinal) {
		return plan.GoOn
	}
	if p.Terminating() {
		pass.out.Block(blockCondemnedTerminating(p, pass.view.Now))
		return plan.Hold
	}
	if (!p.RunningReady() || !pass.view.Available(p)) && p != first && !pass.view.wouldRepair(p) {
		if first == nil {
			first = p // ready by its condition, but not running: upstream waits here as well
		}
		if pass.view.Rules.EndedPodsHoldNothing && first.HasEnded() && !first.Terminating() {
			ordinal, _ := pass.view.OrdinalOf(first)
			pass.deleteEnded(step, state.Member{Pod: first, Ordinal: ordinal})
			return plan.Hold
		}
		pass.out.Block(blockScaleDownWaits(p, first, pass.view.waitFor(first)))
		return plan.Hold
	}
	if v := pass.deleteCondemned(step, m); v != plan.GoOn {
		return v
	}
	return plan.Hold
}

func (pass *scaleDownPass) deleteCondemned(step *model.Step, m state.Member) plan.Verdict {
	if v := pass.drain.MayGo(step, m); v != plan.GoOn {
		return v
	}
	return pass.deleteEnded(step, m)
}

// deleteEnded skips the drain: an ended pod serves nobody.
func (pass *scaleDownPass) deleteEnded(step *model.Step, m state.Member) plan.Verdict {
	p, version := m.Pod, ""
	if claims.StaysForClaims(&pass.view.Claims, pass.out, p, m.Ordinal, model.BlockScaleDownWaitsForPod, condemnedGoes) {
		return plan.Hold
	}
	if pass.view.Emptying() {
		version = p.ResourceVersion // a pod that was orphaned meanwhile has another version: see orphans
	}
	return pass.view.TakeAway(step, p, version, causeScaledDown, pass.out)
}

// firstUnavailable returns the lowest unavailable pod of the range, or else of the condemned pods, without those that would be repaired
// and those that the guard keeps. Every ordinal of the range has a pod when it is called.
func (v *view) firstUnavailable() *model.Pod {
	for _, p := range v.Replicas {
		if v.Unavailable(p) {
			return p
		}
	}
	for i := len(v.Condemned) - 1; i >= 0; i-- {
		if p := v.Condemned[i].Pod; v.Unavailable(p) && !v.wouldRepair(p) && !v.Guarded(v.Condemned[i].Ordinal) {
			return p
		}
	}
	return nil
}

// explainGuarded adds the block that says which pods outside the range stay because their ordinals are not reserved.
func explainGuarded(v *view, out *state.Draft) {
	if !v.Guard {
		return
	}
	stay, lowest := 0, (*model.Pod)(nil)
	for _, m := range v.Condemned {
		if v.Guarded(m.Ordinal) {
			stay, lowest = stay+1, m.Pod
		}
	}
	if stay > 0 {
		out.Block(blockScaleInGuarded(lowest, stay, v.Asks(policy.Guard)))
	}
}

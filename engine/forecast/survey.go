package forecast

import (
	"time"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
)

// survey reads what hosts are in the middle of. A volume that grows has grown, unless its provider says that it cannot. A pod that is not
// ready stays so, unless it has only just been made: what is broken now is what people want to see block.
func (h *hosts) survey() {
	for _, name := range namesOf(h.Claims, func(c *model.Claim) (string, bool) { return c.Name, c.Storage != nil }) {
		claim := h.claimToChange(name)
		h.work(1 + len(claim.Storage.Conditions))
		if settled, ok := engine.Settled(claim.Storage); ok && claim.Phase == model.ClaimBound {
			h.assume(growsAtOnce)
			claim.Storage = settled
		}
	}
	h.sorting(len(h.Pods) + len(h.Claims))
	names := namesOf(h.Pods, func(p *model.Pod) (string, bool) { return p.Name, true })
	h.findBroken(names)
	for _, name := range names {
		p := h.pod(name)
		h.lookAt(p)
		if h.unresized(p) && !engine.StartsAnew(p) {
			h.give(p)
		}
		switch {
		case p.Terminating():
			h.assume(terminatingGoes, name, h.takes.GoneAfter)
			h.later(p, Gone, h.now().Add(h.takes.GoneAfter))
		case p.HasEnded():
		case engine.Drains(p):
			h.surveyDrain(p)
		case h.unrevised(p):
			h.revise(p)
		case p.Ready:
			if at, known := h.Availability().AvailableAt(p); known && at.After(h.now()) {
				h.later(p, Available, at)
			}
		default:
			h.surveyUnready(p)
		}
		if _, due := engine.DrainAnswer(p); due && p.DeletedAt.IsZero() {
			h.assume(answersLater, h.takes.AnsweredAfter)
			h.later(p, Answered, h.now().Add(h.takes.AnsweredAfter))
		}
	}
}

// surveyDrain is for a drain pod that has not ended.
func (h *hosts) surveyDrain(p *model.Pod) {
	if !onNode(p) {
		h.waiting = append(h.waiting, p.Name)
		return
	}
	h.assume(drainsLater, h.takes.DrainedAfter)
	h.later(p, Drained, h.now().Add(h.takes.DrainedAfter))
}

// surveyUnready is for a replica that has not ended and is not ready.
func (h *hosts) surveyUnready(p *model.Pod) {
	switch {
	case !onNode(p) && (!h.startable(p) || h.young(p)):
		h.waiting = append(h.waiting, p.Name)
	case h.young(p) && !h.isBroken(p.Revision):
		h.assume(readyLater, h.takes.ReadyAfter)
		h.later(p, Ready, begun(p).Add(h.takes.ReadyAfter))
	case h.youngAgain(p) && !h.isBroken(engine.UnderWay(p)):
		at, _ := engine.StartedAnew(p)
		h.assume(restartsLater, h.takes.ReadyAfter)
		h.later(p, Ready, at.Add(h.takes.ReadyAfter))
	default:
		h.assume(staysUnready, p.Name)
	}
}

// young reports whether a pod has not yet had the time that a pod needs to become ready.
func (h *hosts) young(p *model.Pod) bool {
	return p.NeverReady() && begun(p).Add(h.takes.ReadyAfter).After(h.now())
}

// begun is when a pod began to start, as far as the snapshot tells.
func begun(p *model.Pod) time.Time {
	if p.StartedAt.IsZero() {
		return p.CreatedAt
	}
	return p.StartedAt
}

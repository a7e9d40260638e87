package forecast

import (
	"strings"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
)

// startPods lets hosts take the pods whose claims are there.
func (h *hosts) startPods() {
	var still []string
	for _, name := range h.waiting {
		h.work(1)
		p := h.pod(name)
		if p != nil {
			h.lookAt(p)
		}
		switch {
		case p == nil || onNode(p) || p.Terminating():
		case h.startable(p):
			h.start(p)
		default:
			still = append(still, name)
		}
	}
	h.waiting = still
}

// startable reports whether a pod has what the scheduler asks for: its claims, none of them lost or on its way out. Claims that the snapshot
// would not list are taken to be there. Who removes a scheduling gate, and when, is not in the snapshot.
func (h *hosts) startable(p *model.Pod) bool {
	if len(p.Gates) > 0 {
		h.assume(gatesStay, strings.Join(p.Gates, ", "))
		return false
	}
	for _, volume := range p.Volumes {
		claim := h.claim(volume + "-" + p.Name)
		if claim == nil && h.templates[volume] && h.Coverage.Claims || claim != nil && !usable(claim) {
			return false
		}
	}
	for _, b := range p.OtherClaims {
		if claim := h.claim(b.Claim); claim != nil && !usable(claim) {
			return false
		}
	}
	return true
}

func usable(claim *model.Claim) bool {
	return claim.DeletedAt.IsZero() && claim.Phase != model.ClaimLost
}

// start is what a kubelet writes first: that it has taken the pod, and that it is not ready.
func (h *hosts) start(p *model.Pod) {
	for name := range claimsOf(p) {
		if claim := h.claim(name); claim != nil && claim.Phase != model.ClaimBound {
			claim = h.claimToChange(name)
			h.assume(bindsAtOnce)
			claim.Phase, claim.ResourceVersion = model.ClaimBound, h.number()
			if storage := claim.Storage; storage != nil {
				bound := *storage // claims may share it
				bound.Capacity, bound.CurrentAttributesClass = storage.Request, storage.AttributesClass
				claim.Storage = &bound
			}
			h.tellEvent(Bound, model.KindClaim, name)
		}
	}
	p.Phase, p.StartedAt, p.ReadyChangedAt, p.ResourceVersion = model.PodRunning, h.stamp(), h.stamp(), h.number()
	h.run(p, h.stamp())
	h.tellEvent(Started, model.KindPod, p.Name)
	switch {
	case engine.Drains(p):
		h.assume(drainsLater, h.takes.DrainedAfter)
		h.later(p, Drained, h.now().Add(h.takes.DrainedAfter))
	case !h.isBroken(p.Revision):
		h.assume(readyLater, h.takes.ReadyAfter)
		h.later(p, Ready, h.now().Add(h.takes.ReadyAfter))
	}
}

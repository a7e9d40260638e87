package state

import "github.com/setplan/setplan/engine/model"

// WhyNotAvailable is about a pod that is ready and not available; model.Availability has the rule.
func (v *View) WhyNotAvailable(p *model.Pod) model.Block { return blockPodNotAvailable(v, p) }

// Unavailable is upstream's isUnavailable; an ordinal without a pod is unavailable too.
func (v *View) Unavailable(p *model.Pod) bool {
	return p == nil || p.Terminating() || !v.Available(p)
}

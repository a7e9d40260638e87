package state

import "github.com/setplan/setplan/engine/model"

// Available is where every step asks whether a pod counts as available. One that is being deleted may.
func (v *View) Available(p *model.Pod) bool { return p.Available(v.MinReady, v.Now) }

// WhyNotAvailable is about a pod that is ready and not available.
func (v *View) WhyNotAvailable(p *model.Pod) model.Block {
	return blockPodNotAvailable(p, v.Set.MinReadySeconds)
}

// Unavailable is upstream's isUnavailable; an ordinal without a pod is unavailable too.
func (v *View) Unavailable(p *model.Pod) bool {
	return p == nil || p.Terminating() || !v.Available(p)
}

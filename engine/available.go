package engine

import "github.com/setplan/setplan/engine/model"

// available is where every step asks whether a pod counts as available. One that is being deleted may.
func (v *view) available(p *model.Pod) bool { return p.Available(v.minReady, v.now) }

// whyNotAvailable is about a pod that is ready and not available.
func (v *view) whyNotAvailable(p *model.Pod) model.Block {
	return blockPodNotAvailable(p, v.set.MinReadySeconds)
}

// unavailable is upstream's isUnavailable; an ordinal without a pod is unavailable too.
func (v *view) unavailable(p *model.Pod) bool { return p == nil || p.Terminating() || !v.available(p) }

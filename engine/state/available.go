package state

import (
	"time"

	"github.com/setplan/setplan/engine/model"
)

// Availability is the rule by which a set's pods count as available. It stands here alone: every room asks it, and so do forecasts.
type Availability struct {
	MinReady time.Duration // for how long a pod has to be ready
	Now      time.Time
}

// ReadAvailability reads the rule of the set, whose fields have been read.
func ReadAvailability(v *View) { v.MinReady = time.Duration(v.Set.MinReadySeconds) * time.Second }

// Available reports whether a pod counts as available now, by the rule of Kubernetes: it is ready, and has been for minReadySeconds. It does not ask for
// the phase, as upstream's IsPodAvailable does not, nor whether the pod is being deleted.
func (a Availability) Available(p *model.Pod) bool {
	return p.Ready && (a.MinReady == 0 || a.since(p))
}

// since is apart, so that the usual set, which has no minReadySeconds, pays for no call.
func (a Availability) since(p *model.Pod) bool {
	at, ok := a.AvailableAt(p)
	return ok && !at.After(a.Now)
}

// AvailableAt is when a ready pod becomes, or became, available as far as that is a matter of time. ok is false where the time of its readiness is not
// known: then it never counts as available while MinReady is positive.
func (a Availability) AvailableAt(p *model.Pod) (at time.Time, ok bool) {
	if p.Containers != nil {
		return p.StartedAnew().Add(a.MinReady), !p.ReadyChangedAt.IsZero()
	}
	return p.ReadyChangedAt.Add(a.MinReady), !p.ReadyChangedAt.IsZero()
}

// WhyNotAvailable is about a pod that is ready and not available.
func (v *View) WhyNotAvailable(p *model.Pod) model.Block { return blockPodNotAvailable(v, p) }

// Unavailable is upstream's isUnavailable; an ordinal without a pod is unavailable too.
func (v *View) Unavailable(p *model.Pod) bool {
	return p == nil || p.Terminating() || !v.Available(p)
}

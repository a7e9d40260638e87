package model

import "time"

// Availability is the rule by which a set's pods count as available. It stands here alone: the engine asks it, and so do forecasts.
type Availability struct {
	MinReady time.Duration // for how long a pod has to be ready
	Now      time.Time
}

// Availability is the rule of the snapshot's set at the snapshot's time.
func (s *Snapshot) Availability() Availability {
	return Availability{MinReady: time.Duration(s.Set.MinReadySeconds) * time.Second, Now: s.ObservedAt}
}

// Available reports whether a pod counts as available now, by the rule of Kubernetes: it is ready, and has been for minReadySeconds. It does not ask for
// the phase, as upstream's IsPodAvailable does not, nor whether the pod is being deleted.
func (a Availability) Available(p *Pod) bool {
	return p.Ready && (a.MinReady == 0 || a.since(p))
}

// since is apart, so that the usual set, which has no minReadySeconds, pays for no call.
func (a Availability) since(p *Pod) bool {
	at, ok := a.AvailableAt(p)
	return ok && !at.After(a.Now)
}

// AvailableAt is when a ready pod becomes, or became, available as far as that is a matter of time. ok is false where the time of its readiness is not
// known: then it never counts as available while MinReady is positive.
func (a Availability) AvailableAt(p *Pod) (at time.Time, ok bool) {
	if p.Containers != nil {
		return p.startedAnew().Add(a.MinReady), !p.ReadyChangedAt.IsZero()
	}
	return p.ReadyChangedAt.Add(a.MinReady), !p.ReadyChangedAt.IsZero()
}

// startedAnew is when the pod became ready, or when a container has started since: one whose image changes may be ready again before anybody has
// written that it was not.
func (p *Pod) startedAnew() time.Time {
	since := p.ReadyChangedAt
	for _, list := range [...][]Container{p.Containers.Containers, p.Containers.Init} {
		for i := range list {
			if at := list[i].StartedAt; at.After(since) {
				since = at
			}
		}
	}
	return since
}

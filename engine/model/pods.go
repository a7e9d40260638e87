package model

import "time"

// Predicates on one pod. Their definitions are upstream's (stateful_set_utils.go and pkg/api/v1/pod), so that the
// words mean what users know: ready is running and ready, available is ready for minReadySeconds.

// Terminating reports whether a pod is being deleted.
func (p *Pod) Terminating() bool { return !p.DeletedAt.IsZero() }

// HasEnded reports whether a pod has failed or succeeded, and never runs again.
func (p *Pod) HasEnded() bool { return p.Phase == PodFailed || p.Phase == PodSucceeded }

// RunningReady is upstream's isRunningAndReady.
func (p *Pod) RunningReady() bool {
	return p.Phase == PodRunning && p.Ready
}

// StartedAnew is when the pod became ready, or when a container has started since: one whose image changes may be ready again before anybody has
// written that it was not.
func (p *Pod) StartedAnew() time.Time {
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

// Label reads a label, those included that Pod has fields for.
func (p *Pod) Label(key string) (string, bool) {
	switch key {
	case LabelPodName:
		if p.PodNameLabel {
			return p.Name, true
		}
	case LabelPodIndex:
		if p.PodIndexLabel {
			digits := len(p.Name)
			for digits > 0 && p.Name[digits-1] >= '0' && p.Name[digits-1] <= '9' {
				digits--
			}
			return p.Name[digits:], true
		}
	case LabelRevision:
		if p.Revision != "" {
			return p.Revision, true
		}
	}
	if p.Labels == nil {
		return "", false
	}
	value, ok := p.Labels.Values[key]
	return value, ok
}

// HoldsClaims reports whether a pod runs, and holds the claims that it mounts. An ended pod holds none, and neither does one that no kubelet has taken.
func (p *Pod) HoldsClaims() bool {
	return !p.Terminating() && !p.HasEnded() && !(p.Phase == PodPending && p.StartedAt.IsZero())
}

// CostsBudget reports whether a budget counts a pod as healthy.
func (p *Pod) CostsBudget() bool { return p.Ready && !p.HasEnded() && !p.Terminating() }

// NeverReady reports whether the snapshot proves that a pod has never been ready; docs/repair.md says why it is a proof.
// In doubt, it may have been.
func (p *Pod) NeverReady() bool {
	if p.Ready {
		return false
	}
	if p.StartedAt.IsZero() {
		return p.Phase == PodPending && p.ReadyChangedAt.IsZero() // no kubelet has seen it
	}
	// A kubelet that takes a pod writes Ready=False and right after that startTime, both truncated to seconds. From then on the time of the
	// condition changes only when the pod becomes ready, or stops being ready.
	before := p.StartedAt.Sub(p.ReadyChangedAt)
	return before >= 0 && before <= time.Second
}

// Known reports whether the kubelet knows of the spec, or does not say what it knows of.
func (c *PodContainers) Known() bool {
	return c.ObservedGeneration == 0 || c.ObservedGeneration >= c.Generation
}

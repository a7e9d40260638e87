package engine

import (
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// A node may have no room for what a pod asks for now (Deferred), or never (Infeasible). The set says what becomes of such a pod: the annotations
// setplan.io/resize-deferred and setplan.io/resize-infeasible, or spec.resizeDeferred and spec.resizeInfeasible.
const (
	resizeWaits     = "Wait"
	resizeRecreates = "Recreate"
	resizeKeeps     = "Keep"
)

// longestResize is the longest time that a pod waits before it is recreated.
const longestResize = 30 * 24 * time.Hour

// resizePolicy is what becomes of a pod whose node refuses its resources.
type resizePolicy struct {
	of        asked
	recreates bool
	after     time.Duration // for so long it waits first
	keeps     bool          // the others go on without it
}

// readResizePolicy reads a policy. A set that keeps its pods recreates none for that, and an unknown text may be meant to.
func readResizePolicy(v *view, annotation string, usual string, out *draft) resizePolicy {
	p := resizePolicy{of: v.asks(annotation)}
	text := p.of.text
	if text == "" {
		text = usual
	}
	switch text {
	case resizeWaits:
	case resizeRecreates:
		p.recreates = true
	case resizeKeeps:
		p.keeps = true
	default:
		after, err := time.ParseDuration(prose.Cut(text, longestTime))
		if err != nil || after < 0 || after > longestResize {
			out.block(blockInvalidResizePolicy(v.set, p.of))
			return p
		}
		p.recreates, p.after = true, after
	}
	p.recreates = p.recreates && v.inPlace == inPlaceIfPossible
	return p
}

// readResizePolicies reads both.
func readResizePolicies(v *view, out *draft) {
	v.deferred = readResizePolicy(v, annotationDeferred, resizeWaits, out)
	v.infeasible = readResizePolicy(v, annotationInfeasible, resizeRecreates, out)
}

// refusal is what a kubelet says of resources that a pod does not get, and what becomes of the pod.
type refusal struct {
	code   model.BlockCode
	said   *model.PodResize
	policy resizePolicy
	since  time.Time
	due    time.Time // from when on the pod is recreated; zero: it is not
}

// resizeOf is what is under way in a pod whose resources change, with what becomes of them; nil: theirs do not.
func (v *view) resizeOf(p *model.Pod) *flight {
	f := v.flightOf(p)
	if f == nil || f.unreadable || p.Containers == nil || len(f.resize) == 0 {
		return nil
	}
	if !f.judged {
		left := v.unwritten(f)
		f.untaken = len(left) > 0 && v.changesInPlace().resources && !takesAmounts(p.Containers, left, f.starts)
		f.refused, f.judged = v.judge(p, f, left), true
	}
	return f
}

// refusalOf is the refusal of what a pod is on its way to; nil: there is none.
func (v *view) refusalOf(p *model.Pod) *refusal {
	if f := v.resizeOf(p); f != nil {
		return f.refused
	}
	return nil
}

func (v *view) judge(p *model.Pod, f *flight, left amounts) *refusal {
	r := refusal{code: model.BlockResizeDeferred, policy: v.deferred}
	switch pending, progress := p.Containers.ResizePending, p.Containers.ResizeInProgress; {
	case pending != nil && f.lacking() != "": // otherwise it is about what somebody else has asked for
		r.said = pending
		if pending.Reason == "Infeasible" {
			r.code, r.policy = model.BlockResizeInfeasible, v.infeasible
		}
	case progress != nil && progress.Reason == "Error":
		r.said = progress
	default:
		return nil
	}
	from, known := r.countsFrom(p.Containers, f)
	if !known || len(left) > 0 {
		return nil
	}
	if from.After(v.now) {
		f.refusedFrom = from
		return nil
	}
	if r.since = r.said.Since; r.since.IsZero() || r.since.Before(f.at) && !f.at.After(v.now) {
		r.since = f.at // a kubelet goes on to tell since when it refuses, whatever is asked for
	}
	if r.policy.recreates {
		r.due = r.since.Add(r.policy.after)
	}
	return &r
}

// countsFrom is from when on what the kubelet has judged counts for the present spec. A condition names the generation that was judged. A kubelet judges
// again only when resources change (HandlePodUpdates in pkg/kubelet), so an older judgement stands once the kubelet knows of the present spec and has
// had time to say otherwise. Before Kubernetes 1.34 a condition names no generation: it counts if it is younger than the start, or after the same time.
func (r *refusal) countsFrom(c *model.PodContainers, f *flight) (from time.Time, known bool) {
	names := r.said.ObservedGeneration > 0
	switch {
	case names && r.said.ObservedGeneration >= c.Generation, !names && c.Known() && r.said.Since.After(f.at):
		return from, true
	case !c.Known() || names && c.ObservedGeneration == 0:
		return from, false
	}
	return f.at.Add(slackUnknown), true
}

// recreatesRefused reports whether a pod is recreated because its node refuses its resources, or the API server would.
func (v *view) recreatesRefused(p *model.Pod) bool {
	r := v.refusalOf(p)
	return r != nil && !r.due.IsZero() && !r.due.After(v.now) || v.untaken(p)
}

// untaken reports whether somebody has changed a pod since it was started, so that it can no longer get what it is to get yet.
func (v *view) untaken(p *model.Pod) bool {
	f := v.resizeOf(p)
	return f != nil && f.untaken
}

// keepsRefused reports whether the set goes on without a pod whose node refuses its resources.
func (v *view) keepsRefused(p *model.Pod) bool {
	r := v.refusalOf(p)
	return r != nil && r.policy.keeps
}

package inplace

import (
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/prose"
	"github.com/setplan/setplan/engine/state"
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
	of        policy.Asked
	recreates bool
	after     time.Duration // for so long it waits first
	keeps     bool          // the others go on without it
}

// readResizePolicy reads a policy. A set that keeps its pods recreates none for that, and an unknown text may be meant to.
func readResizePolicy(v *Pods, annotation string, usual string, out *state.Draft) resizePolicy {
	p := resizePolicy{of: v.Asks(annotation)}
	text := p.of.Text
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
		after, err := time.ParseDuration(prose.Cut(text, state.LongestTime))
		if err != nil || after < 0 || after > longestResize {
			out.Block(blockInvalidResizePolicy(v.Set, p.of))
			return p
		}
		p.recreates, p.after = true, after
	}
	p.recreates = p.recreates && v.InPlace == inPlaceIfPossible
	return p
}

// ReadResizePolicies reads both.
func ReadResizePolicies(v *Pods, out *state.Draft) {
	v.deferred = readResizePolicy(v, policy.Deferred, resizeWaits, out)
	v.infeasible = readResizePolicy(v, policy.Infeasible, resizeRecreates, out)
	if !out.NoneFailed() {
		v.failed = out.Failed
	}
}

// refusal is what a kubelet says of resources that a pod does not get, or the API server, and what becomes of the pod.
type refusal struct {
	code   model.BlockCode
	Again  time.Time // when the API server is asked again; zero: it has not refused
	said   *model.PodResize
	policy resizePolicy
	since  time.Time
	Due    time.Time // from when on the pod is recreated; zero: it is not
}

// resizeOf is what is under way in a pod whose resources change, with what becomes of them; nil: theirs do not.
func (v *Pods) resizeOf(p *model.Pod) *Flight {
	f := v.FlightOf(p)
	if f == nil || f.Unreadable || p.Containers == nil || len(f.Resize) == 0 {
		return nil
	}
	if !f.judged {
		left := v.unwritten(f)
		f.untaken = len(left) > 0 && v.changesInPlace().Resources && !takesAmounts(p.Containers, left, f.Starts)
		f.refused, f.judged = v.judge(p, f, left), true
	}
	return f
}

// RefusalOf is the refusal of what a pod is on its way to; nil: there is none.
func (v *Pods) RefusalOf(p *model.Pod) *refusal {
	if f := v.resizeOf(p); f != nil {
		return f.refused
	}
	return nil
}

// capacityWait is how long the API server is not asked again after it has refused: a node may be replaced by a larger one of its name.
const capacityWait = 5 * time.Minute

// refusedByCapacity is the API server's answer that the pod's node is too small for what it has yet to get (PodResizeValidator, since Kubernetes 1.36):
// its kubelet is not even asked then.
func (v *Pods) refusedByCapacity(p *model.Pod, f *Flight) *model.Outcome {
	if v.failed == nil || !v.changesInPlace().Resources {
		return nil
	}
	a, facts := Resize(p, f, nil)
	if o := v.failed(&a, facts...); o != nil && o.Result == model.OutcomeNodeCapacity && !o.TriedAt.Before(f.At) { // of this attempt
		return o
	}
	return nil
}

// MayAsk reports whether the API server is asked for the resources of a pod: it has not refused them, or long ago.
func (v *Pods) MayAsk(p *model.Pod) bool {
	r := v.RefusalOf(p)
	return r == nil || !v.RecreatesRefused(p) && !r.Again.After(v.Now)
}

func (v *Pods) judge(p *model.Pod, f *Flight, left podtemplate.Amounts) *refusal {
	if len(left) > 0 {
		o := v.refusedByCapacity(p, f)
		if o == nil {
			return nil
		}
		r := refusal{code: model.BlockResizeInfeasible, policy: v.infeasible, said: &model.PodResize{Message: o.Message}, since: f.At, Again: o.TriedAt.Add(capacityWait)}
		if o.TriedAt.After(v.Now) { // a clock that was set back makes nobody wait
			r.Again = v.Now
		}
		r.setDue()
		return &r
	}
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
	if !known {
		return nil
	}
	if from.After(v.Now) {
		f.RefusedFrom = from
		return nil
	}
	if r.since = r.said.Since; r.since.IsZero() || r.since.Before(f.At) && !f.At.After(v.Now) {
		r.since = f.At // a kubelet goes on to tell since when it refuses, whatever is asked for
	}
	r.setDue()
	return &r
}

func (r *refusal) setDue() {
	if r.policy.recreates {
		r.Due = r.since.Add(r.policy.after)
	}
}

// countsFrom is from when on what the kubelet has judged counts for the present spec. A condition names the generation that was judged. A kubelet judges
// again only when resources change (HandlePodUpdates in pkg/kubelet), so an older judgement stands once the kubelet knows of the present spec and has
// had time to say otherwise. Before Kubernetes 1.34 a condition names no generation: it counts if it is younger than the start, or after the same time.
func (r *refusal) countsFrom(c *model.PodContainers, f *Flight) (from time.Time, known bool) {
	names := r.said.ObservedGeneration > 0
	switch {
	case names && r.said.ObservedGeneration >= c.Generation, !names && c.Known() && r.said.Since.After(f.At):
		return from, true
	case !c.Known() || names && c.ObservedGeneration == 0:
		return from, false
	}
	return f.At.Add(slackUnknown), true
}

// RecreatesRefused reports whether a pod is recreated because its node refuses its resources, or the API server would.
func (v *Pods) RecreatesRefused(p *model.Pod) bool {
	r := v.RefusalOf(p)
	return r != nil && !r.Due.IsZero() && !r.Due.After(v.Now) || v.Untaken(p)
}

// Untaken reports whether somebody has changed a pod since it was started, so that it can no longer get what it is to get yet.
func (v *Pods) Untaken(p *model.Pod) bool {
	f := v.resizeOf(p)
	return f != nil && f.untaken
}

// KeepsRefused reports whether the set goes on without a pod whose node refuses its resources.
func (v *Pods) KeepsRefused(p *model.Pod) bool {
	r := v.RefusalOf(p)
	return r != nil && r.policy.keeps
}

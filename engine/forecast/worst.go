package forecast

import (
	"slices"

	"github.com/setplan/setplan/engine"
)

// WorstPods is the most pods, there or wanted, of a set whose every order Worst tries.
const WorstPods = 5

// WorstCase is the most that hosts can make of a rollout by the order in which they get done.
type WorstCase struct {
	PeakUnavailable int
	// States counts the states in which time had to pass.
	States int
	// All reports that every order was tried; otherwise there are too many, and the peak can be higher.
	All bool
}

// Worst tries every order in which hosts can get done with pods: with each event that is due, now or later, as the next one. It counts as
// Result.PeakUnavailable does. Of a set of more than WorstPods pods it tries one order. It returns nil if it was stopped. MaxSteps is how many
// plans it makes at most; 0: 100,000.
func Worst(stop func() bool, snapshot *engine.Snapshot, options Options) *WorstCase {
	if stop == nil {
		stop = func() bool { return false }
	}
	most := options.MaxSteps
	if most <= 0 {
		most = mostOrders
	}
	first := newForecast(stop, snapshot, options)
	s := search{seen: map[string]bool{}, plans: most, worst: &WorstCase{All: true}, every: len(snapshot.Pods) <= WorstPods && len(first.record.wanted) <= WorstPods}
	first.begin()
	s.open = []*forecast{first}
	for len(s.open) > 0 {
		last := len(s.open) - 1
		f := s.open[last]
		s.open = s.open[:last]
		s.from(f)
		s.worst.PeakUnavailable = max(s.worst.PeakUnavailable, f.record.result.PeakUnavailable)
		if stop() {
			return nil
		}
	}
	s.worst.All = s.worst.All && s.every
	return s.worst
}

// mostOrders is how many plans Worst makes, if nobody says otherwise.
const mostOrders = 100_000

// search goes through the states of a cluster, depth first.
type search struct {
	worst *WorstCase
	open  []*forecast
	seen  map[string]bool
	plans int  // that may still be made
	every bool // order is tried
}

// from carries out plans until one writes nothing, and then tries each event as the next one.
func (s *search) from(f *forecast) {
	plan := s.rest(f)
	if plan == nil {
		return
	}
	state := f.state()
	if s.seen[state] {
		return
	}
	s.seen[state] = true
	s.worst.States++
	if !s.every {
		if f.await(plan) {
			s.open = append(s.open, f)
		}
		return
	}
	if plan.RequeueAfter > 0 {
		later := f.fork()
		later.ObservedAt = f.now().Add(plan.RequeueAfter)
		s.open = append(s.open, later)
	}
	for i := range f.hosts.due {
		next := f.fork()
		next.hosts.only(i)
		s.open = append(s.open, next)
	}
}

// rest carries out plans until one writes nothing, which it returns; nil if there is no such plan, or no time for it.
func (s *search) rest(f *forecast) *engine.Plan {
	for !f.setGone {
		if s.plans == 0 {
			s.worst.All = false
			return nil
		}
		s.plans--
		plan := f.plan()
		if plan == nil {
			return nil
		}
		step := f.write(plan)
		if len(step.Actions) == 0 {
			return plan
		}
		f.letPass(step)
	}
	return nil
}

// only lets one of the events happen that are due, and all others wait.
func (h *hosts) only(i int) {
	d := h.due[i]
	h.due = slices.Delete(h.due, i, i+1)
	if d.at.After(h.now()) {
		h.ObservedAt = d.at
	}
	if p := h.pod(d.pod); p != nil && p.UID == d.uid {
		h.happen(p, d)
	}
	h.settle()
}

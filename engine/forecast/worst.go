package forecast

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
)

// worstPods is the most pods, there or wanted, of a set whose every order Worst tries.
const worstPods = 5

// WorstCase is the most that hosts can make of a rollout by the order in which they get done.
type WorstCase struct {
	PeakUnavailable int
	// States counts the states in which time had to pass.
	States int
	// All reports that every order was tried; otherwise there are too many, and the peak can be higher.
	All bool
}

// Worst tries every order in which hosts can get done with pods: with each event that is due, now or later, as the next one, and with kubelets that
// see a change of a pod only after the next plan. It counts as Result.Peak does. Of a set of more than worstPods pods it tries one order, and of one that
// takes more than the budget as many as there is for. It returns nil if it was stopped. MaxSteps is how many plans it makes at most; 0: mostOrders.
func Worst(stop func() bool, snapshot *model.Snapshot, options Options) *WorstCase {
	m := newMeter(stop, options.Budget)
	s := search{seen: map[digest]bool{}, plans: mostOrders, worst: &WorstCase{All: true}}
	if options.MaxSteps > 0 {
		s.plans = min(options.MaxSteps, mostOrders)
	}
	m.within(func() { s.all(newForecast(m, snapshot, options)) })
	if m.ended {
		s.worst.All = false
		if m.because == "" {
			return nil
		}
	}
	return s.worst
}

// mostOrders is how many plans Worst makes at most.
const mostOrders = 100_000

// search goes through the states of a cluster, depth first.
type search struct {
	worst *WorstCase
	open  []*forecast
	seen  map[digest]bool
	plans int  // that may still be made
	every bool // order is tried
}

func (s *search) all(first *forecast) {
	s.every = len(first.Pods) <= worstPods && len(first.record.wanted) <= worstPods
	s.worst.All, first.hosts.lag = s.every, s.every
	first.begin()
	s.open = []*forecast{first}
	for len(s.open) > 0 {
		last := len(s.open) - 1
		f := s.open[last]
		s.open = s.open[:last]
		f.look()
		if goesOn := s.from(f); !goesOn {
			f.giveBack()
		}
		s.worst.PeakUnavailable = max(s.worst.PeakUnavailable, f.record.result.Peak.Unavailable)
	}
}

// from carries out plans until one writes nothing, and then tries each event as the next one. goesOn reports that f itself goes on.
func (s *search) from(f *forecast) (goesOn bool) {
	plan := s.rest(f)
	if plan == nil {
		return false
	}
	state := f.state()
	if s.seen[state] {
		return false
	}
	f.keep(stateBytes)
	s.seen[state] = true
	s.worst.States++
	if !s.every {
		if goesOn = f.await(plan); goesOn {
			s.open = append(s.open, f)
		}
		return goesOn
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
	return false
}

// rest carries out plans until one writes nothing, which it returns; nil if there is no such plan, or no time for it.
func (s *search) rest(f *forecast) *model.Plan {
	for !f.setGone {
		if s.plans == 0 {
			s.worst.All = false
			return nil
		}
		s.plans--
		plan := f.plan()
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

package main

import (
	"fmt"

	"github.com/setplan/setplan/engine/model"
)

// contest is one thing that both sides do.
type contest struct {
	name    string
	size    int // pods, or sets
	prepare func() (sides, error)
}

func (c contest) String() string { return fmt.Sprintf("%s/%d", c.name, c.size) }

// sides are both sides of a contest, ready to be called repeatedly, and what to do after that.
type sides struct {
	ours, upstream func() error
	end            func()
}

// setCounts are numbers of sets of podsPerSet pods each, planned in turn.
var setCounts = []int{10, 100, 1000}

const podsPerSet = 3

func contests() []contest {
	var all []contest
	for _, s := range scenarios {
		for _, pods := range sizes {
			all = append(all, contest{s.name, pods, func() (sides, error) { return s.decisions(pods) }})
		}
	}
	for _, s := range scenarios {
		for _, pods := range sizes {
			all = append(all, contest{"remote-" + s.name, pods, func() (sides, error) { return s.remotely(1, pods) }})
		}
	}
	for _, count := range setCounts {
		all = append(all, contest{"remote-sets", count, func() (sides, error) { return scenarios[0].remotely(count, podsPerSet) }})
	}
	return all
}

// decisions compares the engine with upstream's control.
func (s scenario) decisions(pods int) (sides, error) {
	w, plan, err := s.work("web", pods)
	if err != nil {
		return sides{}, err
	}
	return sides{ours: w.decide(w.plans(plan)), upstream: w.upstream(), end: func() {}}, nil
}

// remotely compares the whole remote call with upstream's control; several sets take turns.
func (s scenario) remotely(count, pods int) (sides, error) {
	works, plans := make([]*work, count), make([]*model.Plan, count)
	for i := range works {
		var err error
		if works[i], plans[i], err = s.work(fmt.Sprintf("web%d", i), pods); err != nil {
			return sides{}, err
		}
	}
	way, err := connect(works...)
	if err != nil {
		return sides{}, err
	}
	ours, upstream := make([]func() error, count), make([]func() error, count)
	for i, w := range works {
		if err := way.check(w, plans[i]); err != nil {
			way.close()
			return sides{}, err
		}
		ours[i], upstream[i] = way.call(w, w.plans(plans[i])), w.upstream()
	}
	return sides{ours: inTurn(ours), upstream: inTurn(upstream), end: way.close}, nil
}

func inTurn(calls []func() error) func() error {
	return func() error {
		for _, call := range calls {
			if err := call(); err != nil {
				return err
			}
		}
		return nil
	}
}

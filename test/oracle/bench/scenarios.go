package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
)

// scenario is a kind of set; wants checks its plan, so that nothing else is measured.
type scenario struct {
	name  string
	make  func(name string, pods int) (*work, error)
	wants func(*model.Plan) bool
}

var scenarios = []scenario{
	{"steady", func(name string, n int) (*work, error) {
		return newWork(name, n, n, appsv1.OrderedReadyPodManagement, false)
	}, func(p *model.Plan) bool { return p.Converged }},
	{"rolling-update", func(name string, n int) (*work, error) {
		return newWork(name, n, n, appsv1.OrderedReadyPodManagement, true)
	}, func(p *model.Plan) bool { return actions(p, model.PhaseUpdate) == 1 }},
	{"scale-up", func(name string, n int) (*work, error) {
		return newWork(name, n, 0, appsv1.ParallelPodManagement, false)
	}, func(p *model.Plan) bool { return actions(p, model.PhaseReplicas) > 0 }},
}

// sizes are numbers of pods.
var sizes = []int{3, 10, 100, 1000, 10000}

// work makes a set of the scenario and its plan.
func (s scenario) work(name string, pods int) (*work, *model.Plan, error) {
	w, err := s.make(name, pods)
	if err != nil {
		return nil, nil, err
	}
	plan := engine.Decide(w.snapshot)
	if !s.wants(plan) {
		return nil, nil, fmt.Errorf("%s of %d pods plans something else:\n%.2000s", s.name, pods, engine.Describe(plan))
	}
	return w, plan, nil
}

// plans is how many plans the work takes: a plan is cut at its limit, and the following ones count too, as if the earlier ones
// had been carried out.
func (w *work) plans(first *model.Plan) int {
	if !first.Truncated {
		return 1
	}
	each := actions(first, model.PhaseReplicas) / 2 // a claim and a pod for each ordinal
	return (int(w.snapshot.Set.Replicas) + each - 1) / each
}

func actions(p *model.Plan, phase model.Phase) (n int) {
	for _, stage := range p.Stages {
		if stage.Phase == phase {
			for _, step := range stage.Steps {
				n += len(step.Actions)
			}
		}
	}
	return n
}

// upstream is one pass of upstream's control over the set. The work of its controller around it, looking up pods and claiming
// them, does not count, in upstream's favour.
func (w *work) upstream() func() error {
	control := w.control()
	return func() error {
		_, err := control.UpdateStatefulSet(context.Background(), w.set, w.pods, noon)
		return err
	}
}

// decide is our decision alone, on an existing snapshot.
func (w *work) decide(plans int) func() error {
	return func() error {
		for range plans {
			engine.Decide(w.snapshot)
		}
		return nil
	}
}

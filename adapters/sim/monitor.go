package sim

import (
	"fmt"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Monitor checks every write and every plan of a world against the invariants.
type Monitor struct {
	behavior setplanv1.Behavior
	promises *Promises
	problems []string
	checked  int
	plans    int
}

// Watch attaches a monitor to a world.
func Watch(world *World, behavior setplanv1.Behavior) *Monitor {
	m := &Monitor{behavior: behavior, promises: newPromises()}
	world.OnWrite(func(before State, event Event) {
		m.promises.learn(before, event)
		check := &Check{Before: before, Event: event, Now: world.now, Behavior: m.behavior,
			WasReady: world.wasReady, Promises: m.promises}
		for _, adapter := range world.adapters {
			if adapter.name == event.Actor && !adapter.alien {
				check.View, check.Set, check.Now = &adapter.view, adapter.acting, adapter.view.At
			}
		}
		for _, invariant := range Invariants {
			if err := invariant.Holds(check); err != nil {
				m.report("%s: %s of %s %s by %s: %v", invariant.Name, event.Verb, event.Kind, event.Name, event.Actor, err)
			}
			m.checked++
		}
	})
	return m
}

// Problems lists what did not hold, in order.
func (m *Monitor) Problems() []string { return m.problems }

// Checked is how often an invariant was looked at.
func (m *Monitor) Checked() int { return m.checked }

// Plans is how many plans were looked at.
func (m *Monitor) Plans() int { return m.plans }

// Report adds a problem that somebody else has found.
func (m *Monitor) Report(invariant string, err error) { m.report("%s: %v", invariant, err) }

func (m *Monitor) report(format string, args ...any) {
	m.problems = append(m.problems, fmt.Sprintf(format, args...))
}

// checkPlan is what must hold for every plan by itself.
func (m *Monitor) checkPlan(planner *Planner, request *setplanv1.PlanRequest, response *setplanv1.PlanResponse) {
	m.plans++
	m.promises.read(request, response.GetPlan())
	for _, invariant := range PlanInvariants {
		if err := invariant.Holds(request, response.GetPlan()); err != nil {
			m.report("%s: %v", invariant.Name, err)
		}
		m.checked++
	}
	if err := checkAlgebra(planner, request, response); err != nil {
		m.report("InputOrderDoesNotMatter: %v", err)
	}
	m.checked++
}

// describeAction is an action in a problem's text.
func describeAction(action *setplanv1.Action) string {
	return adapters.OperationName(action) + " " + action.GetTarget().GetName()
}

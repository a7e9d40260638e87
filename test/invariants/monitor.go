package invariants

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/sim"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Monitor checks every write and every plan of a world against the invariants.
type Monitor struct {
	world    *sim.World
	behavior setplanv1.Behavior
	promises *Promises
	wasReady map[types.UID]bool // pods that have been ready
	problems []string
	checked  int
	plans    int
}

// Watch attaches a monitor to a world in which nothing has happened yet.
func Watch(world *sim.World, behavior setplanv1.Behavior) *Monitor {
	m := &Monitor{world: world, behavior: behavior, promises: newPromises(), wasReady: map[types.UID]bool{}}
	world.OnWrite(m.wrote)
	return m
}

// Follow checks the plans of a planner of the world, too.
func (m *Monitor) Follow(planner *sim.Planner) *sim.Planner {
	planner.Planned = func(request *setplanv1.PlanRequest, response *setplanv1.PlanResponse) {
		m.checkPlan(planner, request, response)
	}
	return planner
}

// wrote is what must hold after a write.
func (m *Monitor) wrote(before sim.State, event sim.Event) {
	if pod, ok := event.New.(*corev1.Pod); ok && sim.IsReady(pod) {
		m.wasReady[pod.UID] = true
	}
	m.promises.learn(before, event)
	check := &Check{Before: before, Event: event, Now: m.world.Now(), Behavior: m.behavior, WasReady: m.wasReady, Promises: m.promises}
	if view, set := m.world.ActsOn(event.Actor); view != nil {
		check.View, check.Set, check.Now = view, set, view.At
	}
	for _, invariant := range Invariants {
		if err := invariant.Holds(check); err != nil {
			m.report("%s: %s of %s %s by %s: %v", invariant.Name, event.Verb, event.Kind, event.Name, event.Actor, err)
		}
		m.checked++
	}
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
func (m *Monitor) checkPlan(planner *sim.Planner, request *setplanv1.PlanRequest, response *setplanv1.PlanResponse) {
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

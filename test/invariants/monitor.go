package invariants

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/sim"
)

// Monitor checks every write and every plan of a world against the invariants.
type Monitor struct {
	world    *sim.World
	viewer   viewer
	promises *promises
	problems []string
	checked  int
	plans    int
}

// Watch attaches a monitor to a new world.
func Watch(world *sim.World, behavior setplanv1.Behavior) *Monitor {
	m := &Monitor{world: world, promises: newPromises()}
	m.viewer = viewer{behavior: behavior, wasReady: map[types.UID]bool{}, drained: m.promises.drained}
	world.OnWrite(m.wrote)
	return m
}

// Follow makes the monitor check a planner's plans, too.
func (m *Monitor) Follow(planner *sim.Planner) *sim.Planner {
	planner.Planned = func(request *setplanv1.PlanRequest, response *setplanv1.PlanResponse) {
		m.checkPlan(planner, request, response)
	}
	return planner
}

// wrote checks a write.
func (m *Monitor) wrote(before sim.State, event sim.Event) {
	if pod, ok := event.New.(*corev1.Pod); ok && sim.IsReady(pod) {
		m.viewer.wasReady[pod.UID] = true
	}
	m.promises.learn(before, event)
	for _, check := range m.checks(before, event) {
		for i := range law.OnWrite {
			invariant := &law.OnWrite[i]
			if !invariant.About(check.Write.Op) {
				continue
			}
			if err := invariant.Holds(&check); err != nil {
				m.report("%s: %s of %s %s by %s: %v", invariant.Name, event.Verb, event.Kind, event.Name, event.Actor, err)
			}
			m.checked++
		}
	}
}

// checks returns the views of a write for the invariants: one, except for a claim that is deleted with its owners.
func (m *Monitor) checks(before sim.State, event sim.Event) []law.Check {
	view, set := m.world.ActsOn(event.Actor)
	switch {
	case view != nil:
		return m.adapterWrote(before, event, view, set)
	case event.Kind == sim.KindClaim && deletes(event) && event.Old.GetDeletionTimestamp() == nil && event.Actor != "user":
		return m.collected(before, event)
	case event.Kind == sim.KindRevision && !deletes(event):
		return []law.Check{{Write: revisionWrite(event)}}
	}
	return nil
}

func (m *Monitor) adapterWrote(before sim.State, event sim.Event, view *sim.View, set string) []law.Check {
	r := read(view.State, set)
	if r == nil { // the adapter does not know the set
		return []law.Check{{Seen: &law.Set{}, Write: law.Write{Op: law.DeletePod, Ordinal: -1, Strange: true}}}
	}
	write, asked := m.viewer.write(r, event)
	if !asked || !law.Asked(write.Op) {
		return nil
	}
	check := law.Check{Seen: m.viewer.show(r, view.At), Write: write}
	if write.Op == law.CreateDrainPod || write.Op == law.DeleteClaim {
		r.share(check.Seen)
	}
	if truth := read(before, set); truth != nil && (write.Op == law.DeletePod || write.Op == law.DeleteClaim || write.Relabelled || write.Sent || write.Restarts) {
		check.Truth = m.viewer.show(truth, m.world.Now())
		check.Truth.Ranked = r.ranked() && r.set.Annotations[annotationRank] == truth.set.Annotations[annotationRank]
		check.Write.Evicted, check.Write.BelowWant = event.Evicted, belowWant(before, event)
	}
	return []law.Check{check}
}

// belowWant reports whether a pod's deletion leaves fewer healthy than a disruption budget wants.
func belowWant(before sim.State, event sim.Event) bool {
	pod, ok := event.Old.(*corev1.Pod)
	if !ok {
		return false
	}
	for _, budget := range before.Budgets() {
		if budget.Selects(pod) && before.Healthy(budget) <= budget.Spec.MinAvailable.IntValue() {
			return true
		}
	}
	return false
}

// collected returns a check for each owner of a claim that the garbage collector deletes.
func (m *Monitor) collected(before sim.State, event sim.Event) []law.Check {
	claim := event.Old.(*corev1.PersistentVolumeClaim)
	var checks []law.Check
	for _, ref := range claim.OwnerReferences {
		name := ref.Name
		if ref.Kind == sim.KindPod {
			name, _ = setOf(ref.Name)
		}
		write := law.Write{Op: law.CollectClaim, Claim: law.Claim{Name: claim.Name}, Promised: m.promises.given[ref.UID] && !m.promises.byHand[ref.UID]}
		truth := &law.Set{Gone: true}
		if r := read(before, name); r != nil {
			truth = m.viewer.show(r, m.world.Now())
			write.Ordinal, _ = r.claimOf(claim.Name)
		} else if claim.Annotations[adapters.AnnotationDrainSet] == name+"/"+string(ref.UID) {
			truth.Places = []law.Place{{Claims: []law.Claim{{Name: claim.Name, Exists: true, Mark: law.Ours, Empty: m.promises.drained[claim.UID]}}}}
		}
		checks = append(checks, law.Check{Truth: truth, Write: write})
	}
	return checks
}

// share notes which claim names another set uses, too.
func (r *reading) share(s *law.Set) {
	for i := range s.Places {
		for j := range s.Places[i].Claims {
			k := &s.Places[i].Claims[j]
			k.SharedWith = r.sharedWith(k.Name)
		}
	}
}

// Problems lists the violations, in order.
func (m *Monitor) Problems() []string { return m.problems }

// Checked returns how often an invariant was checked.
func (m *Monitor) Checked() int { return m.checked }

// Plans returns how many plans were checked.
func (m *Monitor) Plans() int { return m.plans }

// Report adds a problem that somebody else has found.
func (m *Monitor) Report(invariant string, err error) { m.report("%s: %v", invariant, err) }

func (m *Monitor) report(format string, args ...any) {
	m.problems = append(m.problems, fmt.Sprintf(format, args...))
}

// checkPlan checks a plan by itself.
func (m *Monitor) checkPlan(planner *sim.Planner, request *setplanv1.PlanRequest, response *setplanv1.PlanResponse) {
	m.plans++
	m.promises.read(request, response.GetPlan())
	shown := showPlan(request, response.GetPlan())
	for _, invariant := range law.OnPlan {
		if err := invariant.Holds(shown); err != nil {
			m.report("%s: %v", invariant.Name, err)
		}
		m.checked++
	}
	if err := plansAreAccepted(request, response.GetPlan()); err != nil {
		m.report("%s: %v", PlansAreAccepted, err)
	}
	if err := remediesRun(request.GetSnapshot().GetSet().GetNamespace(), response.GetPlan()); err != nil {
		m.report("%s: %v", RemediesRun, err)
	}
	if err := sentencesAgree(request, response.GetPlan()); err != nil {
		m.report("%s: %v", SentencesAgree, err)
	}
	if err := checkAlgebra(planner, request, response); err != nil {
		m.report("InputOrderDoesNotMatter: %v", err)
	}
	m.checked += 4
}

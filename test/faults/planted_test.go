package faults_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/faults"
	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/story"
)

// blind is an engine that sees something else than what it is shown.
func blind(change func(*model.Snapshot)) faults.Planner {
	return func(s *model.Snapshot) *model.Plan {
		seen := *s
		seen.Pods, seen.Claims = slices.Clone(s.Pods), slices.Clone(s.Claims)
		change(&seen)
		return engine.Decide(&seen)
	}
}

// unread is an engine that does not see one of the set's annotations. Where it makes a revision it sees well: a copy of the annotations is in there, and
// would tell at once.
func unread(annotation string) faults.Planner {
	return func(s *model.Snapshot) *model.Plan {
		seen := *s
		seen.Set.Annotations = maps.Clone(s.Set.Annotations)
		delete(seen.Set.Annotations, "setplan.io/"+annotation)
		plan := engine.Decide(&seen)
		for _, stage := range plan.Stages {
			if stage.Phase == model.PhaseRevision {
				return engine.Decide(s)
			}
		}
		return plan
	}
}

// plant is a bug.
type plant struct {
	want string // the invariant that tells
	seed uint64 // of a life in which it does, so that the test is quick
	plan faults.Planner
}

// plants are bugs: some that the explorer cannot see, and one for each kind of life. That each law notices what breaks it is shown in test/invariants, and
// mutants show it of the engine.
var plants = map[string]plant{
	"every set is OnDelete":      {story.EventuallyStableReconciliation, 0, blind(func(s *model.Snapshot) { s.Set.StrategyType = "OnDelete" })},
	"every set is Parallel":      {law.OrderedReady, 0, blind(func(s *model.Snapshot) { s.Set.PodManagementPolicy = "Parallel" })},
	"minReadySeconds is ignored": {law.OrderedReady, 0, blind(func(s *model.Snapshot) { s.Set.MinReadySeconds = 0 })},
	"nobody is woken when a pod is available": {story.EventuallyStableReconciliation, 2, func(s *model.Snapshot) *model.Plan {
		p := engine.Decide(s)
		p.RequeueAfter = 0
		return p
	}},
	"whatever has a matching name is the set's": {law.OnlyItsOwn, 4, blind(func(s *model.Snapshot) {
		for i := range s.Pods {
			s.Pods[i].Owners = []model.Owner{{APIVersion: s.Set.APIVersion, Kind: s.Set.Kind, Name: s.Set.Name, UID: s.Set.UID, Controller: true}}
		}
	})},
	"only the first pod of the list is seen": {"InputOrderDoesNotMatter", 18, blind(func(s *model.Snapshot) { s.Pods = s.Pods[:min(1, len(s.Pods))] })},
	"a set that waits names something else": {story.EventuallyStableReconciliation, 0, func(s *model.Snapshot) *model.Plan {
		p := engine.Decide(s)
		for i := range p.Blocks {
			p.Blocks[i].Name = strings.ToUpper(p.Blocks[i].Name)
		}
		return p
	}},

	"a failed drain pod has succeeded": {law.DataIsDrained, 7, blind(func(s *model.Snapshot) {
		for i := range s.Pods {
			if a := s.Pods[i].Annotations; a != nil && a.Values[adapters.AnnotationDrainSet] != "" && s.Pods[i].Phase == model.PodFailed {
				s.Pods[i].Phase = model.PodSucceeded
			}
		}
	})},
	"nothing is repaired":       {story.EventuallyStableReconciliation, 5, blind(func(s *model.Snapshot) { s.Policy.Repair = model.RepairNever })},
	"the guard is not seen":     {law.GuardKeeps, 2, unread("scale-in-guard")},
	"the rank is not seen":      {law.LeaderComesLast, 4, unread("update-rank")},
	"claims stay as they were":  {story.EventuallyStableReconciliation, 5, unread("claim-templates")},
	"nobody asks a budget":      {law.BudgetsHold, 6, unread("disruption-budget")},
	"updates without an answer": {law.GatesHold, 13, unread("before-update")},
	"kept pods are not kept":    {law.InPlaceIsRight, 24, unread("in-place")},
}

// maxLives is how many lives a bug has to be found in.
const maxLives = 40

// TestPlantedBugsAreFound: lives that find nothing prove something only if they find these, by the invariant that is about them.
func TestPlantedBugsAreFound(t *testing.T) {
	for name, plant := range plants {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var others []string
			for i := range uint64(maxLives) {
				seed := plant.seed + i
				life := faults.Live(seed, faults.Bounds{Sets: 3, Steps: 300}, plant.plan)
				if plant.explains(life.Problem) {
					t.Logf("life %d, command %d: %s", seed, len(life.Steps), life.Problem)
					return
				}
				others = append(others, life.Problem)
			}
			t.Errorf("%s does not tell in %d lives; others: %q", plant.want, maxLives, others)
		})
	}
}

// explains reports whether a problem is what the bug leads to: by the invariant that is about it, or because the adapter
// refuses the plan, which keeps the harm from being done.
func (p plant) explains(problem string) bool {
	return strings.HasPrefix(problem, p.want+":") || strings.HasPrefix(problem, "PlansAreAccepted:")
}

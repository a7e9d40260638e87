package explore

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/invariants/law"
)

// spoil is an engine that alters its plans, one action at a time; false takes the action out.
func spoil(change func(*model.Snapshot, *model.Action) bool) func(*model.Snapshot) *model.Plan {
	return func(s *model.Snapshot) *model.Plan {
		plan := engine.Decide(s)
		for i := range plan.Stages {
			steps := plan.Stages[i].Steps
			for j := range steps {
				var kept []model.Action
				for _, a := range steps[j].Actions {
					if change(s, &a) {
						kept = append(kept, a)
					}
				}
				steps[j].Actions = kept
			}
		}
		return plan
	}
}

// of is a change of the actions with one operation.
func of[Op model.Operation](change func(*model.Action)) func(*model.Snapshot) *model.Plan {
	return spoil(func(_ *model.Snapshot, a *model.Action) bool {
		if _, is := a.Op.(Op); is {
			change(a)
		}
		return true
	})
}

func unversioned(a *model.Action) { a.ResourceVersion = "" }

// blind is an engine that sees something else than what it is shown.
func blind(change func(*model.Snapshot)) func(*model.Snapshot) *model.Plan {
	return func(s *model.Snapshot) *model.Plan {
		seen := *s
		seen.Pods, seen.Claims = slices.Clone(s.Pods), slices.Clone(s.Claims)
		rolling := *s.Set.RollingUpdate
		seen.Set.RollingUpdate = &rolling
		change(&seen)
		return engine.Decide(&seen)
	}
}

// without is an engine that does not see one of the set's annotations.
func without(annotation string) func(*model.Snapshot) *model.Plan {
	return blind(func(s *model.Snapshot) {
		s.Set.Annotations = maps.Clone(s.Set.Annotations)
		delete(s.Set.Annotations, "setplan.io/"+annotation)
	})
}

// drainedTooSoon takes a drain pod that runs for one that has succeeded.
func drainedTooSoon(s *model.Snapshot) {
	for i := range s.Pods {
		if p := &s.Pods[i]; p.Annotations != nil && p.Phase == model.PodRunning {
			p.Phase = model.PodSucceeded
		}
	}
}

// believing takes what the specs of pods say for what their containers run and have.
func believing(s *model.Snapshot) {
	for i := range s.Pods {
		if s.Pods[i].Containers == nil {
			continue
		}
		shown := *s.Pods[i].Containers
		shown.ObservedGeneration, shown.Containers = shown.Generation, slices.Clone(shown.Containers)
		for j := range shown.Containers {
			c := &shown.Containers[j]
			resources := c.Resources
			c.StatusImage, c.ImageID, c.ContainerID, c.StatusResources = c.Image, strings.Replace(c.Image, "web", "sha256", 1), another.String(), &resources
		}
		s.Pods[i].Containers = &shown
	}
}

var oneFault, twoEdits = Bounds{Edits: 1, Faults: 1}, Bounds{Edits: 2}

// planted are bugs: one for each invariant that is checked here alone, and one for each part of a set's life that is modelled. That each law notices what
// breaks it is shown in test/invariants, and mutants show it of the engine.
var planted = map[string]struct {
	want   string // the invariant that tells
	bounds Bounds
	with   func(*Config) // what the set asks for
	decide func(*model.Snapshot) *model.Plan
}{
	"a delete asks for a uid that nothing has": {PlanIsMeaningful, oneFault, nil, of[model.DeletePod](func(a *model.Action) { a.UID = "uid-of-another" })},
	"the status is written only where the list of pods begins with the lowest": {AnyOrder, oneFault, nil, spoil(func(s *model.Snapshot, a *model.Action) bool {
		_, status := a.Op.(model.UpdateStatus)
		return !status || len(s.Pods) < 2 || s.Pods[0].Name < s.Pods[1].Name
	})},
	"the status is written in every plan": {ComesToRest, oneFault, nil, blind(func(s *model.Snapshot) { s.Set.Status.ObservedGeneration = 0 })},
	"a mended template is not enough":     {RestIsRight, twoEdits, nil, blind(func(s *model.Snapshot) { s.Policy.Repair = model.RepairNever })},
	"owners are written without a resource version, and nobody looks at the plan": {TwiceIsOnce, oneFault,
		func(c *Config) { c.WhenDeleted, c.deaf = true, law.EveryWriteHasAPrecondition }, of[model.SetClaimOwners](unversioned)},

	"the budget is taken to be 2":   {law.UpdateWithinBudget, oneFault, nil, blind(func(s *model.Snapshot) { s.Set.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Count: 2} })},
	"a drain that runs is over":     {law.DataIsDrained, oneFault, func(c *Config) { c.Drain = &Drain{} }, blind(drainedTooSoon)},
	"no guard":                      {law.GuardKeeps, Bounds{Edits: 1, Faults: 1, OrdinalEdits: true}, func(c *Config) { c.Guarded = true }, without("scale-in-guard")},
	"no pause":                      {law.PauseHolds, Bounds{Edits: 2, OrdinalEdits: true}, nil, without("pause")},
	"no disruption budget":          {law.BudgetsHold, oneFault, func(c *Config) { c.Budgets = true }, without("disruption-budget")},
	"an answer that was taken back": {law.GatesHold, oneFault, func(c *Config) { c.Gated, c.deaf = true, law.RepairTakesNothing }, of[model.DeletePod](unversioned)},
	"whoever leads":                 {law.LeaderComesLast, oneFault, func(c *Config) { c.Ranked = true }, without("update-rank")},
	"all pods start at once":        {law.ScaleUpWithinLimit, oneFault, func(c *Config) { c.Parallel, c.ScaleUpLimit = true, 1 }, without("scale-up-limit")},
	"pods that are kept go": {law.InPlaceIsRight, oneFault, func(c *Config) { c.InPlace = "InPlaceOnly" }, blind(func(s *model.Snapshot) {
		s.Set.Annotations = map[string]string{"setplan.io/in-place": "InPlaceIfPossible"}
	})},
	"the spec is taken for what runs":            {law.LabelsAreTrue, oneFault, func(c *Config) { c.InPlace, c.Inside = "InPlaceOnly", ofImages }, blind(believing)},
	"the spec is taken for what a container has": {law.LabelsAreTrue, oneFault, func(c *Config) { c.InPlace, c.Inside = "InPlaceOnly", ofResources }, blind(believing)},
	"pods keep a claim template that is removed": {law.BelowPartition, oneFault, func(c *Config) { c.Removes = true }, without("claim-templates")},
	"the claim of an added template is not made": {law.ClaimsBeforePods, oneFault, func(c *Config) { c.Adds = true }, spoil(func(_ *model.Snapshot, a *model.Action) bool { return a.Kind != model.KindClaim })},
	"what another adapter has asked of a claim":  {law.VolumesGrowOnce, Bounds{Edits: 2, Adapters: 2, Lag: 3}, func(c *Config) { c.Grows, c.deaf = true, law.EveryWriteHasAPrecondition }, of[model.PatchClaim](unversioned)},
	"a restart that nobody has agreed to": {law.GatesHold, oneFault, func(c *Config) {
		both := PairConfigs(c.Bounds)[1]
		both.Decide = c.Decide
		*c = both
	}, without("before-update")},
}

// TestPlantedBugsAreFound: a search that finds nothing proves something only if it finds these.
func TestPlantedBugsAreFound(t *testing.T) {
	for name, plant := range planted {
		t.Run(name, func(t *testing.T) {
			bounds := plant.bounds
			bounds.Ordinals, bounds.Adapters, bounds.Lag = 2, max(bounds.Adapters, 1), max(bounds.Lag, 1)
			config := Configs(bounds)[0]
			config.Decide = plant.decide
			if plant.with != nil {
				plant.with(&config)
			}
			v := Run(config).Violation
			if v == nil {
				t.Fatal("no violation is found")
			}
			if v.Invariant != plant.want || len(v.Trace) == 0 {
				t.Errorf("found %v, wanted %s\n%s", v, plant.want, strings.Join(v.Trace, "\n"))
			}
		})
	}
}

// TestOrdinalsMove: a search that is to find mistakes with holes has to come to sets that have them, and to sets that are up beside them.
func TestOrdinalsMove(t *testing.T) {
	config := OrdinalConfigs(Bounds{Ordinals: 2, Edits: 1, Lag: 1, Adapters: 1})[0]
	s := newSearch(&config, &Tally{Checked: map[string]int64{}})
	s.run()
	besideAHole := false
	for p := range s.planner.known {
		c := p.unpack()
		besideAHole = besideAHole || c.isReserved(0) && !c.pods[0].exists() && c.pods[1].phase == ready && c.pods[2].phase == ready
	}
	if !besideAHole {
		t.Error("no set is up with ordinal 0 reserved")
	}
}

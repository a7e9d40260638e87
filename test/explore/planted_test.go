package explore

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/invariants/law"
)

// spoil is an engine that alters its plans, one action at a time; false takes the action out.
func spoil(change func(*engine.Snapshot, *engine.Action) bool) func(*engine.Snapshot) *engine.Plan {
	return func(s *engine.Snapshot) *engine.Plan {
		plan := engine.Decide(s)
		for i := range plan.Stages {
			steps := plan.Stages[i].Steps
			for j := range steps {
				var kept []engine.Action
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

// blind is an engine that sees something else than what it is shown.
func blind(change func(*engine.Snapshot)) func(*engine.Snapshot) *engine.Plan {
	return func(s *engine.Snapshot) *engine.Plan {
		seen := *s
		seen.Pods, seen.Claims = slices.Clone(s.Pods), slices.Clone(s.Claims)
		rolling := *s.Set.RollingUpdate
		seen.Set.RollingUpdate = &rolling
		change(&seen)
		return engine.Decide(&seen)
	}
}

// planted is one bug.
type planted struct {
	reason    string
	want      string // the invariant that tells
	deaf      string // one that would tell earlier, and is not asked
	retention int    // which of the four policies
	edits     uint8  // instead of one edit and one fault
	faults    uint8  // beside those edits
	drain     *Drain // instead of none
	two       bool   // adapters, instead of one, with older views
	ordinals  bool   // are reserved, and the set is paused
	guarded   bool
	with      func(*Config) // what else the set asks for
	decide    func(*engine.Snapshot) *engine.Plan
}

var plants = map[string]planted{
	"no must_not_exist": {
		reason: "creates do not ask that nothing exists",
		want:   law.EveryWriteHasAPrecondition,
		decide: spoil(func(_ *engine.Snapshot, a *engine.Action) bool { a.MustNotExist = false; return true }),
	},
	"no uid": {
		reason: "pods are deleted by name",
		want:   law.EveryWriteHasAPrecondition,
		decide: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			if _, ok := a.Op.(engine.DeletePod); ok {
				a.UID = ""
			}
			return true
		}),
	},
	"a second pod": {
		reason: "a terminating pod is taken for none, and its ordinal is created again",
		want:   law.NothingIsCreatedTwice,
		decide: blind(func(s *engine.Snapshot) {
			s.Pods = slices.DeleteFunc(s.Pods, func(p engine.Pod) bool { return !p.DeletedAt.IsZero() })
		}),
	},
	"a second pod, at the write": {
		reason: "the same, and nobody looks at the plan",
		want:   law.AtMostOne,
		deaf:   law.NothingIsCreatedTwice,
		decide: blind(func(s *engine.Snapshot) {
			s.Pods = slices.DeleteFunc(s.Pods, func(p engine.Pod) bool { return !p.DeletedAt.IsZero() })
		}),
	},
	"another object's uid": {
		reason: "a delete asks for a uid that nothing has",
		want:   PlanIsMeaningful,
		decide: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			if _, ok := a.Op.(engine.DeletePod); ok {
				a.UID = "uid-of-another"
			}
			return true
		}),
	},
	"no order": {
		reason: "an OrderedReady set is treated as a Parallel one",
		want:   law.OrderedReady,
		decide: blind(func(s *engine.Snapshot) { s.Set.PodManagementPolicy = "Parallel" }),
	},
	"two at once": {
		reason: "the budget is taken to be 2",
		want:   law.UpdateWithinBudget,
		decide: blind(func(s *engine.Snapshot) { s.Set.RollingUpdate.MaxUnavailable = &engine.IntOrPercent{Count: 2} }),
	},
	"no partition": {
		reason: "the update ignores the partition",
		want:   law.UpdateWithinBudget,
		decide: blind(func(s *engine.Snapshot) { s.Set.RollingUpdate.Partition = 0 }),
	},
	"new below the partition": {
		reason: "a lost pod below the partition comes back at the update revision",
		want:   law.BelowPartition,
		decide: blind(func(s *engine.Snapshot) { s.Set.Status.CurrentRevision = "" }),
	},
	"no claims first": {
		reason: "the claims are left out",
		want:   law.ClaimsBeforePods,
		decide: spoil(func(_ *engine.Snapshot, a *engine.Action) bool { return a.Kind != engine.KindClaim }),
	},
	"a claim that goes": {
		reason: "a pod is created on a claim that is going away",
		want:   law.ClaimsBeforePods,
		decide: blind(func(s *engine.Snapshot) {
			for i := range s.Claims {
				s.Claims[i].DeletedAt = time.Time{}
			}
		}),
	},
	"a stale claim": {
		reason:    "a pod is created on the claim of an earlier one",
		want:      law.ClaimsBeforePods,
		retention: 1,
		edits:     2,
		decide: blind(func(s *engine.Snapshot) {
			for i := range s.Claims {
				if o := s.Claims[i].Owners; len(o) > 0 && strings.HasPrefix(o[0].UID, "earlier-") {
					s.Claims[i].Owners = nil
				}
			}
		}),
	},
	"a claim that goes along": {
		reason:    "a pod that has ended is replaced as upstream does it, and its claim goes with it",
		want:      law.WantedClaimsStay,
		retention: 1,
		edits:     2,
		faults:    1,
		decide:    blind(func(s *engine.Snapshot) { s.Rules.WantedClaimsStay = false }),
	},
	"the wrong owner": {
		reason:    "claims are given to nobody, whatever the policy",
		want:      law.ClaimsFollowRetention,
		retention: 2,
		decide: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			if _, ok := a.Op.(engine.SetClaimOwners); ok {
				a.Op = engine.SetClaimOwners{}
			}
			return true
		}),
	},
	"no owner": {
		reason:    "every claim seems to have its owner: only rest shows that it has not",
		want:      RestIsRight,
		retention: 2,
		decide: blind(func(s *engine.Snapshot) {
			for i := range s.Claims {
				if len(s.Pods) > 0 {
					s.Claims[i].Owners = s.Pods[0].Owners
				}
			}
		}),
	},
	"deleting goes on": {
		reason: "a set that is being deleted is treated as one that is not",
		want:   law.DeletingStatusOnly,
		decide: blind(func(s *engine.Snapshot) { s.Set.DeletedAt = time.Time{} }),
	},
	"numbers stand still": {
		reason: "a rollback gives its revision the number 1",
		want:   law.RevisionsOnlyGrow,
		edits:  2,
		decide: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			if _, ok := a.Op.(engine.RenumberRevision); ok {
				a.Op = engine.RenumberRevision{Number: 1}
			}
			return true
		}),
	},
	"order of lists": {
		reason: "the status is written only where the list of pods begins with the lowest",
		want:   AnyOrder,
		decide: spoil(func(s *engine.Snapshot, a *engine.Action) bool {
			_, status := a.Op.(engine.UpdateStatus)
			return !status || len(s.Pods) < 2 || s.Pods[0].Name < s.Pods[1].Name
		}),
	},
	"negative counters": {
		reason: "the counter of current pods is one too small",
		want:   law.StatusIsValid,
		decide: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			if op, ok := a.Op.(engine.UpdateStatus); ok {
				op.Status.CurrentReplicas--
				a.Op = op
			}
			return true
		}),
	},
	"repair of pods that were ready": {
		reason: "a pod that was ready is replaced, as under the policy Unready",
		want:   law.RepairTakesNothing,
		decide: blind(func(s *engine.Snapshot) { s.Policy.Repair = engine.RepairUnready }),
	},
	"repair without resource version": {
		reason: "a pod that has become ready in the meantime is replaced",
		want:   law.RepairTakesNothing,
		decide: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			if a.Cause.Code == engine.CauseRepair {
				a.ResourceVersion = ""
			}
			return true
		}),
	},
	"repair of what comes back as it is": {
		reason: "the planner takes a pod that is pending for one of another revision",
		want:   law.RepairIsRight,
		decide: blind(func(s *engine.Snapshot) {
			for i := range s.Pods {
				if s.Pods[i].Phase == engine.PodPending {
					s.Pods[i].Revision = "another"
				}
			}
		}),
	},
	"no repair": {
		reason: "a mended template is not enough",
		want:   RestIsRight,
		edits:  2,
		decide: blind(func(s *engine.Snapshot) { s.Policy.Repair = engine.RepairNever }),
	},
	"never content": {
		reason: "the status is written in every plan",
		want:   ComesToRest,
		decide: blind(func(s *engine.Snapshot) { s.Set.Status.ObservedGeneration = 0 }),
	},
	"content too soon": {
		reason: "every plan says that all is well",
		want:   law.FixedPointIsEmpty,
		decide: func(s *engine.Snapshot) *engine.Plan {
			plan := engine.Decide(s)
			plan.Converged, plan.Blocks = true, nil
			return plan
		},
	},
	"silence": {
		reason: "blocks are not told",
		want:   law.WaitingIsExplained,
		decide: func(s *engine.Snapshot) *engine.Plan { plan := engine.Decide(s); plan.Blocks = nil; return plan },
	},
	"no resource version": {
		reason:    "the owners of a claim are written without its resource version",
		want:      law.EveryWriteHasAPrecondition,
		retention: 2,
		decide:    spoil(withoutVersion),
	},
	"no resource version, twice": {
		reason:    "the same, and nobody looks at the plan: applied again, it writes again",
		want:      TwiceIsOnce,
		deaf:      law.EveryWriteHasAPrecondition,
		retention: 2,
		decide:    spoil(withoutVersion),
	},
}

func withoutVersion(_ *engine.Snapshot, a *engine.Action) bool {
	if a.Kind == engine.KindClaim {
		a.ResourceVersion = ""
	}
	return true
}

// elsewhere are the invariants of what is not modelled here: other sets. Packages faults and invariants plant bugs of those.
var elsewhere = []string{law.NeighboursKeepTheirs, law.OnlyItsOwn}

// TestPlantedBugsAreFound plants bugs in the territory of every invariant: a search that finds nothing proves something
// only if it finds these.
func TestPlantedBugsAreFound(t *testing.T) {
	found := map[string]bool{}
	all := maps.Clone(plants)
	for _, more := range []map[string]planted{drainPlants, ordinalPlants, budgetPlants, inPlacePlants, removalPlants, growthPlants, gatePlants, rankPlants, insidePlants, additionPlants, pairPlants} {
		maps.Copy(all, more)
	}
	for name, plant := range all {
		t.Run(name, func(t *testing.T) {
			bounds := Bounds{Ordinals: 2, Edits: 1, Faults: 1, Lag: 1, Adapters: 1}
			if plant.edits > 0 {
				bounds.Edits, bounds.Faults = plant.edits, plant.faults
			}
			if plant.two {
				bounds.Adapters, bounds.Lag = 2, 3
			}
			bounds.OrdinalEdits = plant.ordinals
			config := Configs(bounds)[plant.retention]
			config.Decide, config.deaf, config.Drain, config.Guarded = plant.decide, plant.deaf, plant.drain, plant.guarded
			if plant.with != nil {
				plant.with(&config)
			}
			v := Run(config).Violation
			if v == nil {
				t.Fatalf("%s, and no violation is found", plant.reason)
			}
			if v.Invariant != plant.want {
				t.Errorf("%s: found %v, wanted %s\n%s", plant.reason, v, plant.want, strings.Join(v.Trace, "\n"))
			}
			if len(v.Trace) == 0 {
				t.Errorf("%s: the violation has no trace", plant.reason)
			}
			found[v.Invariant] = true
		})
	}
	names := []string{TwiceIsOnce, AnyOrder, PlanIsMeaningful, ComesToRest, RestIsRight}
	for _, invariant := range law.OnWrite {
		names = append(names, invariant.Name)
	}
	for _, invariant := range law.OnPlan {
		names = append(names, invariant.Name)
	}
	for _, name := range names {
		if !found[name] && !slices.Contains(elsewhere, name) {
			t.Errorf("no planted bug violates %s", name)
		}
	}
}

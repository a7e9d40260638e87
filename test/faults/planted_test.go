package faults_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/faults"
	"github.com/setplan/setplan/test/story"
)

// spoil is an engine that alters its plans, one action at a time; false takes the action out.
func spoil(change func(*engine.Snapshot, *engine.Action) bool) faults.Planner {
	return func(s *engine.Snapshot) *engine.Plan {
		plan := engine.Decide(s)
		for i := range plan.Stages {
			for j := range plan.Stages[i].Steps {
				step := &plan.Stages[i].Steps[j]
				var kept []engine.Action
				for _, a := range step.Actions {
					if change(s, &a) {
						kept = append(kept, a)
					}
				}
				step.Actions = kept
			}
		}
		return plan
	}
}

// without is an engine that never does a certain thing.
func without[Op engine.Operation]() faults.Planner {
	return spoil(func(_ *engine.Snapshot, a *engine.Action) bool { _, is := a.Op.(Op); return !is })
}

// blind is an engine that sees something else than what it is shown.
func blind(change func(*engine.Snapshot)) faults.Planner {
	return func(s *engine.Snapshot) *engine.Plan {
		seen := *s
		seen.Pods, seen.Claims, seen.Revisions = slices.Clone(s.Pods), slices.Clone(s.Claims), slices.Clone(s.Revisions)
		change(&seen)
		return engine.Decide(&seen)
	}
}

// plant is a bug.
type plant struct {
	reason string
	want   string // the invariant that tells
	seed   uint64 // of a life in which it does, so that the test is quick
	plan   faults.Planner
}

// plants are bugs, most of them where the explorer cannot look.
var plants = map[string]plant{
	"OnDelete is ignored": {
		reason: "outdated pods are replaced although only users may do so",
		want:   "UpdateWithinBudget",
		seed:   10,
		plan: blind(func(s *engine.Snapshot) {
			if s.Set.StrategyType == "OnDelete" {
				s.Set.StrategyType = "RollingUpdate"
			}
		}),
	},
	"every set is OnDelete": {
		reason: "nothing is ever updated, and the planner is content",
		want:   story.EventuallyStableReconciliation,
		plan:   blind(func(s *engine.Snapshot) { s.Set.StrategyType = "OnDelete" }),
	},
	"start ordinals are ignored": {
		reason: "pods are counted from 0",
		want:   story.EventuallyStableReconciliation,
		seed:   8,
		plan:   blind(func(s *engine.Snapshot) { s.Set.OrdinalsStart = 0 }),
	},
	"minReadySeconds is ignored": {
		reason: "a pod that has just become ready counts as available",
		want:   "OrderedReady",
		plan:   blind(func(s *engine.Snapshot) { s.Set.MinReadySeconds = 0 }),
	},
	"the clock is fast": {
		reason: "the planner's clock is an hour ahead of the snapshot's",
		want:   "OrderedReady",
		plan:   blind(func(s *engine.Snapshot) { s.ObservedAt = s.ObservedAt.Add(time.Hour) }),
	},
	"nobody is woken": {
		reason: "the plan does not say when a pod will be available",
		want:   story.EventuallyStableReconciliation,
		seed:   2,
		plan:   func(s *engine.Snapshot) *engine.Plan { p := engine.Decide(s); p.RequeueAfter = 0; return p },
	},
	"orphans are left": {
		reason: "pods that match are not adopted, and hold the names",
		want:   story.EventuallyStableReconciliation,
		seed:   16,
		plan:   without[engine.AdoptPod](),
	},
	"strangers are kept": {
		reason: "pods that match no more are not released",
		want:   story.EventuallyStableReconciliation,
		seed:   19,
		plan: blind(func(s *engine.Snapshot) {
			for i := range s.Pods {
				s.Pods[i].Labels = &engine.Labels{Values: s.Set.Selector.MatchLabels}
			}
		}),
	},
	"a neighbour's pod": {
		reason: "whatever has a matching name seems to be the set's",
		want:   "OnlyItsOwn",
		seed:   4,
		plan: blind(func(s *engine.Snapshot) {
			for i := range s.Pods {
				s.Pods[i].Owners = []engine.Owner{{APIVersion: s.Set.APIVersion, Kind: s.Set.Kind, Name: s.Set.Name, UID: s.Set.UID, Controller: true}}
			}
		}),
	},
	"a neighbour's claim": {
		reason: "the other owners of a claim are thrown away",
		want:   "ClaimsFollowRetention",
		seed:   2,
		plan: blind(func(s *engine.Snapshot) {
			for i := range s.Claims {
				s.Claims[i].Owners = slices.DeleteFunc(slices.Clone(s.Claims[i].Owners), func(o engine.Owner) bool { return o.UID != s.Set.UID })
			}
		}),
	},
	"no claims first": {
		reason: "claims are not created",
		want:   "ClaimsBeforePods",
		plan:   without[engine.CreateClaim](),
	},
	"retention is not carried out": {
		reason: "no claim is given to anybody, and the planner is told that all are",
		want:   story.EventuallyStableReconciliation,
		seed:   3,
		plan:   without[engine.SetClaimOwners](),
	},
	"a pod below the partition is new": {
		reason: "the current revision is forgotten",
		want:   "BelowPartitionStaysOld",
		seed:   27,
		plan:   blind(func(s *engine.Snapshot) { s.Set.Status.CurrentRevision = "" }),
	},
	"no order": {
		reason: "every set is Parallel",
		want:   "OrderedReady",
		plan:   blind(func(s *engine.Snapshot) { s.Set.PodManagementPolicy = "Parallel" }),
	},
	"no budget": {
		reason: "many pods go at once",
		want:   "UpdateWithinBudget",
		seed:   3,
		plan: blind(func(s *engine.Snapshot) {
			if r := s.Set.RollingUpdate; r != nil {
				s.Set.RollingUpdate = &engine.RollingUpdate{Partition: r.Partition, MaxUnavailable: &engine.IntOrPercent{Count: 9}}
			}
		}),
	},
	"a second pod": {
		reason: "terminating pods are not seen",
		want:   "NothingIsCreatedTwice",
		plan: blind(func(s *engine.Snapshot) {
			s.Pods = slices.DeleteFunc(s.Pods, func(p engine.Pod) bool { return !p.DeletedAt.IsZero() })
		}),
	},
	"deleting goes on": {
		reason: "a set that is being deleted is treated as one that is not",
		want:   "DeletingSetStatusOnly",
		plan:   blind(func(s *engine.Snapshot) { s.Set.DeletedAt = time.Time{} }),
	},
	"the history only grows": {
		reason: "old revisions are kept beyond the limit",
		want:   story.EventuallyStableReconciliation,
		plan:   without[engine.DeleteRevision](),
	},
	"a rollback is no rollback": {
		reason: "the old revision keeps its number",
		want:   "RevisionsOnlyGrow",
		seed:   2,
		plan: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			if _, is := a.Op.(engine.RenumberRevision); is {
				a.Op = engine.RenumberRevision{}
			}
			return true
		}),
	},
	"pods are deleted by name": {
		reason: "no uid",
		want:   "EveryWriteHasAPrecondition",
		plan: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			if _, is := a.Op.(engine.DeletePod); is {
				a.UID = ""
			}
			return true
		}),
	},
	"never content": {
		reason: "the status is written in every plan, for ever",
		want:   story.EventuallyStableReconciliation,
		plan:   blind(func(s *engine.Snapshot) { s.Set.Status.ObservedGeneration = 0 }),
	},
	"content too soon": {
		reason: "every plan says that all is well",
		want:   "FixedPointIsEmpty",
		plan: func(s *engine.Snapshot) *engine.Plan {
			p := engine.Decide(s)
			p.Converged, p.Blocks = true, nil
			return p
		},
	},
	"silence": {
		reason: "blocks are not told",
		want:   "WaitingIsExplained",
		plan:   func(s *engine.Snapshot) *engine.Plan { p := engine.Decide(s); p.Blocks = nil; return p },
	},
	"the order of the list": {
		reason: "only the first pod of the list is seen",
		want:   "InputOrderDoesNotMatter",
		seed:   18,
		plan:   blind(func(s *engine.Snapshot) { s.Pods = s.Pods[:min(1, len(s.Pods))] }),
	},
	"a lie": {
		reason: "a set that waits names something else than what is missing",
		want:   story.EventuallyStableReconciliation,
		plan: func(s *engine.Snapshot) *engine.Plan {
			p := engine.Decide(s)
			for i := range p.Blocks {
				p.Blocks[i].Name = strings.ToUpper(p.Blocks[i].Name)
			}
			return p
		},
	},
}

// maxLives is how many lives a bug has to be found in.
const maxLives = 40

// TestPlantedBugsAreFound plants bugs: lives that find nothing prove something only if they find these, by the invariant
// that is about them.
func TestPlantedBugsAreFound(t *testing.T) { areFound(t, plants) }

// explains reports whether a problem is what the bug leads to: by the invariant that is about it, or because the adapter
// refuses the plan, which keeps the harm from being done.
func (p plant) explains(problem string) bool {
	return strings.HasPrefix(problem, p.want+":") || strings.HasPrefix(problem, "PlansAreAccepted:")
}

func areFound(t *testing.T, plants map[string]plant) {
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
			t.Errorf("%s: %s does not tell in %d lives; others: %q", plant.reason, plant.want, maxLives, others)
		})
	}
}

package faults_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/faults"
	"github.com/setplan/setplan/test/story"
)

// drainPods is an engine that sees something else in drain pods than there is.
func drainPods(change func(*engine.Snapshot, *engine.Pod)) faults.Planner {
	return blind(func(s *engine.Snapshot) {
		for i := range s.Pods {
			if a := s.Pods[i].Annotations; a != nil && a.Values[adapters.AnnotationDrainSet] != "" {
				s.Pods[i].Annotations = &engine.Annotations{Values: maps.Clone(a.Values)}
				change(s, &s.Pods[i])
			}
		}
	})
}

// allClaims is one that sees something else in claims.
func allClaims(change func(*engine.Snapshot, *engine.Claim)) faults.Planner {
	return blind(func(s *engine.Snapshot) {
		for i := range s.Claims {
			change(s, &s.Claims[i])
		}
	})
}

// marked is a copy of annotations with another mark.
func marked(a *engine.Annotations, mark string) *engine.Annotations {
	values := map[string]string{}
	if a != nil {
		maps.Copy(values, a.Values)
	}
	values[adapters.AnnotationDrainSet] = mark
	return &engine.Annotations{Values: values}
}

// always is an engine that finds another repair policy than the one that the set has.
func always(repair engine.Repair) faults.Planner {
	return blind(func(s *engine.Snapshot) { s.Policy.Repair = repair })
}

// outside reports whether the ordinal that a name ends in is outside the range.
func outside(s *engine.Snapshot, name string) bool {
	digits := name[strings.LastIndex(name, "-")+1:]
	ordinal, err := strconv.Atoi(digits)
	return err == nil && (ordinal < int(s.Set.OrdinalsStart) || ordinal >= int(s.Set.OrdinalsStart+s.Set.Replicas))
}

// policyPlants are bugs of drain and repair; only lives with policies can find them, and those have odd seeds.
var policyPlants = map[string]plant{
	"claims go while the drain runs": {
		reason: "a drain pod that runs counts as one that has succeeded",
		want:   "DataIsDrained",
		seed:   1,
		plan: drainPods(func(_ *engine.Snapshot, p *engine.Pod) {
			if p.Phase == engine.PodRunning {
				p.Phase = engine.PodSucceeded
			}
		}),
	},
	"a failed drain pod has succeeded": {
		reason: "whatever has ended counts as success",
		want:   "DataIsDrained",
		seed:   7,
		plan: drainPods(func(_ *engine.Snapshot, p *engine.Pod) {
			if p.Phase == engine.PodFailed {
				p.Phase = engine.PodSucceeded
			}
		}),
	},
	"claims by name": {
		reason: "whatever has the name of a claim that was drained counts as that claim, mark and all",
		want:   "DataIsDrained",
		seed:   7,
		plan: drainPods(func(s *engine.Snapshot, p *engine.Pod) {
			for i := range s.Claims {
				if c := &s.Claims[i]; strings.HasSuffix(c.Name, "-"+p.Name) {
					list := p.Annotations.Values[adapters.AnnotationDrainClaims]
					p.Annotations.Values[adapters.AnnotationDrainClaims] = list + "," + c.UID
					c.Annotations = marked(c.Annotations, p.Annotations.Values[adapters.AnnotationDrainSet])
				}
			}
		}),
	},
	"claims are deleted by name": {
		reason: "no uid",
		want:   "EveryWriteHasAPrecondition",
		seed:   1,
		plan: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			if _, is := a.Op.(engine.DeleteClaim); is {
				a.UID = ""
			}
			return true
		}),
	},
	"everything is marked": {
		reason: "what was left behind before there was a policy is drained, and what is another set's",
		want:   "OnlyMarkedIsDrained",
		seed:   1,
		plan: allClaims(func(s *engine.Snapshot, c *engine.Claim) {
			if s.Set.Annotations[adapters.AnnotationDrainTemplate] != "" {
				c.Annotations = marked(c.Annotations, s.Set.Name+"/"+s.Set.UID)
			}
		}),
	},
	"data without a pod is forgotten": {
		reason: "the next replica goes before the data above it is drained",
		want:   "DrainsInOrder",
		seed:   9,
		plan: blind(func(s *engine.Snapshot) {
			s.Claims = slices.DeleteFunc(s.Claims, func(c engine.Claim) bool {
				return outside(s, c.Name) && !slices.ContainsFunc(s.Pods, func(p engine.Pod) bool { return strings.HasSuffix(c.Name, "-"+p.Name) })
			})
		}),
	},
	"the policy is not seen": {
		reason: "whenScaled Delete hands the claims to pods that go, under the drain",
		want:   "ClaimsFollowRetention",
		seed:   5,
		plan: blind(func(s *engine.Snapshot) {
			s.Policy.Drain = engine.DrainPolicy{PodTemplate: []byte{}, Ask: new(bool)}
		}),
	},
	"claims outside the range belong to nobody": {
		reason: "they are not released, and the finalizer says that the set may be deleted",
		want:   "FinalizerComesLast",
		seed:   1,
		plan: allClaims(func(s *engine.Snapshot, c *engine.Claim) {
			if outside(s, c.Name) {
				c.Owners = nil
			}
		}),
	},
	"the finalizer does not wait": {
		reason: "it comes before the claims are released, and nothing warns",
		want:   "FinalizerComesLast",
		seed:   1,
		plan: func(s *engine.Snapshot) *engine.Plan {
			p := engine.Decide(s)
			for i, b := range p.Blocks {
				if b.Code == engine.BlockDrainUnprotected && s.Set.DeletedAt.IsZero() && len(s.Set.Finalizers) == 0 && s.Set.Annotations[adapters.AnnotationDrainTemplate] != "" && s.Set.Annotations[adapters.AnnotationDrainOnDelete] == "true" {
					p.Blocks = slices.Delete(p.Blocks, i, i+1)
					finalizer := engine.Action{ID: "finalizer", Kind: s.Set.Kind, Name: s.Set.Name, UID: s.Set.UID,
						Cause: engine.Cause{Code: engine.CauseDrainFinalizer}, Op: engine.SetFinalizer{Finalizer: "setplan.io/drain", Present: true}}
					p.Stages = slices.Insert(p.Stages, 0, engine.Stage{Phase: engine.PhaseDrain, OnFailure: engine.SkipPhase,
						Steps: []engine.Step{{Actions: []engine.Action{finalizer}}}})
					return p
				}
			}
			return p
		},
	},
	"nothing is drained": {
		reason: "drain pods are never made",
		want:   story.EventuallyStableReconciliation,
		seed:   1,
		plan: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			_, creates := a.Op.(engine.CreatePod)
			return !creates || a.Cause.Code != engine.CauseDrain
		}),
	},
	"a drained set does not go": {
		reason: "the finalizer stays for ever",
		want:   story.EventuallyStableReconciliation,
		seed:   1,
		plan: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			f, is := a.Op.(engine.SetFinalizer)
			return !is || f.Present
		}),
	},
	"Never is ignored": {
		reason: "pods are repaired although nobody wants that",
		want:   "UpdateWithinBudget",
		seed:   8,
		plan:   always(engine.RepairUnready),
	},
	"a pod that was ready is repaired": {
		reason: "not ready counts as never ready",
		want:   "UpdateWithinBudget",
		seed:   7,
		plan: blind(func(s *engine.Snapshot) {
			for i := range s.Pods {
				s.Pods[i].ReadyChangedAt = s.Pods[i].StartedAt
			}
		}),
	},
	"nothing is repaired": {
		reason: "a corrected template does not help, and the set waits for a pod of the bad one",
		want:   story.EventuallyStableReconciliation,
		seed:   5,
		plan:   always(engine.RepairNever),
	},
}

// TestPlantedPolicyBugsAreFound is TestPlantedBugsAreFound for what drain and repair promise.
func TestPlantedPolicyBugsAreFound(t *testing.T) { areFound(t, policyPlants) }

package explore

import (
	"maps"
	"slices"
	"strings"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/invariants/law"
)

// ofPhase is an engine that takes drain pods of one phase for ones of another.
func ofPhase(is, seems engine.PodPhase) func(*engine.Snapshot) *engine.Plan {
	return blind(func(s *engine.Snapshot) {
		for i := range s.Pods {
			if p := &s.Pods[i]; p.Annotations != nil && p.Phase == is {
				p.Phase = seems
			}
		}
	})
}

// withoutOwners is an engine that does not see whom some claims belong to, by the names of their pods.
func withoutOwners(of func(s *engine.Snapshot, pod string) bool) func(*engine.Snapshot) *engine.Plan {
	return blind(func(s *engine.Snapshot) {
		for i := range s.Claims {
			if of(s, strings.TrimPrefix(s.Claims[i].Name, claimName+"-")) {
				s.Claims[i].Owners = nil
			}
		}
	})
}

func hasReplica(s *engine.Snapshot, pod string) bool {
	return slices.ContainsFunc(s.Pods, func(p engine.Pod) bool { return p.Annotations == nil && p.Name == pod })
}

// noted is a copy of annotations with another text for one of them, or without it: the scribe uses its own again.
func noted(a *engine.Annotations, name, text string) *engine.Annotations {
	values := map[string]string{}
	if a != nil {
		maps.Copy(values, a.Values)
	}
	if values[name] = text; text == "" {
		delete(values, name)
	}
	return &engine.Annotations{Values: values}
}

// unwarned is an engine that does not say which claims are not protected.
func unwarned(s *engine.Snapshot) *engine.Plan {
	plan := engine.Decide(s)
	plan.Blocks = slices.DeleteFunc(plan.Blocks, func(b engine.Block) bool { return b.Code == engine.BlockDrainUnprotected })
	return plan
}

var drainPlants = map[string]planted{
	"drained too soon": {
		reason: "a drain pod that runs is taken for one that has succeeded",
		want:   law.DataIsDrained,
		drain:  &Drain{},
		decide: ofPhase(engine.PodRunning, engine.PodSucceeded),
	},
	"a failed drain": {
		reason: "a drain pod that has failed is taken for one that has succeeded",
		want:   law.DataIsDrained,
		drain:  &Drain{},
		decide: ofPhase(engine.PodFailed, engine.PodSucceeded),
	},
	"a claim by its name": {
		reason: "claims are deleted without their uid",
		want:   law.EveryWriteHasAPrecondition,
		drain:  &Drain{},
		decide: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			if _, ok := a.Op.(engine.DeleteClaim); ok {
				a.UID = ""
			}
			return true
		}),
	},
	"a claim whose mark is gone": {
		reason: "claims are deleted without their resource version, and a policy that is removed meanwhile does not save them",
		want:   law.DataIsDrained,
		deaf:   law.EveryWriteHasAPrecondition,
		drain:  &Drain{},
		edits:  2,
		two:    true,
		decide: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			if _, ok := a.Op.(engine.DeleteClaim); ok {
				a.ResourceVersion = ""
			}
			return true
		}),
	},
	"a drain that is broken off": {
		reason: "a drain pod that runs is taken for one that has failed",
		want:   law.DrainPodsFinish,
		drain:  &Drain{},
		decide: ofPhase(engine.PodRunning, engine.PodFailed),
	},
	"no order of drains": {
		reason: "the next ordinal goes while one above it is drained",
		want:   law.DrainsInOrder,
		deaf:   law.OrderedReady,
		drain:  &Drain{},
		decide: blind(func(s *engine.Snapshot) {
			s.Set.PodManagementPolicy = "Parallel"
			s.Policy.Drain.MaxParallel = 0
		}),
	},
	"leftovers": {
		reason: "every claim seems to be marked",
		want:   law.OnlyMarkedIsDrained,
		drain:  &Drain{},
		edits:  2,
		decide: blind(func(s *engine.Snapshot) {
			for i := range s.Claims {
				s.Claims[i].Annotations = noted(s.Claims[i].Annotations, adapters.AnnotationDrainSet, drainMark)
			}
		}),
	},
	"a set that goes too soon": {
		reason: "a set that is deleted seems to have no data once it has no pods",
		want:   law.StaysUntilDrained,
		drain:  &Drain{OnDelete: true},
		decide: blind(func(s *engine.Snapshot) {
			if !s.Set.DeletedAt.IsZero() && len(s.Pods) == 0 {
				s.Claims = nil
			}
		}),
	},
	"claims outside the range belong to nobody": {
		reason:    "they are not released, and go with the set",
		want:      law.DataIsDrained,
		deaf:      law.DangerIsSaid,
		retention: 2,
		drain:     &Drain{OnDelete: true, Leftovers: true},
		decide:    withoutOwners(func(s *engine.Snapshot, pod string) bool { return !hasReplica(s, pod) }),
	},
	"claims behind the order belong to nobody": {
		reason:    "what comes after a pod that is not ready is not released",
		want:      law.DataIsDrained,
		deaf:      law.DangerIsSaid,
		retention: 2,
		drain:     &Drain{OnDelete: true},
		decide: withoutOwners(func(s *engine.Snapshot, _ string) bool {
			return slices.ContainsFunc(s.Pods, func(p engine.Pod) bool { return !p.Ready })
		}),
	},
	"a danger that nobody hears of": {
		reason:    "the block is left out",
		want:      law.DangerIsSaid,
		retention: 2,
		drain:     &Drain{OnDelete: true},
		decide:    unwarned,
	},
	"a finalizer that does not wait": {
		reason:    "the set may seem to be deleted while claims belong to it",
		want:      law.FinalizerComesLast,
		retention: 2,
		drain:     &Drain{OnDelete: true},
		decide: func(s *engine.Snapshot) *engine.Plan {
			plan := engine.Decide(s)
			if warned := len(unwarned(s).Blocks) < len(plan.Blocks); warned && s.Set.DeletedAt.IsZero() && len(s.Set.Finalizers) == 0 {
				finalizer := engine.Action{ID: "finalizer", Kind: s.Set.Kind, Name: s.Set.Name, UID: s.Set.UID,
					Op: engine.SetFinalizer{Finalizer: finalizerDrain, Present: true}}
				plan.Stages = []engine.Stage{{Phase: engine.PhaseDrain, OnFailure: engine.SkipPhase, Steps: []engine.Step{{Actions: []engine.Action{finalizer}}}}}
			}
			return plan
		},
	},
	"a drain that is begun for ever": {
		reason: "an ordinal that is back keeps the trace of its drain",
		want:   RestIsRight,
		drain:  &Drain{Cancel: true},
		edits:  2,
		decide: blind(func(s *engine.Snapshot) {
			for i := range s.Claims {
				isItsReplica := func(p engine.Pod) bool { return p.Annotations == nil && strings.HasSuffix(s.Claims[i].Name, p.Name) }
				if slices.ContainsFunc(s.Pods, isItsReplica) {
					s.Claims[i].Annotations = noted(s.Claims[i].Annotations, adapters.AnnotationDrainAttempts, "")
				}
			}
		}),
	},
}

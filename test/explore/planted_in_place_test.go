package explore

import (
	"slices"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/invariants/law"
)

func withInPlace(policy string) func(*Config) {
	return func(config *Config) { config.InPlace = policy }
}

// asIfPossible is an engine that takes InPlaceOnly for InPlaceIfPossible.
var asIfPossible = blind(func(s *engine.Snapshot) {
	s.Set.Annotations = map[string]string{"setplan.io/in-place": "InPlaceIfPossible"}
})

var inPlacePlants = map[string]planted{
	"everything is in place": {
		reason: "whatever differs, the pod is given the label of the revision",
		want:   law.InPlaceIsRight,
		with:   withInPlace("InPlaceIfPossible"),
		decide: spoil(func(s *engine.Snapshot, a *engine.Action) bool {
			at := slices.IndexFunc(s.Pods, func(p engine.Pod) bool { return p.Name == a.Name })
			if a.Op == engine.Operation(engine.DeletePod{}) && a.Cause.Code == engine.CauseOutdated && at >= 0 {
				newest := slices.MaxFunc(s.Revisions, func(a, b engine.Revision) int { return int(a.Number - b.Number) })
				a.ResourceVersion = s.Pods[at].ResourceVersion
				a.Op = engine.UpdatePod{Labels: []engine.KeyValue{{Key: "controller-revision-hash", Value: newest.Name}}, RemoveLabels: []string{tier}}
			}
			return true
		}),
	},
	"pods that are kept go": {
		reason: "a pod that differs in its image is deleted",
		want:   law.InPlaceIsRight,
		with:   withInPlace("InPlaceOnly"),
		decide: asIfPossible,
	},
	"in place below the partition": {
		reason: "the partition is not seen",
		want:   law.InPlaceIsRight,
		deaf:   law.BelowPartition,
		with:   withInPlace("InPlaceOnly"),
		decide: blind(func(s *engine.Snapshot) { s.Set.RollingUpdate.Partition = 0 }),
	},
	"in place, whatever was seen": {
		reason: "a pod that has changed is updated in place",
		want:   law.EveryWriteHasAPrecondition,
		with:   withInPlace("InPlaceIfPossible"),
		decide: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			if _, updates := a.Op.(engine.UpdatePod); updates {
				a.ResourceVersion = ""
			}
			return true
		}),
	},
	"half an update": {
		reason: "the label of the revision is written, and what the revision asks for is not",
		want:   PlanIsMeaningful,
		with:   withInPlace("InPlaceIfPossible"),
		decide: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			if op, updates := a.Op.(engine.UpdatePod); updates {
				op.Labels = slices.DeleteFunc(slices.Clone(op.Labels), func(l engine.KeyValue) bool { return l.Key == tier })
				a.Op = op
			}
			return true
		}),
	},
}

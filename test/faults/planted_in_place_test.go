package faults_test

import (
	"slices"
	"testing"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/story"
)

// inPlacePlants are bugs of updates in place; only every sixteenth life can find them.
var inPlacePlants = map[string]plant{
	"everything is in place": {
		reason: "whatever differs, the pod is given the label of the revision",
		want:   law.InPlaceIsRight,
		seed:   24,
		plan: spoil(func(s *engine.Snapshot, a *engine.Action) bool {
			p := slices.IndexFunc(s.Pods, func(p engine.Pod) bool { return p.Name == a.Name })
			if _, deletes := a.Op.(engine.DeletePod); deletes && a.Cause.Code == engine.CauseOutdated && s.Set.Annotations["setplan.io/in-place"] != "" && p >= 0 {
				a.ResourceVersion = s.Pods[p].ResourceVersion
				a.Op = engine.UpdatePod{Labels: []engine.KeyValue{{Key: "controller-revision-hash", Value: s.Set.Status.UpdateRevision}}}
			}
			return true
		}),
	},
	"pods that are kept go": {
		reason: "InPlaceOnly is taken for InPlaceIfPossible",
		want:   law.InPlaceIsRight,
		seed:   24,
		plan:   misread("in-place", func(string) string { return "InPlaceIfPossible" }),
	},
	"nothing is in place": {
		reason: "the policy is not read, and pods that are kept are deleted",
		want:   law.InPlaceIsRight,
		seed:   24,
		plan:   unread("in-place"),
	},
	"the label stays behind": {
		reason: "labels and annotations are written without that of the revision",
		want:   story.EventuallyStableReconciliation,
		seed:   24,
		plan: spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
			if op, updates := a.Op.(engine.UpdatePod); updates {
				op.Labels = slices.DeleteFunc(slices.Clone(op.Labels), func(l engine.KeyValue) bool { return l.Key == "controller-revision-hash" })
				a.Op = op
			}
			return true
		}),
	},
}

// TestPlantedInPlaceBugsAreFound is TestPlantedBugsAreFound for updates in place.
func TestPlantedInPlaceBugsAreFound(t *testing.T) { areFound(t, inPlacePlants) }

package faults_test

import (
	"slices"
	"strings"
	"testing"
	"time"

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
		seed:   49,
		plan:   misread("in-place", func(string) string { return "InPlaceIfPossible" }),
	},
	"nothing is in place": {
		reason: "the policy is not read, and pods that are kept are deleted",
		want:   law.InPlaceIsRight,
		seed:   24,
		plan:   unread("in-place"),
	},
	"the label comes with the image": {
		reason: "that the containers run it is not waited for",
		want:   law.LabelsAreTrue,
		seed:   24,
		plan: spoil(func(s *engine.Snapshot, a *engine.Action) bool {
			if op, updates := a.Op.(engine.UpdatePod); updates && len(op.Containers) > 0 {
				op.Labels = append(slices.Clone(op.Labels), engine.KeyValue{Key: "controller-revision-hash", Value: s.Set.Status.UpdateRevision})
				a.Op = op
			}
			return true
		}),
	},
	"whatever runs is new": {
		reason: "every container of a pod that is under way seems to have started anew with another image",
		want:   law.LabelsAreTrue,
		seed:   24,
		plan: blind(func(s *engine.Snapshot) {
			for i := range s.Pods {
				if p := &s.Pods[i]; isUnderWay(p) {
					p.Containers, p.Ready = anew(p.Containers), true
				}
			}
		}),
	},
	"whoever asks has": {
		reason: "containers seem to have what their pod asks for, and nothing seems to be left to ask for",
		want:   law.LabelsAreTrue,
		seed:   24,
		plan: blind(func(s *engine.Snapshot) {
			for i := range s.Pods {
				if p := &s.Pods[i]; isUnderWay(p) && p.Containers != nil {
					p.Containers = having(p.Containers)
				}
			}
		}),
	},
	"what starts anew costs nothing": {
		reason: "a pod whose images change seems to be ready, and at its revision",
		want:   law.UpdateWithinBudget,
		seed:   24,
		plan: blind(func(s *engine.Snapshot) {
			for i := range s.Pods {
				if p := &s.Pods[i]; isUnderWay(p) {
					p.Annotations, p.Containers, p.Ready, p.Revision = nil, nil, true, s.Set.Status.UpdateRevision
				}
			}
		}),
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

// isUnderWay reports whether the planner has noted that images of a pod change.
func isUnderWay(p *engine.Pod) bool {
	return p.Annotations != nil && strings.Contains(p.Annotations.Values["setplan.io/in-place-update"], "revision")
}

// anew is containers of which all seem to be others than before.
func anew(c *engine.PodContainers) *engine.PodContainers {
	seen := *c
	seen.ObservedGeneration, seen.Containers = c.Generation, slices.Clone(c.Containers)
	for i := range seen.Containers {
		seen.Containers[i].ContainerID, seen.Containers[i].ImageID, seen.Containers[i].StartedAt = "new", "new", time.Unix(1, 0)
	}
	return &seen
}

// having is containers that seem to have what they ask for.
func having(c *engine.PodContainers) *engine.PodContainers {
	seen := *c
	seen.ObservedGeneration, seen.ResizePending, seen.ResizeInProgress, seen.Containers = c.Generation, nil, nil, slices.Clone(c.Containers)
	for i := range seen.Containers {
		asks := seen.Containers[i].Resources
		seen.Containers[i].StatusResources = &asks
	}
	return &seen
}

// TestPlantedInPlaceBugsAreFound is TestPlantedBugsAreFound for updates in place.
func TestPlantedInPlaceBugsAreFound(t *testing.T) { areFound(t, inPlacePlants) }

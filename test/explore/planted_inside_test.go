package explore

import (
	"slices"
	"strings"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/invariants/law"
)

func withInside(of inner, policy string) func(*Config) {
	return func(config *Config) { config.InPlace, config.Inside = policy, of }
}

// believing is an engine that is shown pods whose containers run and have what their specs say.
func believing(s *engine.Snapshot) {
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

// unsent is an engine that forgets something of the writes to pods.
func unsent(forget func(*engine.UpdatePod)) func(*engine.Snapshot) *engine.Plan {
	return spoil(func(_ *engine.Snapshot, a *engine.Action) bool {
		if op, updates := a.Op.(engine.UpdatePod); updates {
			forget(&op)
			a.Op = op
		}
		return true
	})
}

var insidePlants = map[string]planted{
	"the spec is taken for what runs": {
		reason: "a pod is said to be at a revision as soon as its spec is, and its kubelet knows nothing of that",
		want:   law.LabelsAreTrue,
		with:   withInside(ofImages, "InPlaceOnly"),
		decide: blind(believing),
	},
	"another container is taken for the right one": {
		reason: "it has crashed and started with the old image, before its kubelet knew of the new one",
		want:   law.LabelsAreTrue,
		edits:  1,
		faults: 1,
		with:   withInside(ofImages, "InPlaceIfPossible"),
		decide: blind(func(s *engine.Snapshot) {
			for i := range s.Pods {
				if shown := s.Pods[i].Containers; shown != nil && shown.Containers[0].ContainerID == another.String() {
					believing(s)
				}
			}
		}),
	},
	"what the spec asks for is taken for what a container has": {
		reason: "a pod is said to be at a revision as soon as it asks for its resources",
		want:   law.LabelsAreTrue,
		with:   withInside(ofResources, "InPlaceOnly"),
		decide: blind(believing),
	},
	"restarts for nothing": {
		reason: "containers of two pods start anew at once, and one pod may be missing",
		want:   law.UpdateWithinBudget,
		with:   withInside(ofImages, "InPlaceOnly"),
		decide: blind(func(s *engine.Snapshot) { s.Set.RollingUpdate.MaxUnavailable = &engine.IntOrPercent{Count: 2} }),
	},
	"a record and no image": {
		reason: "the pod is said to be on its way, and its spec stays as it is",
		want:   PlanIsMeaningful,
		with:   withInside(ofImages, "InPlaceOnly"),
		decide: unsent(func(op *engine.UpdatePod) { op.Containers = nil }),
	},
	"no room, and nobody says so": {
		reason: "a pod waits for resources that its node does not have, and no block says so",
		want:   RestIsRight,
		edits:  1,
		faults: 1,
		with:   withInside(ofResources, "InPlaceIfPossible"),
		decide: func(s *engine.Snapshot) *engine.Plan {
			plan := engine.Decide(s)
			for i := range plan.Blocks {
				if b := &plan.Blocks[i]; b.Code == engine.BlockResizeDeferred {
					b.Code = engine.BlockUpdateWaitsForPod
				}
			}
			return plan
		},
	},
}

package explore

import (
	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/invariants/law"
)

func withGrowth(config *Config) { config.Grows = true }

// ofRequests is an engine that alters what claims are to ask for.
func ofRequests(change func(*engine.Claim, *engine.Action, *engine.PatchClaim)) func(*engine.Snapshot) *engine.Plan {
	return spoil(func(s *engine.Snapshot, a *engine.Action) bool {
		if op, patches := a.Op.(engine.PatchClaim); patches {
			for i := range s.Claims {
				if s.Claims[i].Name == a.Name {
					change(&s.Claims[i], a, &op)
				}
			}
			a.Op = op
		}
		return true
	})
}

// grownAtOnce is an engine that takes every volume for grown as soon as its claim asks.
var grownAtOnce = blind(func(s *engine.Snapshot) {
	for i := range s.Claims {
		grown := *s.Claims[i].Storage
		grown.Capacity, grown.Conditions = grown.Request, nil
		s.Claims[i].Storage = &grown
	}
})

var unversionedRequests = ofRequests(func(_ *engine.Claim, a *engine.Action, _ *engine.PatchClaim) { a.ResourceVersion = "" })

var growthPlants = map[string]planted{
	"growth is not seen": {
		reason: "a claim asks for more while its volume grows",
		want:   law.VolumesGrowOnce,
		edits:  2,
		with:   withGrowth,
		decide: grownAtOnce,
	},
	"a request, whatever was seen": {
		reason: "a claim that has changed is changed",
		want:   law.EveryWriteHasAPrecondition,
		with:   withGrowth,
		decide: unversionedRequests,
	},
	"a request, whatever another adapter has asked for": {
		reason: "the same, and nobody looks at the plan: another adapter's request is on its way",
		want:   law.VolumesGrowOnce,
		deaf:   law.EveryWriteHasAPrecondition,
		edits:  2,
		two:    true,
		with:   withGrowth,
		decide: unversionedRequests,
	},
	"a volume that shrinks": {
		reason: "a claim that has grown is to ask for what it did at first",
		want:   law.VolumesNeverShrink,
		edits:  2,
		with:   withGrowth,
		decide: ofRequests(func(c *engine.Claim, _ *engine.Action, op *engine.PatchClaim) {
			if c.Storage.Request != gi(1) {
				op.Request = gi(1)
			}
		}),
	},
	"growth is for sets that are well": {
		reason: "claims wait for pods",
		want:   RestIsRight,
		edits:  2,
		with:   withGrowth,
		decide: func(s *engine.Snapshot) *engine.Plan {
			for i := range s.Pods {
				if !s.Pods[i].Ready {
					return without("claim-templates")(s)
				}
			}
			return engine.Decide(s)
		},
	},
}

package explore

import (
	"bytes"
	"slices"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/invariants/law"
)

func withRemoval(config *Config) { config.Removes = true }

// removes reports whether the set removes its claim template.
func removes(s *engine.Snapshot) bool { return s.Set.Annotations["setplan.io/claim-templates"] != "" }

// forgetful is an engine that deletes the oldest revision as soon as there is another, whoever is at it.
func forgetful(s *engine.Snapshot) *engine.Plan {
	plan := engine.Decide(s)
	if len(s.Revisions) < 2 || !s.Set.DeletedAt.IsZero() {
		return plan
	}
	oldest := slices.MinFunc(s.Revisions, func(a, b engine.Revision) int { return int(a.Number - b.Number) })
	plan.Converged = false
	plan.Stages = append(plan.Stages, engine.Stage{Phase: engine.PhaseHistory, OnFailure: engine.SkipPhase, Steps: []engine.Step{{Actions: []engine.Action{
		{ID: "forget", Kind: engine.KindRevision, Name: oldest.Name, UID: oldest.UID, Op: engine.DeleteRevision{}}}}}})
	return plan
}

var removalPlants = map[string]planted{
	"a pod without the claim of its revision": {
		reason: "a pod below the partition comes back with another volume, because the set removes its claim template",
		want:   law.PodsHaveTheirClaims,
		with:   withRemoval,
		decide: spoil(func(s *engine.Snapshot, a *engine.Action) bool {
			if op, creates := a.Op.(engine.CreatePod); creates && removes(s) {
				op.Manifest = bytes.ReplaceAll(op.Manifest, []byte(`"claimName":"`+claimName), []byte(`"claimName":"other`))
				a.Op = op
			}
			return true
		}),
	},
	"a claim that an old pod waits for": {
		reason: "the claim of a pod below the partition is not made again, because the set removes its template",
		want:   law.ClaimsBeforePods,
		with:   withRemoval,
		decide: spoil(func(s *engine.Snapshot, a *engine.Action) bool {
			return a.Kind != engine.KindClaim || !removes(s)
		}),
	},
	"a removal that is not seen": {
		reason: "pods keep the claim template",
		want:   law.BelowPartition,
		with:   withRemoval,
		decide: without("claim-templates"),
	},
	"a removal that seems to be no edit": {
		reason: "the generation of the set is the one of the status, so its revision seems to be the newest one",
		want:   ComesToRest,
		deaf:   law.BelowPartition,
		with:   withRemoval,
		decide: func(s *engine.Snapshot) *engine.Plan {
			if s.Set.Generation == s.Set.Status.ObservedGeneration && len(s.Revisions) == 1 && bytes.HasPrefix(s.Revisions[0].Data, []byte(`{"spec":`)) {
				return without("claim-templates")(s)
			}
			return engine.Decide(s)
		},
	},
	"a revision that a pod has": {
		reason: "it is deleted",
		want:   law.RevisionsOnlyGrow,
		with:   withRemoval,
		decide: forgetful,
	},
	"a pod that cannot be made again": {
		reason: "the same, and nobody looks at the write: a pod that is lost below the partition does not come back",
		want:   RestIsRight,
		deaf:   law.RevisionsOnlyGrow,
		with:   withRemoval,
		decide: forgetful,
	},
}

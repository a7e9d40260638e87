package explore

import (
	"bytes"
	"fmt"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/invariants/law"
)

func withAddition(config *Config) { config.Adds = true }

var additionPlants = map[string]planted{
	"an old pod with the new claim": {
		reason: "a pod below the partition comes back with a claim that its revision does not have, because the set adds the template",
		want:   law.PodsHaveTheirClaims,
		with:   withAddition,
		decide: spoil(func(s *engine.Snapshot, a *engine.Action) bool {
			if op, creates := a.Op.(engine.CreatePod); creates && removes(s) && !bytes.Contains(op.Manifest, []byte(`"volumes":`)) {
				volume := fmt.Sprintf(`"volumes":[{"name":%q,"persistentVolumeClaim":{"claimName":%q}}],"containers":`, claimName, claimName+"-"+a.Name)
				op.Manifest = bytes.Replace(op.Manifest, []byte(`"containers":`), []byte(volume), 1)
				a.Op = op
			}
			return true
		}),
	},
	"a new pod without the new claim": {
		reason: "an addition is not seen, and its pods wait for a claim that nobody makes",
		want:   law.ClaimsBeforePods,
		with:   withAddition,
		decide: spoil(func(_ *engine.Snapshot, a *engine.Action) bool { return a.Kind != engine.KindClaim }),
	},
	"a revision with the template that a pod has": {
		reason: "it is deleted, and with it what pods of it have",
		want:   law.RevisionsOnlyGrow,
		edits:  2,
		with:   withAddition,
		decide: forgetful,
	},
}

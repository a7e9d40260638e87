package explore

import "github.com/setplan/setplan/test/invariants/law"

func withGates(config *Config) { config.Gated = true }

var gatePlants = map[string]planted{
	"no gate": {
		reason: "pods are updated without an answer",
		want:   law.GatesHold,
		with:   withGates,
		decide: without("before-update"),
	},
	"unconfirmed": {
		reason: "the update goes on without an answer",
		want:   law.GatesHold,
		with:   withGates,
		decide: without("after-update"),
	},
	"an answer that was taken back": {
		reason: "a pod is deleted without its resource version",
		want:   law.GatesHold,
		deaf:   law.RepairTakesNothing,
		edits:  1,
		faults: 1,
		with:   withGates,
		decide: unversioned,
	},
}

package explore

import "github.com/setplan/setplan/test/invariants/law"

func withRanks(config *Config) { config.Ranked = true }

func withLimit(config *Config) { config.Parallel, config.ScaleUpLimit = true, 1 }

var rankPlants = map[string]planted{
	"the rank is not seen": {
		reason: "pods are updated from the highest ordinal down, whoever leads",
		want:   law.LeaderComesLast,
		with:   withRanks,
		decide: without("update-rank"),
	},
	"a pod that leads by now": {
		reason: "a pod is deleted without its resource version, and has taken the lead",
		want:   law.LeaderComesLast,
		deaf:   law.RepairTakesNothing,
		with:   withRanks,
		decide: unversioned,
	},
	"no limit of the scale-up": {
		reason: "all pods are created at once",
		want:   law.ScaleUpWithinLimit,
		with:   withLimit,
		decide: without("scale-up-limit"),
	},
}

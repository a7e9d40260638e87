package explore

import "github.com/setplan/setplan/engine"

// PairConfigs are sets with two policies where one has a say in what the other does: the leader is evicted, and its budget is asked; somebody has to agree
// that a container starts again; where budgets are respected none does, since nobody would ask them; and claims grow while pods change in place.
func PairConfigs(bounds Bounds) []Config {
	pairs := []Config{
		{Ranked: true, Budgets: true},
		{Gated: true, InPlace: "InPlaceIfPossible", Inside: ofImages},
		{Budgets: true, InPlace: "InPlaceIfPossible", Inside: ofImages},
		{Grows: true, InPlace: "InPlaceOnly", Inside: ofResources},
	}
	for i := range pairs {
		config := &pairs[i]
		config.MaxUnavailable, config.HistoryLimit, config.Bounds, config.Decide = 1, 10, bounds, engine.Decide
	}
	return pairs
}

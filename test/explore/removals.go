package explore

import "github.com/setplan/setplan/engine"

// RemovalConfigs are both management policies of sets whose template B is template A without its claim, with revisions that are kept and ones that
// are deleted as soon as nobody needs them.
func RemovalConfigs(bounds Bounds) []Config {
	var configs []Config
	for _, parallel := range []bool{false, true} {
		for _, limit := range []int32{10, 0} {
			configs = append(configs, Config{Parallel: parallel, MaxUnavailable: 1, WhenScaled: limit == 0, WhenDeleted: parallel, Removes: true,
				HistoryLimit: limit, Bounds: bounds, Decide: engine.Decide})
		}
	}
	return configs
}

// isWithout reports whether the pods of a revision have no claim. The claims of earlier pods stay where they are.
func (config *Config) isWithout(r revision) bool {
	return config.Removes && r == changedRevision || config.Adds && r != changedRevision
}

// onlyAnnotates reports whether an edit changes the set's annotations alone, and so is no new generation of the set.
func (config *Config) onlyAnnotates(before, after *cluster) bool {
	removes := func(from, to *cluster) bool {
		return config.Removes && from.template == 1 && config.isWithout(to.template)
	}
	return before.size != after.size || removes(before, after) || removes(after, before)
}

package explore

import (
	"slices"

	"github.com/setplan/setplan/engine"
)

// RankConfigs are both management policies of sets that are updated by rank. Those that are Parallel start one pod at a time.
func RankConfigs(bounds Bounds) []Config {
	var configs []Config
	for _, parallel := range []bool{false, true} {
		configs = append(configs, Config{Parallel: parallel, MaxUnavailable: 1, Ranked: true, ScaleUpLimit: bit(parallel), HistoryLimit: 10,
			Bounds: bounds, Decide: engine.Decide})
	}
	return configs
}

// rankSteps: while nobody leads, any pod that is available may be elected. Another one may take the lead. A pod that is going or has ended leads no
// more.
func (w *world) rankSteps(c *cluster, faults bool) {
	if !w.config.Ranked {
		return
	}
	leader := slices.IndexFunc(c.pods[:], func(p pod) bool { return p.leads })
	for i, p := range c.pods {
		if !p.available() || p.leads || leader >= 0 && !faults {
			continue
		}
		e := event{name: "is elected: pod", ordinal: i, cost: benign, after: *c, changed: podKept(i)}
		if leader >= 0 {
			e.name, e.cost, e.changed = "takes the lead: pod", fault, podKept(i)|podKept(leader)
			e.after.pods[leader].leads = false
		}
		e.after.pods[i].leads = true
		w.add(c, e)
	}
}

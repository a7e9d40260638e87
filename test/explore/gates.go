package explore

import (
	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
)

// GateConfigs are both management policies of sets where somebody has to agree before each pod is updated, and after it.
func GateConfigs(bounds Bounds) []Config {
	var configs []Config
	for _, parallel := range []bool{false, true} {
		configs = append(configs, Config{Parallel: parallel, MaxUnavailable: 1, Gated: true, HistoryLimit: 10, Bounds: bounds, Decide: engine.Decide})
	}
	return configs
}

// gateSteps: whoever is asked agrees, sooner or later, and may take the answer back. An answer is for one revision, whatever the set has by then.
func (w *world) gateSteps(c *cluster, faults bool) {
	if !w.config.Gated || c.deleting {
		return
	}
	for i, p := range c.pods {
		if !p.replica() || p.mode != staying || p.phase == failed || !c.inRange(i) {
			continue
		}
		step := func(name string, cost cost, mayLeave, confirmed revision) {
			e := event{name: name, ordinal: i, cost: cost, after: *c, changed: podKept(i)}
			e.after.pods[i].mayLeave, e.after.pods[i].confirmed = mayLeave, confirmed
			w.add(c, e)
		}
		if to := c.comesBackAt(i); p.at() != to && p.mayLeave != to {
			step("somebody agrees to update pod", benign, to, p.confirmed)
		}
		if p.rev == c.updateRevision() && p.confirmed != p.rev && p.phase == ready {
			step("somebody confirms pod", benign, p.mayLeave, p.rev)
		}
		if faults && p.mayLeave != 0 {
			step("somebody takes the answer back: pod", fault, 0, p.confirmed)
		}
	}
}

// prepareAnswers makes the annotations of pods with every answer.
func (s *scribe) prepareAnswers() {
	for mayLeave := range s.answers {
		for confirmed := range s.answers[mayLeave] {
			values := prefixed(map[string]string{"before-update": s.name(revision(mayLeave)), "after-update": s.name(revision(confirmed))})
			if len(values) > 0 {
				s.answers[mayLeave][confirmed] = &model.Annotations{Values: values}
			}
		}
	}
}

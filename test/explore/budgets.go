package explore

import (
	"slices"
	"time"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
)

// A set that respects disruption budgets evicts, and the API server asks the budget of its pods. An eviction by somebody else, such as the
// drain of a node, is a deletion like any other: what it leaves healthy counts.

// BudgetConfigs are both management policies of sets that respect disruption budgets. The budget wants any number of healthy pods, and edits
// change that.
func BudgetConfigs(bounds Bounds) []Config {
	var configs []Config
	for _, parallel := range []bool{false, true} {
		configs = append(configs, Config{Parallel: parallel, MaxUnavailable: 1 + int32(bit(parallel)), Budgets: true, HistoryLimit: 10,
			Bounds: bounds, Decide: engine.Decide})
	}
	return configs
}

// refusal is what an adapter remembers of a pod's eviction.
type refusal uint8

const (
	neverRefused refusal = iota
	refusedNow
	refusedEarlier // so long ago that it is asked again
)

func (r refusal) String() string {
	return [...]string{"", ", refused", ", refused earlier"}[r]
}

// healthy counts the pods that the budget counts.
func (c *cluster) healthy() (n uint8) {
	for _, p := range c.pods {
		if p.phase == ready && p.mode == staying {
			n++
		}
	}
	return n
}

// belowWant reports whether a budget wants every healthy pod that is there.
func (c *cluster) belowWant() bool { return c.wants > 0 && c.healthy() <= c.wants }

// budgetHolds reports whether the API server refuses a pod's eviction. One that has ended, waits for a node or is going needs no budget; one
// that is not ready needs one that is met (canIgnorePDB and the policy IfHealthyBudget).
func (c *cluster) budgetHolds(p pod) bool {
	if !p.exists() || p.mode != staying || p.phase == pending || p.phase == failed || c.wants == 0 {
		return false
	}
	return c.belowWant() && (p.phase == ready || c.healthy() < c.wants)
}

// evict is the deletion of a pod that its budget allows. The API server asks the budget before the preconditions.
func (c *cluster) evict(w *write, same uint32) result {
	p := &c.pods[w.ordinal]
	if c.budgetHolds(*p) {
		p.refused = refusedNow
		return result{noted: true}
	}
	return c.deletePod(w, same)
}

// refusalSteps: what was refused is asked again after a while, and an adapter that restarts does not know of it. Only what is allowed by then has
// to be asked again.
func (w *world) refusalSteps(c *cluster) {
	for i, p := range c.pods {
		if p.refused == neverRefused {
			continue
		}
		step := func(name string, cost cost, after refusal) {
			e := event{name: name, ordinal: i, cost: cost, after: *c}
			e.after.pods[i].refused = after
			w.add(c, e)
		}
		if p.refused == refusedNow {
			allowed := benign
			if c.budgetHolds(p) {
				allowed = repair
			}
			step("time passes for the refused pod", allowed, refusedEarlier)
		}
		step("nobody remembers the refusal of pod", repair, neverRefused)
	}
}

// budgetEdits: somebody edits the budget, or pods that share it come and go.
func (w *world) budgetEdits(c *cluster) {
	for n := range uint8(w.config.Bounds.Ordinals + 1) {
		if w.config.Budgets && n != c.wants {
			e := event{name: "the disruption budget wants", ordinal: -1, value: int(n), cost: editing, after: *c}
			e.after.wants = n
			w.add(c, e)
		}
	}
}

// prepareRefusals makes the outcomes of each pod's refused evictions. Only the engine knows how it calls them: it is asked in clusters where
// nothing else is left to do than to take that pod away.
func (s *scribe) prepareRefusals() {
	if !s.config.Budgets {
		return
	}
	for i := range maxOrdinals {
		down := cluster{replicas: uint8(i), template: 1, statusCurrent: 1, statusNew: 1, told: true}
		down.ranks[1] = 1
		for j := range i + 1 {
			down.pods[j], down.claims[j] = pod{phase: ready, rev: 1}, claim{exists: true}
		}
		s.rememberRefusal(i, &down)
		for r := revision(1); r <= revisionCount; r++ {
			outdated := down
			outdated.replicas, outdated.template, outdated.statusNew = uint8(i+1), r, r
			if r == 1 {
				outdated.pods[i].rev, outdated.ranks[2] = 2, 1
			}
			outdated.ranks[r] = 2
			outdated.pods[i].leads = s.config.Ranked // else nobody does, and the last pod stays for that
			for j := range i {
				outdated.pods[j].rev = r
			}
			s.rememberRefusal(i, &outdated)
		}
	}
}

// rememberRefusal makes the outcomes of a pod's eviction in the plan for a cluster: of just now, and of long ago.
func (s *scribe) rememberRefusal(ordinal int, c *cluster) {
	for _, stage := range engine.Decide(s.write(c)).Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if _, evicts := a.Op.(model.EvictPod); evicts && a.Name == s.podNames[ordinal] {
					outcome := model.Outcome{ActionID: a.ID, Result: model.OutcomeDisruptionBudget, Count: 1, Message: "the budget", TriedAt: noon}
					s.refused[ordinal][refusedNow] = append(s.refused[ordinal][refusedNow], outcome)
					outcome.TriedAt = noon.Add(-time.Hour)
					s.refused[ordinal][refusedEarlier] = append(s.refused[ordinal][refusedEarlier], outcome)
				}
			}
		}
	}
}

// isHeld reports whether a block tells the truth about a disruption budget.
func (s *search) isHeld(c *cluster, b *model.Block) bool {
	i := slices.Index(s.planner.scribe.podNames[:], b.Name)
	return b.Code == model.BlockDisruptionBudget && i >= 0 && c.budgetHolds(c.pods[i])
}

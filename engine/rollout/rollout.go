package rollout

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// Rollout is what the set asks for about the order and the speed of changes.
type Rollout struct {
	state.View
	Ranking      ranking
	Gates        gates
	Budgets      bool // whether disruption budgets are respected: see TakeAway
	ScaleUpLimit int  // of pods that were created and are not ready, where the set is Parallel; see ReadScaleUpLimit
	remembered
}

// remembered is what was computed from the rest, on first use.
type remembered struct {
	nearMisses map[*model.Labels]string // see nearMiss
}

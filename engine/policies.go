package engine

import (
	"math"

	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/ordinals"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/rollout"
	"github.com/setplan/setplan/engine/state"
)

// readOrdinals reads which ordinals a set has, and what it asks for about their pods. It returns false if the ordinals cannot be known: any
// guess would create or delete pods. A set that another controller runs asks for nothing.
func readOrdinals(v *view, out *state.Draft) bool {
	v.Ordinals, _ = ordinals.New(v.Set.OrdinalsStart, "")
	if v.Snap.Policy.WholeSet() && !readPodPolicies(v, out) {
		return false
	}
	state.ReadAvailability(&v.View)
	if last := v.Ordinals.At(int(v.Set.Replicas) - 1); v.Set.Replicas > 0 && last > math.MaxInt32 {
		out.Block(blockLastOrdinal(v.Set, last))
		return false
	}
	return true
}

// readPodPolicies reads the scale-in guard, the pause, the ranks of pods, the limit of a scale-up, the gates of updates, whether disruption budgets are respected, what is updated in
// place, and the ordinals that are reserved.
func readPodPolicies(v *view, out *state.Draft) bool {
	if !state.ReadOwnFields(&v.View, out) {
		return false
	}
	if v.AsksNothing() {
		return true
	}
	v.Guard, v.Paused = state.ReadGuard(&v.View, out), state.ReadPause(&v.View, out)
	v.Ranking, v.ScaleUpLimit = rollout.ReadRanking(&v.Rollout, out), rollout.ReadScaleUpLimit(&v.Rollout, out)
	v.Gates, v.InPlace = rollout.ReadGates(&v.Rollout), inplace.ReadInPlace(&v.Pods, out)
	inplace.ReadResizePolicies(&v.Pods, out)
	rollout.ReadBudgets(&v.Rollout, out)
	reserved := v.Asks(policy.Reserved)
	list, err := ordinals.New(v.Set.OrdinalsStart, reserved.Text)
	if err != nil {
		out.Block(blockInvalidReserved(v.Set, reserved, err))
		return false
	}
	v.Ordinals = list
	return true
}

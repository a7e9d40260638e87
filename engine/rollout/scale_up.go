package rollout

import (
	"math"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// ReadScaleUpLimit reads how many pods a Parallel set may have that were created and are not ready, by the annotation setplan.io/scale-up-limit
// or spec.scaleUpLimit: a number, or a percentage of the replicas. An unknown text counts as 1, because it is meant to hold something back.
// Kruise has the same for its sets (scaleStrategy.maxUnavailable).
func ReadScaleUpLimit(v *Rollout, out *state.Draft) int {
	of := v.Asks(policy.ScaleUp)
	if of.Text == "" {
		return math.MaxInt
	}
	limit, ok := v.share(of.Text)
	if !ok {
		out.Block(blockInvalidScaleUpLimit(v.Set, of))
		return 1
	}
	return limit
}

// share reads a number of pods of at least 1, or a percentage of the replicas: rounded down, and at least 1.
func (v *Rollout) share(text string) (pods int, ok bool) {
	if len(text) > state.LongestAttempts {
		return 0, false
	}
	number, percentage := strings.CutSuffix(text, "%")
	n, err := strconv.ParseInt(number, 10, 32)
	if err != nil || n < 1 {
		return 0, false
	}
	if percentage {
		n = max(1, n*int64(v.Set.Replicas)/100)
	}
	return int(n), true
}

// ScaleUp is what a limit of the scale-up leaves to be created.
type ScaleUp struct {
	Left  int    // pods that may still be created
	first string // of the pods that wait; empty: none does
	Held  int    // how many wait
}

// NewScaleUp counts the pods that were created and are not ready. A terminating pod does not count: its replacement can only be
// created once it is gone.
func NewScaleUp(v *Rollout) ScaleUp {
	up := ScaleUp{Left: v.ScaleUpLimit}
	if v.ScaleUpLimit == math.MaxInt {
		return up
	}
	for _, p := range v.Replicas {
		if p != nil && !p.RunningReady() && !p.Terminating() && !p.HasEnded() {
			up.Left--
		}
	}
	return up
}

// MayCreate reports whether a pod may be created, and else notes that it waits.
func (up *ScaleUp) MayCreate(pod string) bool {
	if up.Left > 0 {
		return true
	}
	if up.Held++; up.Held == 1 {
		up.first = pod
	}
	return false
}

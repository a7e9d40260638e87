package engine

import (
	"math"
	"strconv"
	"strings"
)

// readScaleUpLimit reads how many pods a Parallel set may have that were created and are not ready, by the annotation setplan.io/scale-up-limit
// or spec.scaleUpLimit: a number, or a percentage of the replicas. An unknown text counts as 1, because it is meant to hold something back.
// Kruise has the same for its sets (scaleStrategy.maxUnavailable).
func readScaleUpLimit(v *view, out *draft) int {
	of := v.asks(annotationScaleUp)
	if of.text == "" {
		return math.MaxInt
	}
	limit, ok := v.share(of.text)
	if !ok {
		out.block(blockInvalidScaleUpLimit(v.set, of))
		return 1
	}
	return limit
}

// share reads a number of pods of at least 1, or a percentage of the replicas: rounded down, and at least 1.
func (v *view) share(text string) (pods int, ok bool) {
	if len(text) > longestAttempts {
		return 0, false
	}
	number, percentage := strings.CutSuffix(text, "%")
	n, err := strconv.ParseInt(number, 10, 32)
	if err != nil || n < 1 {
		return 0, false
	}
	if percentage {
		n = max(1, n*int64(v.set.Replicas)/100)
	}
	return int(n), true
}

// scaleUp is what a limit of the scale-up leaves to be created.
type scaleUp struct {
	left  int    // pods that may still be created
	first string // of the pods that wait; empty: none does
	held  int    // how many wait
}

// newScaleUp counts the pods that were created and are not ready. One that is going is none of them: another one may take its place only once
// it is gone.
func newScaleUp(v *view) scaleUp {
	up := scaleUp{left: v.scaleUpLimit}
	if v.scaleUpLimit == math.MaxInt {
		return up
	}
	for _, p := range v.replicas {
		if p != nil && !p.RunningReady() && !p.Terminating() && !p.HasEnded() {
			up.left--
		}
	}
	return up
}

// mayCreate reports whether a pod may be created, and else notes that it waits.
func (up *scaleUp) mayCreate(pod string) bool {
	if up.left > 0 {
		return true
	}
	if up.held++; up.held == 1 {
		up.first = pod
	}
	return false
}

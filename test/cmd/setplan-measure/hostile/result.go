package hostile

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// result is what one neighbour cost the healthy set.
type result struct {
	alone, beside       []life
	builtin             []life // beside it, under the built-in controller
	builtinEnds         string // why there are fewer of those
	memoryAlone, memory int64
}

// grain is how much the times of one run vary on a busy machine: a ratio of smaller times means nothing.
const grain = 500 * time.Millisecond

// report prints medians and ratios; an error names those that were too large. A neighbour may keep the API server so busy that
// no controller is quick beside it. So a time above the bound is no failure if the built-in controller takes at least twice as
// long, or does not finish.
func (r *result) report(w io.Writer, o *options) error {
	var failed []error
	for _, act := range acts {
		alone, beside := median(r.alone, act), median(r.beside, act)
		ratio := float64(max(beside, grain)) / float64(max(alone, grain))
		builtin, slower := r.builtinEnds, true
		if builtin == "" {
			theirs := median(r.builtin, act)
			builtin, slower = fmt.Sprintf("takes %.2f s", theirs.Seconds()), theirs >= 2*beside
		}
		_, _ = fmt.Fprintf(w, "  %-7s alone %6.2f s, beside it %6.2f s, ratio %.2f; the built-in controller %s\n", act, alone.Seconds(),
			beside.Seconds(), ratio, builtin)
		switch {
		case ratio <= o.most:
		case slower:
			_, _ = fmt.Fprintf(w, "          the API server is what is slow: the built-in controller takes more than twice as long\n")
		default:
			failed = append(failed, fmt.Errorf("%s takes %.2f times as long", act, ratio))
		}
	}
	_, _ = fmt.Fprintf(w, "  memory  alone %d MiB, beside it %d MiB of %d\n", r.memoryAlone>>20, r.memory>>20, o.memory)
	return errors.Join(failed...)
}

func median(lives []life, act string) time.Duration {
	var all []time.Duration
	for _, life := range lives {
		all = append(all, life[act])
	}
	slices.Sort(all)
	return all[len(all)/2]
}

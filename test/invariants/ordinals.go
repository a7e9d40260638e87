package invariants

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/setplan/setplan/test/invariants/law"
)

var reservedSpan = regexp.MustCompile(`(\d+)(?:-(\d+))?`)

// reserved lists the ordinals that the set does not have, in ascending order; stories reserve few.
func (r *reading) reserved() (all []int) {
	for _, match := range reservedSpan.FindAllStringSubmatch(r.set.Annotations["setplan.io/reserved-ordinals"], -1) {
		from, _ := strconv.Atoi(match[1])
		to, err := strconv.Atoi(match[2])
		if err != nil {
			to = from
		}
		for ordinal := from; ordinal <= to; ordinal++ {
			all = append(all, ordinal)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// wanted lists the ordinals of the range.
func (r *reading) wanted() (all []int) {
	reserved := r.reserved()
	for ordinal := r.start(); len(all) < r.replicas; ordinal++ {
		if !slices.Contains(reserved, ordinal) {
			all = append(all, ordinal)
		}
	}
	return all
}

func (r *reading) guarded() bool { return r.set.Annotations["setplan.io/scale-in-guard"] != "" }

func (r *reading) paused() law.Pause {
	switch r.set.Annotations["setplan.io/pause"] {
	case "":
		return law.PauseNothing
	case "Updates":
		return law.PauseUpdates
	case "All":
		return law.PauseAll
	}
	return law.PauseHealOnly
}

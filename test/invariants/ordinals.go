package invariants

import (
	"regexp"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/sim"
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

// ordinalsAreOdd: an annotation that says which ordinals there are, or what is held back, cannot be read.
func (r *reading) ordinalsAreOdd() bool {
	notes := r.set.Annotations
	return notes["setplan.io/reserved-ordinals"] == "odd" || notes["setplan.io/scale-in-guard"] == "odd" || notes["setplan.io/pause"] == "odd"
}

// guardKeepsOne: a pod outside the range stays because nobody has named it.
func (r *reading) guardKeepsOne() bool {
	for ordinal := range r.pods {
		if r.guarded() && !r.inRange(ordinal) && !slices.Contains(r.reserved(), ordinal) {
			return true
		}
	}
	return false
}

// staysEnded: a pause of everything leaves a pod that has ended where it is, and what takes no pod outside the range leaves those there.
func (r *reading) staysEnded(pod *corev1.Pod) bool {
	ordinal, _ := ordinalOf(pod.Name, r.set.Name)
	return sim.HasEnded(pod) && (r.paused() == law.PauseAll || !r.inRange(ordinal) && (r.paused() == law.PauseHealOnly || r.guarded()))
}

// IsPaused reports whether a pause holds something back.
func IsPaused(state sim.State, set string) bool {
	r := read(state, set)
	return r != nil && r.paused() != law.PauseNothing
}

package invariants

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/test/sim"
)

// The annotations that say in which order and how fast pods are updated and created, and who is asked.
const (
	annotationRank    = "setplan.io/update-rank"
	annotationScaleUp = "setplan.io/scale-up-limit"
	annotationBefore  = "setplan.io/before-update"
	annotationAfter   = "setplan.io/after-update"
	annotationBudget  = "setplan.io/disruption-budget"
)

// respectsBudgets reports whether disruption budgets are respected; what cannot be read counts as yes.
func (r *reading) respectsBudgets() bool {
	text := r.set.Annotations[annotationBudget]
	return text != "" && text != "Ignore"
}

// budgetIsSpent: as many pods are healthy as a disruption budget of this one wants.
func (r *reading) budgetIsSpent(pod *corev1.Pod) bool {
	return slices.ContainsFunc(r.state.Budgets(), func(b *sim.Budget) bool {
		return b.Selects(pod) && r.state.Healthy(b) <= b.Spec.MinAvailable.IntValue()
	})
}

func (r *reading) ranked() bool { return r.set.Annotations[annotationRank] != "" }

// rank is the rank of a pod; -1 if it cannot be read.
func (r *reading) rank(pod *corev1.Pod) int {
	key, value, leads := strings.Cut(r.set.Annotations[annotationRank], "=")
	text := pod.Labels[key]
	switch {
	case leads && text == value:
		return 1
	case leads || text == "":
		return 0
	}
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return int(n)
	}
	return -1
}

// scaleUpLimit is 0 where there is none; what cannot be read counts as 1.
func (r *reading) scaleUpLimit() int {
	text := r.set.Annotations[annotationScaleUp]
	number, percentage := strings.CutSuffix(text, "%")
	n, err := strconv.Atoi(number)
	switch {
	case text == "":
		return 0
	case err != nil || n < 1:
		return 1
	case percentage:
		return max(1, n*r.replicas/100)
	}
	return n
}

// paceIsOdd: an annotation names no label, no number, or neither Respect nor Ignore.
func (r *reading) paceIsOdd() bool {
	return strings.Count(r.set.Annotations[annotationRank], "=") > 1 || r.set.Annotations[annotationScaleUp] == "odd" ||
		r.respectsBudgets() && r.set.Annotations[annotationBudget] != "Respect"
}

// leaderIsUnclear: no pod has the highest rank for itself, or a rank cannot be read.
func (r *reading) leaderIsUnclear() bool {
	highest, having := 0, 0
	for _, name := range r.state.Names(sim.KindPod) {
		pod := r.state.Pod(name)
		if !r.owns(pod) || pod.DeletionTimestamp != nil || sim.HasEnded(pod) {
			continue
		}
		switch rank := r.rank(pod); {
		case rank < 0:
			return true
		case rank > highest:
			highest, having = rank, 1
		case rank == highest:
			having++
		}
	}
	return highest == 0 || having > 1
}

package forecast

import (
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// parallel is a new template for a Parallel set.
func parallel(s *model.Snapshot, budget int32) *model.Snapshot {
	return edit(s, func(s *model.Set) {
		s.PodTemplate, s.PodManagementPolicy, s.RollingUpdate.MaxUnavailable = image("web:2"), "Parallel", &model.IntOrPercent{Count: budget}
	})
}

// TestWorst: every order is tried, and the budget holds in all of them.
func TestWorst(t *testing.T) {
	five := running(t, newSet(5))
	for reason, row := range map[string]struct {
		s           *model.Snapshot
		peak, least int // states
	}{
		"nothing":              {five, 0, 1},
		"one after the other":  {edit(five, func(s *model.Set) { s.PodTemplate = image("web:2") }), 1, 10},
		"two at once":          {parallel(five, 2), 2, 30},
		"all at once":          {parallel(five, 5), 5, 243}, // each pod goes and becomes ready by itself: three to the power of five
		"with minReadySeconds": {edit(parallel(running(t, newSet(3)), 2), func(s *model.Set) { s.MinReadySeconds = 5 }), 2, 40},
		"in place, seen late": {edit(running(t, newSet(4)), func(s *model.Set) {
			s.PodTemplate, s.RollingUpdate.MaxUnavailable = image("web:2"), &model.IntOrPercent{Count: 2}
			s.Annotations = map[string]string{"setplan.io/in-place": "InPlaceOnly"}
		}), 2, 10},
		"a broken pod, for ever": {breakPod(parallel(five, 2), "web-3", false), 2, 30},
	} {
		w := Worst(nil, row.s, Options{})
		if w.PeakUnavailable != row.peak || !w.All || w.States < row.least {
			t.Errorf("%s: %+v, want a peak of %d and at least %d states", reason, w, row.peak, row.least)
		}
	}
}

// TestWorstOfMany: of a set that is too large one order is tried, and the answer says that it is no bound. So it does at the limit of plans.
func TestWorstOfMany(t *testing.T) {
	if w := Worst(nil, parallel(running(t, newSet(worstPods+1)), 2), Options{}); w.All || w.PeakUnavailable != 2 || w.States > 10 {
		t.Errorf("of many pods: %+v", w)
	}
	few := parallel(running(t, newSet(3)), 2)
	if w := Worst(nil, few, Options{MaxSteps: 5}); w.All {
		t.Errorf("at the limit: %+v", w)
	}
	if w := Worst(func() bool { return true }, few, Options{}); w != nil {
		t.Errorf("after it was stopped: %+v", w)
	}
}

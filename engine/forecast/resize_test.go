package forecast

import (
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// cpu is a template whose container asks for so much; starts: and starts again to get it.
func cpu(amount string, starts bool) []byte {
	policy := ""
	if starts {
		policy = `"resizePolicy":[{"resourceName":"cpu","restartPolicy":"RestartContainer"}],`
	}
	return []byte(strings.Replace(template, `"name":"web"`, `"name":"web",`+policy+`"resources":{"requests":{"cpu":"`+amount+`"}}`, 1))
}

// moreCPU is a set of three that asks for more, in place.
func moreCPU(t testing.TB, starts bool) *model.Snapshot {
	set := newSet(3)
	set.PodTemplate = cpu("1", starts)
	return edit(running(t, set), func(set *model.Set) {
		set.PodTemplate = cpu("2", starts)
		set.Annotations = map[string]string{"setplan.io/in-place": "InPlaceIfPossible"}
	})
}

// after is the snapshot after the first action of a name.
func after(t testing.TB, s *model.Snapshot, operation func(model.Operation) bool) *model.Snapshot {
	t.Helper()
	f := newForecast(newMeter(nil, nil), s, Options{})
	found := false
	f.run(func(step Step) bool {
		found = slices.ContainsFunc(step.Actions, func(a model.Action) bool { return operation(a.Op) })
		return !found
	})
	if !found {
		t.Fatal("there is no such action")
	}
	there := f.Snapshot
	return &there
}

// resizeOf is the id of the first action that gives a pod resources.
func resizeOf(t testing.TB, s *model.Snapshot) (id string) {
	t.Helper()
	newForecast(newMeter(nil, nil), s, Options{}).run(func(step Step) bool {
		for _, a := range step.Actions {
			if _, is := a.Op.(model.ResizePod); is && id == "" {
				id = a.ID
			}
		}
		return id == ""
	})
	return id
}

// TestResourcesInPlace: pods get resources while they run, and the labels follow; where containers start again for that, one pod after the other.
func TestResourcesInPlace(t *testing.T) {
	resizes := func(op model.Operation) bool { _, is := op.(model.ResizePod); return is }
	starts := func(op model.Operation) bool { _, is := op.(model.UpdatePod); return is }
	with := func(s *model.Snapshot, change func(of *model.PodContainers)) *model.Snapshot {
		return changePod(s, "web-2", func(p *model.Pod) {
			of := *p.Containers
			of.Containers = slices.Clone(of.Containers)
			change(&of)
			p.Containers = &of
		})
	}
	refuses := func(s *model.Snapshot, reason string) *model.Snapshot {
		return with(s, func(of *model.PodContainers) {
			of.ResizePending, of.Containers[0].StatusResources = &model.PodResize{Reason: reason, Since: noon, ObservedGeneration: of.Generation}, &model.Resources{}
		})
	}
	asks := func(s *model.Snapshot, annotation, text string) *model.Snapshot {
		return edit(s, func(set *model.Set) {
			set.Annotations = map[string]string{"setplan.io/in-place": set.Annotations["setplan.io/in-place"], annotation: text}
		})
	}
	tooSmall := func(s *model.Snapshot, mode string) *model.Snapshot { // the API server has refused web-2, and will
		s = asks(s, "setplan.io/resize-infeasible", mode)
		s.Outcomes = []model.Outcome{{ActionID: resizeOf(t, s), Result: model.OutcomeNodeCapacity, Count: 1, TriedAt: s.ObservedAt, Message: "node didn't have enough allocatable resources: cpu"}}
		return s
	}
	lacks := *moreCPU(t, false)
	lacks.Capabilities &^= model.CanResizePod
	asked := after(t, moreCPU(t, false), resizes)
	for reason, row := range map[string]struct {
		s                           *model.Snapshot
		updated, revised, recreated string
		seconds                     float64
		peak                        int
		verdict                     Verdict
	}{
		"while they run":                {moreCPU(t, false), "web-2 web-1 web-0", "", "", 0, 0, Converged},
		"containers start again":        {moreCPU(t, true), "web-2 web-1 web-0", "web-2 web-1 web-0", "", 30, 1, Converged},
		"an adapter that cannot":        {&lacks, "", "", "web-2 web-1 web-0", 60, 1, Converged},
		"one is on its way":             {after(t, moreCPU(t, false), starts), "web-2 web-1 web-0", "", "", 0, 0, Converged},
		"one has just been asked":       {asked, "web-2 web-1 web-0", "", "", 0, 0, Converged},
		"one has asked, and lacks it":   {with(asked, func(of *model.PodContainers) { of.Containers[0].StatusResources = nil }), "web-2 web-1 web-0", "", "", 0, 0, Converged},
		"one starts again now":          {after(t, moreCPU(t, true), resizes), "web-2 web-1 web-0", "web-1 web-0", "", 30, 1, Converged},
		"a node has no room":            {refuses(asked, "Deferred"), "", "", "", 0, 0, BlockedForEver},
		"a node never has":              {refuses(asked, "Infeasible"), "web-1 web-0", "", "web-2", 20, 1, Converged},
		"the same, and it is sent back": {edit(refuses(asked, "Infeasible"), func(set *model.Set) { set.PodTemplate = cpu("1", false) }), "web-2", "", "", 0, 0, Converged},
		"a node is too small":           {tooSmall(after(t, moreCPU(t, false), starts), "Recreate"), "web-1 web-0", "", "web-2", 20, 1, Converged},
		"a node is too small: Wait":     {tooSmall(after(t, moreCPU(t, false), starts), "Wait"), "", "", "", 300, 0, BlockedForEver},
		"a node has no room: Keep":      {asks(refuses(asked, "Deferred"), "setplan.io/resize-deferred", "Keep"), "web-1 web-0", "", "", 0, 0, BlockedForEver},
		"a node has no room: a time":    {asks(refuses(asked, "Deferred"), "setplan.io/resize-deferred", "10m"), "web-1 web-0", "", "web-2", 620, 1, Converged},
	} {
		_, r := forecastOf(t, row.s, Options{})
		if r.Verdict != row.verdict || names(r.Updated) != row.updated || names(r.ContainerRestarts) != row.revised || r.restarts() != row.recreated ||
			r.To.Sub(r.From).Seconds() != row.seconds || r.Peak.Unavailable != row.peak {
			t.Errorf("%s: %v, updated %s, revised %s, recreated %s, after %s, %d unavailable\n%+v", reason, r.Verdict, names(r.Updated), names(r.ContainerRestarts), r.restarts(),
				r.To.Sub(r.From), r.Peak.Unavailable, r.Blocks)
		}
		if w := Worst(nil, row.s, Options{}); w.PeakUnavailable > row.peak || !w.All {
			t.Errorf("%s, at worst: %+v", reason, w)
		}
		if told := slices.Contains(r.Assumptions, hasRoom); told != (row.updated != "" && reason != "an adapter that cannot") {
			t.Errorf("%s: the assumptions are %q", reason, r.Assumptions)
		}
	}
}

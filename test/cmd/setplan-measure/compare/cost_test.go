package compare

import (
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// TestReport: medians, ratios, and the findings of -check.
func TestReport(t *testing.T) {
	run := func(seconds time.Duration, writes int) cost {
		return cost{wall: seconds * time.Second, cpu: time.Second, rss: 1 << 20, server: time.Second, requests: testbed.Requests{"create pods": writes, "get pods": 9},
			rollouts: []time.Duration{seconds * time.Second, 2 * seconds * time.Second}}
	}
	r := results{}
	for _, c := range []cost{run(9, 10), run(3, 10), run(6, 13)} {
		r.add("ordered-100", "ours", c)
		r.add("ordered-100", "embedded", run(2, 5))
	}
	r.add("ordered-100", "builtin", run(4, 10))
	r.add("ordered-100", "builtin", run(12, 10))
	var out strings.Builder
	if err := r.report(&out, false); err != nil {
		t.Error(err)
	}
	want := "COMPARE ordered-100 wall ours=6.00 builtin=8.00 ratio=0.75 embedded=0.25\n" +
		"COMPARE ordered-100 writes ours=10.00 builtin=10.00 ratio=1.00 embedded=0.50\n"
	if !strings.Contains(out.String(), want) {
		t.Errorf("got\n%s\nwant in it\n%s", &out, want)
	}
	// Ours take 3, 6, 6, 9, 12 and 18 seconds; those of the built-in controller 4, 8, 12 and 24.
	want = "COMPARE ordered-100 rollout-p50 ours=6.00 builtin=8.00 ratio=0.75 embedded=0.25\n" +
		"COMPARE ordered-100 rollout-p95 ours=18.00 builtin=24.00 ratio=0.75 embedded=0.17\n"
	if !strings.Contains(out.String(), want) {
		t.Errorf("got\n%s\nwant in it\n%s", &out, want)
	}
	if err := r.report(&out, true); err != nil {
		t.Errorf("an equal cost is not more: %v", err)
	}
	r.add("ordered-100", "ours", run(99, 99))
	r.add("ordered-100", "ours", run(99, 99))
	if err := r.report(&out, true); err == nil || !strings.Contains(err.Error(), "ordered-100, wall: 1.12 times") {
		t.Errorf("-check says %v", err)
	}
}

// TestComplete: each condition of completion alone keeps the clock running.
func TestComplete(t *testing.T) {
	for _, s := range scenarios {
		set := s.set("web")
		set.Generation = 2
		done := appsv1.StatefulSetStatus{ObservedGeneration: 2, Replicas: s.replicas, ReadyReplicas: s.replicas, AvailableReplicas: s.replicas,
			CurrentReplicas: s.replicas, UpdatedReplicas: s.replicas, CurrentRevision: "a", UpdateRevision: "a"}
		set.Status = done
		if !testbed.Complete(set) {
			t.Errorf("%s: not complete", s.name)
		}
		for name, change := range map[string]func(*appsv1.StatefulSetStatus){
			"generation": func(s *appsv1.StatefulSetStatus) { s.ObservedGeneration-- },
			"replicas":   func(s *appsv1.StatefulSetStatus) { s.Replicas-- },
			"ready":      func(s *appsv1.StatefulSetStatus) { s.ReadyReplicas-- },
			"available":  func(s *appsv1.StatefulSetStatus) { s.AvailableReplicas-- },
			"updated":    func(s *appsv1.StatefulSetStatus) { s.UpdatedReplicas-- },
			"revision":   func(s *appsv1.StatefulSetStatus) { s.UpdateRevision = "b" },
		} {
			set.Status = done
			if change(&set.Status); testbed.Complete(set) {
				t.Errorf("%s: complete despite %s", s.name, name)
			}
		}
	}
}

// TestRolledOut: "kubectl rollout status" waits for less than completion.
func TestRolledOut(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*appsv1.StatefulSet)
		want   bool
	}{
		"all of it":     {func(*appsv1.StatefulSet) {}, true},
		"not available": {func(s *appsv1.StatefulSet) { s.Status.AvailableReplicas = 0 }, true},
		"not seen":      {func(s *appsv1.StatefulSet) { s.Status.ObservedGeneration = 1 }, false},
		"never seen":    {func(s *appsv1.StatefulSet) { s.Generation, s.Status.ObservedGeneration = 0, 0 }, false},
		"not ready":     {func(s *appsv1.StatefulSet) { s.Status.ReadyReplicas = 2 }, false},
		"not updated":   {func(s *appsv1.StatefulSet) { s.Status.UpdatedReplicas = 2 }, false},
		"partition": {func(s *appsv1.StatefulSet) {
			s.Status.UpdatedReplicas, *s.Spec.UpdateStrategy.RollingUpdate.Partition = 2, 1
		}, true},
		"no partition":   {func(s *appsv1.StatefulSet) { s.Spec.UpdateStrategy.RollingUpdate, s.Status.CurrentRevision = nil, "b" }, false},
		"same revisions": {func(s *appsv1.StatefulSet) { s.Spec.UpdateStrategy.RollingUpdate = nil }, true},
	} {
		set := &appsv1.StatefulSet{}
		set.Generation, set.Spec.Replicas = 2, new(int32(3))
		set.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{Partition: new(int32(0))}
		set.Status = appsv1.StatefulSetStatus{ObservedGeneration: 2, ReadyReplicas: 3, AvailableReplicas: 3, UpdatedReplicas: 3, CurrentRevision: "a", UpdateRevision: "a"}
		test.change(set)
		if got := rolledOut(set); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestWatcher: times run from a set's own write to the first version that is complete or rolled out, and the work ends when all
// sets are complete.
func TestWatcher(t *testing.T) {
	w := newWatcher(2)
	first, second := w.begin("web0"), w.begin("web1")
	set := func(name string, ready, current int32) *appsv1.StatefulSet {
		s := scenarios[len(scenarios)-1].set(name)
		s.Generation = 1
		s.Status = appsv1.StatefulSetStatus{ObservedGeneration: 1, Replicas: 3, ReadyReplicas: ready, AvailableReplicas: ready, CurrentReplicas: current, UpdatedReplicas: 3,
			CurrentRevision: "a", UpdateRevision: "a"}
		return s
	}
	after := func(seconds time.Duration) time.Time { return w.first.Add(seconds * time.Second) }
	w.see(set("web0", 2, 2), after(1))
	w.see(set("web0", 3, 2), after(2))
	w.see(set("other", 3, 3), after(2))
	w.see(set("web0", 3, 3), after(3))
	select {
	case <-first:
	case <-second:
		t.Error("the second set is not complete")
	default:
		t.Error("the first set is complete")
	}
	if !w.see(set("web1", 3, 3), after(5)) {
		t.Error("all sets are complete")
	}
	took := w.taken()
	slices.Sort(took.each)
	if took.all != 5*time.Second || len(took.each) != 2 || took.each[0].Round(time.Second) != 2*time.Second || took.each[1].Round(time.Second) != 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

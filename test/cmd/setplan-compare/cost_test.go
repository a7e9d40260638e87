package main

import (
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// TestReport: medians, ratios, and what -check finds.
func TestReport(t *testing.T) {
	run := func(seconds time.Duration, writes int) cost {
		return cost{wall: seconds * time.Second, cpu: time.Second, rss: 1 << 20, requests: testbed.Requests{"create pods": writes, "get pods": 9}}
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
	if err := r.report(&out, true); err != nil {
		t.Errorf("as much as the other is not more: %v", err)
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
				t.Errorf("%s: complete in spite of %s", s.name, name)
			}
		}
	}
}

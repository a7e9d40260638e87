package forecast

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
)

// TestGates: whoever is asked agrees to what it is asked about, which is not always the update revision.
func TestGates(t *testing.T) {
	ask := func(set *model.Set, gates ...string) {
		set.Annotations = map[string]string{}
		for _, gate := range gates {
			set.Annotations["setplan.io/"+gate] = "agent"
		}
	}
	update := func(gates ...string) *model.Snapshot {
		return edit(running(t, newSet(3)), func(set *model.Set) {
			set.PodTemplate = image("web:2")
			ask(set, gates...)
		})
	}
	repair := changePod(breakPod(edit(running(t, newSet(3)), func(set *model.Set) {
		set.PodTemplate = image("web:3")
		set.PodManagementPolicy, set.RollingUpdate.Partition = "Parallel", 3
		ask(set, "before-update")
	}), "web-1", true), "web-1", func(p *model.Pod) { p.Revision = "web-bad" })
	for reason, row := range map[string]struct {
		s        *model.Snapshot
		restarts string
		seconds  float64
	}{
		"nobody is asked":                {update(), "web-2 web-1 web-0", 60},
		"before each update":             {update("before-update"), "web-2 web-1 web-0", 90},
		"after each update but the last": {update("after-update"), "web-2 web-1 web-0", 80},
		"both":                           {update("before-update", "after-update"), "web-2 web-1 web-0", 110},
		"a repair below the partition is not one": {repair, "web-1", 30},
	} {
		_, r := forecastOf(t, row.s, Options{})
		if r.Verdict != Converged || r.restarts() != row.restarts || r.To.Sub(r.From).Seconds() != row.seconds {
			t.Errorf("%s: %v, restarts %s, after %s; %+v", reason, r.Verdict, r.restarts(), r.To.Sub(r.From), r.Blocks)
		}
	}
}

// TestSchedulingGatesStay: nobody knows who removes the scheduling gates of a pod, and when. It stays pending, and so does what is made of a template with gates.
func TestSchedulingGatesStay(t *testing.T) {
	gated := strings.Replace(string(image("web:2")), `"spec":{`, `"spec":{"schedulingGates":[{"name":"a.example/one"},{"name":"b.example/two"}],`, 1)
	of := fmt.Sprintf(gatesStay, "a.example/one, b.example/two")
	s := edit(running(t, newSet(2)), func(set *model.Set) { set.PodTemplate = []byte(gated) })
	_, r := forecastOf(t, s, Options{})
	if r.Verdict != BlockedForEver || len(r.Restarts) != 1 || !slices.Contains(r.Assumptions, of) || !slices.ContainsFunc(r.Blocks, func(b model.Block) bool {
		return b.Name == "web-1" && strings.Contains(b.Message, "the scheduling gates a.example/one, b.example/two keep it")
	}) {
		t.Errorf("a template with gates: %+v", r)
	}
	s = edit(running(t, newSet(2)), func(set *model.Set) { set.Replicas = 2 })
	p := &s.Pods[1]
	p.Phase, p.Ready, p.StartedAt, p.ReadyChangedAt, p.CreatedAt, p.Gates = model.PodPending, false, time.Time{}, time.Time{}, noon, []string{"a.example/one"}
	if _, r := forecastOf(t, s, Options{}); r.Verdict != BlockedForEver || !slices.Contains(r.Assumptions, fmt.Sprintf(gatesStay, "a.example/one")) {
		t.Errorf("a pod with gates: %+v", r)
	}
}

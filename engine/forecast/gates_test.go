package forecast

import (
	"testing"

	"github.com/setplan/setplan/engine"
)

// TestGates: whoever is asked agrees to what it is asked about, which is not always the update revision.
func TestGates(t *testing.T) {
	ask := func(set *engine.Set, gates ...string) {
		set.Annotations = map[string]string{}
		for _, gate := range gates {
			set.Annotations["setplan.io/"+gate] = "agent"
		}
	}
	update := func(gates ...string) *engine.Snapshot {
		return edit(running(t, newSet(3)), func(set *engine.Set) {
			set.PodTemplate = image("web:2")
			ask(set, gates...)
		})
	}
	repair := changePod(breakPod(edit(running(t, newSet(3)), func(set *engine.Set) {
		set.PodTemplate = image("web:3")
		set.PodManagementPolicy, set.RollingUpdate.Partition = "Parallel", 3
		ask(set, "before-update")
	}), "web-1", true), "web-1", func(p *engine.Pod) { p.Revision = "web-bad" })
	for reason, row := range map[string]struct {
		s        *engine.Snapshot
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

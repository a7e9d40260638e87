package engine

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

// ago makes a pod of the set unready for so long, having been ready before.
func (w *world) ago(pod string, unready time.Duration) *world {
	p := w.p(pod)
	p.Ready, p.StartedAt, p.ReadyChangedAt = false, noon.Add(-2*time.Hour), noon.Add(-unready)
	return w
}

// starting makes a pod one that was made so long ago and has never been ready.
func (w *world) starting(pod string, ago time.Duration) *world {
	p := w.p(pod)
	p.Ready, p.CreatedAt, p.StartedAt, p.ReadyChangedAt = false, noon.Add(-ago), noon.Add(-ago), noon.Add(-ago)
	return w
}

// quorum is a Parallel set of five whose update has begun: the highest pod is at the newest revision.
func quorum() *world {
	w := newWorld(5).parallel().image("web:2")
	w.revision(2, string(w.Set.PodTemplate))
	w.p("web-4").Revision = w.Revisions[1].Name
	return w.settled()
}

// TestMomentIsNoProof: what a pod is at one moment takes it out of no budget. Each row says what goes, and what is said of one that does not.
func TestMomentIsNoProof(t *testing.T) {
	const minute, long = "has been unready for a minute", 20 * time.Minute
	down := func(w *world, unready time.Duration, pods ...string) *world {
		for _, pod := range pods {
			w.ago(pod, unready)
		}
		return w
	}
	ended := func(w *world, ago time.Duration) *world {
		w.failed("web-1").p("web-1").CreatedAt = noon.Add(-ago)
		return w
	}
	budget := func(w *world, n int32) *world { w.budget("", n); return w }
	ready := func(w *world, seconds int32, ago time.Duration) *world {
		w.Set.MinReadySeconds = seconds
		for i := range w.Pods {
			w.Pods[i].ReadyChangedAt = noon.Add(-ago)
		}
		return w
	}
	tests := []struct {
		name  string
		w     *world
		want  string // what goes
		says  string // of a block
		again time.Duration
	}{
		// A blip, however many have it.
		{"one starts, and all others have a blip", down(quorum().starting("web-4", 3*time.Second), 2*time.Second, "web-0", "web-1", "web-2", "web-3"), "", minute, 58 * time.Second},
		{"nobody starts", down(quorum(), 7*time.Second, "web-0", "web-1"), "", minute, 53 * time.Second},
		{"the last second of it", down(quorum(), 59*time.Second, "web-0", "web-1"), "", minute, time.Second},
		{"over", down(quorum(), time.Minute, "web-0", "web-1"), "web-1", "", 0},
		{"the higher one has a blip, and the lower one none", down(quorum(), long, "web-0").ago("web-2", time.Second), "web-0", minute, 59 * time.Second},
		{"a clock that is ahead", down(quorum(), -5*time.Second, "web-0", "web-1"), "", minute, 65 * time.Second},
		{"nobody knows since when", func() *world {
			w := down(quorum(), long, "web-0", "web-1")
			w.p("web-0").ReadyChangedAt, w.p("web-1").ReadyChangedAt = time.Time{}, time.Time{}
			return w
		}(), "", "It is not known how long", 0},

		// Within the budget: what is unavailable counts, and goes first.
		{"all serve, and one goes", quorum(), "web-3", "web-3 is being updated, and maxUnavailable allows 1", 0},
		{"within the budget, at once", down(quorum(), time.Second, "web-1"), "web-1", "", 0},
		{"two within a budget of two", budget(down(quorum(), time.Second, "web-1", "web-2"), 2), "web-2, web-1", "", 0},
		{"one, and an available one, within a budget of two", budget(down(quorum(), time.Second, "web-1"), 2), "web-3, web-1", "", 0},
		{"three, and a budget of two", budget(down(quorum(), time.Second, "web-0", "web-1", "web-2"), 2), "", minute, 59 * time.Second},

		// Ready and not yet available counts like available.
		{"all are ready, and none is available", ready(quorum(), 600, time.Minute), "", "5 pods are unavailable", 0},
		{"one is ready, and not available yet", func() *world {
			w := quorum()
			w.Set.MinReadySeconds = 600
			w.p("web-1").ReadyChangedAt = noon.Add(-time.Minute)
			return w
		}(), "", "1 pod is unavailable", 0},

		// Shown to be broken: one at a time, and none while another one is on its way.
		{"all are down for long", down(quorum(), long, "web-0", "web-1", "web-2", "web-3", "web-4"), "web-3", "", 0},
		{"none was ever ready", quorum().starting("web-0", long).starting("web-1", long).starting("web-2", long), "web-2", "", 0},
		{"nor old enough", quorum().starting("web-0", long).starting("web-1", 8*time.Second).starting("web-2", 8*time.Second), "", "once it is 10s old", 2 * time.Second},
		{"one is going", func() *world {
			w := down(quorum(), long, "web-0", "web-1", "web-2")
			w.p("web-2").DeletedAt = noon
			return w
		}(), "", "web-2, which is being deleted", 0},
		{"one starts", down(quorum().starting("web-4", 20*time.Second), long, "web-0", "web-1"), "", "web-4, which is starting", 40 * time.Second},
		{"it has had its time", down(quorum().starting("web-4", time.Minute), long, "web-0", "web-1"), "web-1", "", 0},
		{"one is made", down(quorum(), long, "web-0", "web-1").without("web-4"), "create web-4", "one at a time", 0},
		{"one has ended, and is replaced", func() *world {
			w := down(quorum(), long, "web-0", "web-1")
			w.p("web-4").Phase, w.p("web-4").Ready = model.PodFailed, false
			return w
		}(), "web-4", "one at a time", 0},

		// Ended as soon as it was there.
		{"it was just made", ended(newWorld(3), 4*time.Second), "", "It is replaced once it is 10s old", 6 * time.Second},
		{"just made, in any order", ended(newWorld(3).parallel(), 9*time.Second), "", "It is replaced once it is 10s old", time.Second},
		{"it is old enough", ended(newWorld(3), 10*time.Second), "web-1", "", 0},
		{"made in the future, by a clock that is ahead", ended(newWorld(3), -time.Second), "", "It is replaced once it is 10s old", 11 * time.Second},
		{"far in the future", ended(newWorld(3), -11*time.Second), "web-1", "", 0},
		{"beside one that is shown to be broken", ended(down(quorum(), long, "web-0"), 4*time.Second), "", "one at a time", 0},

		// A node that does not answer.
		{"two nodes do not answer", func() *world {
			w := down(quorum(), long, "web-0", "web-1")
			w.p("web-0").NodeLost, w.p("web-1").NodeLost = true, true
			return w
		}(), "", "Its node does not answer", 0},
		{"one does not, and another pod is broken", func() *world {
			w := down(quorum(), long, "web-0", "web-1")
			w.p("web-1").NodeLost = true
			return w
		}(), "web-0", "Its node does not answer", 0},

		// By ranks.
		{"a blip, and a leader", down(quorum().asks(policy.Rank, "role=boss").leads("web-3", "role=boss"), time.Second, "web-0", "web-1"), "", minute, 59 * time.Second},
		{"down for long, and a leader", down(quorum().asks(policy.Rank, "role=boss").leads("web-3", "role=boss"), long, "web-0", "web-1"), "web-1", "", 0},
		{"a blip within the budget, and a leader", down(quorum().asks(policy.Rank, "role=boss").leads("web-3", "role=boss"), time.Second, "web-0"), "web-0", "", 0},
		{"a blip, and nobody leads", down(quorum().asks(policy.Rank, "role=boss"), time.Second, "web-0"), "", "no pod has the label role=boss", 0},
		{"down for long, and nobody leads", down(quorum().asks(policy.Rank, "role=boss"), long, "web-0"), "web-0", "", 0},
		{"down for long, and nearly the leader", down(quorum().asks(policy.Rank, "role=boss").leads("web-0", "role=BOSS"), long, "web-0"), "",
			"no pod has the label role=boss, but pod web-0 has the label role=BOSS", 0},
		{"nearly the leader by another key", down(quorum().asks(policy.Rank, "role=boss").leads("web-0", "example.com/Role=boss"), long, "web-0"), "",
			"but pod web-0 has the label example.com/Role=boss", 0},
		{"ready, not available yet, and nearly the leader", ready(quorum().asks(policy.Rank, "role=boss").leads("web-0", "role=Boss"), 600, time.Minute), "",
			"pod web-0 has the label role=Boss", 0},

		// Pods that somebody wants recreated.
		{"chosen in a blip, beside another one", down(newWorld(5).parallel().chosen("web-1"), time.Second, "web-0", "web-1"), "", minute, 59 * time.Second},
		{"chosen in a blip, alone", down(newWorld(5).parallel().chosen("web-1"), time.Second, "web-1"), "web-1", "", 0},
		{"chosen, and down for long", down(newWorld(5).parallel().chosen("web-1"), long, "web-0", "web-1"), "web-1", "", 0},
		{"chosen, ready and not available yet", ready(newWorld(3).parallel().chosen("web-1"), 600, time.Minute), "", "2 other pods are unavailable", 0},
		{"two are chosen, and the lower one is broken", down(newWorld(5).parallel().chosen("web-1", "web-2"), long, "web-1").ago("web-2", time.Second), "web-1", "", 0},

		// The repair of pods that were ready.
		{"repaired in a blip", func() *world {
			w := down(newWorld(3), time.Second, "web-2").asks(policy.Repair, "Unready").image("web:2")
			w.revision(2, string(w.Set.PodTemplate))
			return w
		}(), "", "It is replaced once it has been unready for a minute", 59 * time.Second},
		{"repaired after it", func() *world {
			w := down(newWorld(3), long, "web-2").asks(policy.Repair, "Unready").image("web:2")
			w.revision(2, string(w.Set.PodTemplate))
			return w
		}(), "web-2", "", 0},
		{"the higher one has a blip, and the lower one is repaired", func() *world {
			w := down(newWorld(3), time.Second, "web-2").asks(policy.Repair, "Unready").image("web:2")
			w.revision(2, string(w.Set.PodTemplate))
			return w.ago("web-1", long)
		}(), "web-1", "", 0},
		{"a repair beside one that starts", func() *world {
			w := down(newWorld(3), long, "web-1", "web-2").asks(policy.Repair, "Unready").image("web:2")
			w.revision(2, string(w.Set.PodTemplate))
			w.Set.RollingUpdate.Partition = 3
			w.p("web-1").Revision, w.p("web-2").Revision = w.Revisions[1].Name, w.Revisions[1].Name
			w.Set.Status.CurrentRevision = w.Revisions[0].Name
			return w.starting("web-0", 5*time.Second)
		}(), "", "web-0, which is starting", 55 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Decide(&tt.w.Snapshot)
			var taken []string
			for what := range strings.SplitSeq(actions(p), ", ") {
				verb, name, _ := strings.Cut(what, " ")
				if verb == "create-pod" {
					name = "create " + name
				}
				if strings.HasSuffix(verb, "-pod") {
					taken = append(taken, name)
				}
			}
			if got := strings.Join(taken, ", "); got != tt.want {
				t.Errorf("%q goes, want %q", got, tt.want)
			}
			if !slices.ContainsFunc(p.Blocks, func(b model.Block) bool {
				said := tt.says == "" || strings.Contains(b.Message, tt.says)
				return said && (tt.again == 0 || b.NotBefore.Equal(noon.Add(tt.again)))
			}) && tt.says != "" {
				t.Errorf("no block says %q, not before %s: %+v", tt.says, tt.again, p.Blocks)
			}
			if tt.again > 0 && p.RequeueAfter != tt.again {
				t.Errorf("look again in %s, want %s", p.RequeueAfter, tt.again)
			}
		})
	}
}

// TestMomentInPlace: containers of no more pods start again than the budget allows, however many pods are not ready.
func TestMomentInPlace(t *testing.T) {
	all := []string{"web-0", "web-1", "web-2"}
	for _, tt := range []struct {
		name    string
		unready time.Duration
		want    string
	}{
		{"a blip", 2 * time.Second, ""},
		{"for long", time.Hour, "update-pod web-2"},
	} {
		w := imaged(3).marked("web:1", all...)
		w.revision(2, string(w.image("web:2").Set.PodTemplate))
		for _, pod := range all {
			w.ago(pod, tt.unready)
		}
		check(t, tt.name, "actions", actions(Decide(&w.Snapshot)), tt.want)
	}
}

// TestMomentOfUpstream: the presets of Kubernetes know neither the budget nor a proof.
func TestMomentOfUpstream(t *testing.T) {
	w := quorum().ago("web-0", time.Second).ago("web-1", time.Hour)
	w.Rules = model.Kubernetes136()
	w.Rules.MaxUnavailable = true
	if got := actions(Decide(&w.Snapshot)); got != "" {
		t.Errorf("%s, and the budget is spent", got)
	}
}

// TestUnavailableFirst: by the rules of 1.37 a Parallel set's unavailable pods go first, whatever the budget. The partition protects pods from that, and an ordered set
// goes in its order.
func TestUnavailableFirst(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*world)
		want   string
	}{
		"all":               {func(*world) {}, "delete-pod web-1, delete-pod web-0"},
		"partition":         {func(w *world) { w.Set.RollingUpdate = &model.RollingUpdate{Partition: 1} }, "delete-pod web-1"},
		"one after another": {func(w *world) { w.Set.PodManagementPolicy = "OrderedReady" }, ""},
	} {
		w := newWorld(3).parallel().image("web:2")
		w.revision(2, string(w.Set.PodTemplate))
		w.ago("web-0", time.Second).ago("web-1", time.Second)
		w.Rules = model.Kubernetes137()
		w.Rules.MaxUnavailable = true
		c.change(w)
		check(t, name, "actions", actions(Decide(&w.Snapshot)), c.want)
	}
}

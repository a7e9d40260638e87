package engine

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

// leads gives a pod a label.
func (w *world) leads(pod, label string) *world {
	key, value, _ := strings.Cut(label, "=")
	w.p(pod).Labels = &model.Labels{Values: map[string]string{"app": "web", key: value}}
	return w
}

// unready makes a pod unavailable.
func (w *world) unready(pod string) *world {
	w.p(pod).Ready = false
	return w
}

// TestUpdateByRank: unavailable pods first, then the lowest rank, then the highest ordinal, and the leader last.
func TestUpdateByRank(t *testing.T) {
	const primary, ranks = "role=primary", "setplan.io/rank"
	tests := []struct {
		name, by     string
		edit         func(w *world)
		want, blocks string
	}{
		{"no rank asked for", "", func(w *world) { w.leads("web-2", primary) }, "delete-pod web-2", "UPDATE_BUDGET web-1"},
		{"the highest leads", primary, func(w *world) { w.leads("web-2", primary) }, "delete-pod web-1", ""},
		{"the lowest leads", primary, func(w *world) { w.leads("web-0", primary) }, "delete-pod web-2", ""},
		{"others have another value", primary, func(w *world) { w.leads("web-0", primary).leads("web-2", "role=replica") }, "delete-pod web-2", ""},
		{"by number", ranks, func(w *world) { w.leads("web-2", ranks+"=1").leads("web-1", ranks+"=2").leads("web-0", ranks+"=3") }, "delete-pod web-2", ""},
		{"a pod without a number has 0", ranks, func(w *world) { w.leads("web-2", ranks+"=1").leads("web-1", ranks+"=2") }, "delete-pod web-0", ""},
		{"only the leader is left", primary, func(w *world) { w.leads("web-2", primary).atNewest("web-0", "web-1") }, "delete-pod web-2", ""},
		{"the leader waits for another pod", primary, func(w *world) { w.leads("web-2", primary).atNewest("web-0", "web-1").unready("web-0") }, "none", "LEADER_WAITS web-2, POD_NOT_READY web-0"},
		{"the leader is done", primary, func(w *world) { w.leads("web-2", primary).atNewest("web-2") }, "delete-pod web-1", ""},
		{"the leader is below the partition", primary, func(w *world) { w.leads("web-0", primary).Set.RollingUpdate.Partition = 1 }, "delete-pod web-2", "PARTITION_HELD web-0"},
		{"lower ranks below the partition", ranks, func(w *world) {
			w.leads("web-1", ranks+"=1").leads("web-2", ranks+"=2").Set.RollingUpdate.Partition = 1
		}, "delete-pod web-1", "PARTITION_HELD web-0"},
		{"an unavailable pod comes first", primary, func(w *world) { w.leads("web-2", primary).unready("web-0") }, "delete-pod web-0", "POD_NOT_READY web-0"},
		{"an unavailable leader does not", primary, func(w *world) { w.leads("web-2", primary).unready("web-2") }, "none", "POD_NOT_READY web-2, UPDATE_BUDGET web-1"},
		{"unless it is the last", primary, func(w *world) { w.leads("web-2", primary).unready("web-2").atNewest("web-0", "web-1") }, "delete-pod web-2", "POD_NOT_READY web-2"},
		{"nobody leads", primary, func(w *world) {}, "none", "LEADER_UNCLEAR web"},
		{"two lead", primary, func(w *world) { w.leads("web-0", primary).leads("web-2", primary) }, "none", "LEADER_UNCLEAR web"},
		{"two lead, and have nearly the label beside", primary, func(w *world) {
			for _, pod := range []string{"web-0", "web-2"} {
				w.leads(pod, primary).p(pod).Labels.Values["example.com/role"] = "primary"
			}
		}, "none", "LEADER_UNCLEAR web"},
		{"two share the highest number", ranks, func(w *world) { w.leads("web-0", ranks+"=7").leads("web-2", ranks+"=7") }, "none", "LEADER_UNCLEAR web"},
		{"no number", ranks, func(w *world) { w.leads("web-0", ranks+"=7").leads("web-2", ranks+"=high") }, "none", "LEADER_UNCLEAR web"},
		{"a number below 0", ranks, func(w *world) { w.leads("web-0", ranks+"=7").leads("web-2", ranks+"=-1") }, "none", "LEADER_UNCLEAR web"},
		{"a number that is too large", ranks, func(w *world) { w.leads("web-0", ranks+"=7").leads("web-2", ranks+"=99999999999") }, "none", "LEADER_UNCLEAR web"},
		{"nobody leads, and a pod is broken", primary, func(w *world) { w.unready("web-1") }, "delete-pod web-1", "POD_NOT_READY web-1"},
		{"two lead, and one of them is broken", primary, func(w *world) { w.leads("web-0", primary).leads("web-2", primary).unready("web-2") }, "none", "LEADER_UNCLEAR web, POD_NOT_READY web-2"},
		{"the old leader goes", primary, func(w *world) {
			w.leads("web-2", primary).leads("web-0", primary).p("web-2").DeletedAt = noon
			w.Set.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Count: 2}
		}, "delete-pod web-1", "POD_TERMINATING web-2"},
		{"the leader is outside the range, and goes", primary, func(w *world) { w.leads("web-2", primary).parallel().Set.Replicas = 2 }, "delete-pod web-2", "LEADER_UNCLEAR web"},
		{"the next number leads then", ranks, func(w *world) {
			w.leads("web-2", ranks+"=2").leads("web-1", ranks+"=1").parallel().Set.Replicas = 2
		}, "delete-pod web-2, delete-pod web-0", ""},
		{"one at a time", primary, func(w *world) {
			w.leads("web-2", primary).Set.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Count: 3}
		}, "delete-pod web-1", ""},
		{"the budget is spent", primary, func(w *world) { w.leads("web-2", primary).atNewest("web-1").unready("web-1") }, "none", "POD_NOT_READY web-1, UPDATE_BUDGET web-0"},
		{"no rollingUpdate", primary, func(w *world) { w.leads("web-2", primary).Set.RollingUpdate = nil }, "delete-pod web-1", ""},
		{"by hand", primary, func(w *world) { w.leads("web-2", primary).Set.StrategyType = "OnDelete" }, "none", "ON_DELETE web-0"},
		{"paused", primary, func(w *world) { w.leads("web-2", primary).asks(policy.Pause, "Updates") }, "none", "PAUSED web"},
		{"no label", "a=b=c", func(w *world) { w.leads("web-2", primary) }, "none", "INVALID_POLICY web"},
		{"no key", "=primary", func(w *world) { w.leads("web-2", primary) }, "none", "INVALID_POLICY web"},
		{"no value", "role=", func(w *world) { w.leads("web-2", primary) }, "none", "INVALID_POLICY web"},
		{"two labels", "role=primary,a=b", func(w *world) { w.leads("web-2", primary) }, "none", "INVALID_POLICY web"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(3).parallel().image("web:2")
			w.revision(2, strings.Replace(template, "web:1", "web:2", 1))
			if test.by != "" {
				w.asks(policy.Rank, test.by)
			}
			test.edit(w)
			plan := Decide(&w.settled().Snapshot)
			got := actions(plan)
			if got == "" {
				got = "none"
			}
			check(t, test.name, "actions", got, test.want)
			check(t, test.name, "blocks", sortedBlocks(plan), test.blocks)
		})
	}
}

// TestLeaderWaitsBesideNearMiss: somebody may have meant the other pod.
func TestLeaderWaitsBesideNearMiss(t *testing.T) {
	for label, want := range map[string]string{
		"role=replica": "Pod web-0 is not.",
		"role=Primary": "Pod web-0 is not. Pod web-1 has the label role=Primary, which is not role=primary.",
		"Role=primary": "Pod web-0 is not. Pod web-1 has the label Role=primary, which is not role=primary.",
	} {
		w := newWorld(3).parallel().image("web:2").asks(policy.Rank, "role=primary")
		w.revision(2, strings.Replace(template, "web:1", "web:2", 1))
		w.leads("web-2", "role=primary").leads("web-1", label).atNewest("web-0", "web-1").unready("web-0")
		told := ""
		for _, b := range Decide(&w.settled().Snapshot).Blocks {
			if b.Code == model.BlockLeaderWaits {
				told = b.Message
			}
		}
		check(t, label, "message", told, "The leader is updated last, once every other pod is available. "+want)
	}
}

// atNewest puts pods at the newest revision.
func (w *world) atNewest(pods ...string) *world {
	for _, name := range pods {
		w.p(name).Revision = w.Revisions[len(w.Revisions)-1].Name
	}
	return w
}

// TestRankedDeletionsNameAVersion: the pod may have become the leader since it was seen.
func TestRankedDeletionsNameAVersion(t *testing.T) {
	for goes, done := range map[string][]string{"web-2": nil, "web-1": {"web-0", "web-2"}} {
		w := newWorld(3).image("web:2").asks(policy.Rank, "role=primary").leads("web-1", "role=primary")
		w.revision(2, strings.Replace(template, "web:1", "web:2", 1))
		w.atNewest(done...)
		deleted := 0
		for _, a := range allActions(Decide(&w.settled().Snapshot)) {
			if _, deletes := a.Op.(model.DeletePod); !deletes {
				continue
			}
			if deleted++; a.Name != goes || a.ResourceVersion == "" {
				t.Errorf("%s is deleted at version %q", a.Name, a.ResourceVersion)
			}
		}
		if deleted != 1 {
			t.Errorf("%d pods are deleted, want %s", deleted, goes)
		}
	}
}

// TestRolloutByRank: whoever leads, a rollout updates every pod, the leader last, and one failover is all there is. Without a rollingUpdate,
// pods that are recreated get the new revision, too, although they are not the highest ones.
func TestRolloutByRank(t *testing.T) {
	for _, rolling := range []*model.RollingUpdate{nil, {}} {
		for leader := range 4 {
			w := newWorld(4).image("web:2").asks(policy.Rank, "role=primary")
			w.Set.RollingUpdate = rolling
			w.revision(2, strings.Replace(template, "web:1", "web:2", 1))
			w.leads(fmt.Sprintf("web-%d", leader), "role=primary")
			gone := w.settles()
			if len(gone) != 4 || gone[3] != fmt.Sprintf("web-%d", leader) {
				t.Errorf("web-%d leads: %v", leader, gone)
			}
		}
	}
}

// TestRankedWithoutRollingUpdate: an updated pod that is lost comes back updated, whichever ordinal it has.
func TestRankedWithoutRollingUpdate(t *testing.T) {
	for _, ranked := range []bool{false, true} {
		w := newWorld(4).image("web:2")
		w.Set.RollingUpdate = nil
		old, update := w.Revisions[0].Name, w.revision(2, strings.Replace(template, "web:1", "web:2", 1))
		want := old
		if ranked {
			w.asks(policy.Rank, "role=primary").leads("web-3", "role=primary")
			want = update
		}
		w.settled().without("web-0")
		for _, a := range allActions(Decide(&w.Snapshot)) {
			if _, makes := a.Op.(model.CreatePod); makes && a.Cause != causeOrdinalMissing(0, want) {
				t.Errorf("ranked %v: %s", ranked, a.Cause.Message)
			}
		}
	}
}

// TestRankOrderOfLists: the order in which pods and their labels are listed changes nothing.
func TestRankOrderOfLists(t *testing.T) {
	w := newWorld(6).image("web:2").asks(policy.Rank, "setplan.io/rank")
	for i := range 6 {
		w.leads(fmt.Sprintf("web-%d", i), fmt.Sprintf("setplan.io/rank=%d", i%3))
	}
	want := Describe(Decide(&w.Snapshot))
	for range 20 {
		rand.Shuffle(len(w.Pods), func(i, j int) { w.Pods[i], w.Pods[j] = w.Pods[j], w.Pods[i] })
		if got := Describe(Decide(&w.Snapshot)); got != want {
			t.Fatalf("%s\n\n%s", got, want)
		}
	}
}

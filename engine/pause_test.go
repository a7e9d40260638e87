package engine

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

const never = state.PauseAll + 1

// pauseRows has every kind of action, for each of its reasons, and the first mode that holds it back.
var pauseRows = []struct {
	what   string
	held   state.Pause
	action string // as in the plan without a pause
	world  func() *world
}{
	{"a missing pod", state.PauseAll, "create-pod web-1", func() *world { return newWorld(3).without("web-1") }},
	{"a pod that has ended", state.PauseAll, "delete-pod web-1", func() *world {
		w := newWorld(3)
		w.p("web-1").Phase, w.p("web-1").Ready = model.PodFailed, false
		return w
	}},
	{"an outdated pod", state.PauseUpdates, "delete-pod web-2", func() *world { return newWorld(3).edited() }},
	{"an outdated pod under Recreate", state.PauseUpdates, "delete-pod web-0", func() *world { return takingAll(3) }},
	{"an outdated pod whose disruption budget is asked", state.PauseUpdates, "evict-pod web-2", func() *world { return newWorld(3).edited().asks(policy.Budget, "Respect") }},
	{"a pod that cannot become ready", state.PauseUpdates, "delete-pod web-2", func() *world {
		w := mended()
		w.neverReady("web-2", badRevision)
		return w
	}},
	{"an outdated pod that is updated in place", state.PauseUpdates, "update-pod web-2", func() *world { return relabelled(3) }},
	{"a pod outside the range", state.PauseHealOnly, "delete-pod web-2", func() *world {
		w := newWorld(3)
		w.Set.Replicas = 2
		return w
	}},
	{"a pod of a set that is drained before it is deleted", state.PauseHealOnly, "delete-pod web-1", func() *world {
		w := draining(2).asks(policy.DrainOnDelete, "true")
		w.Set.DeletedAt, w.Set.Finalizers = noon, []string{model.FinalizerDrain}
		return w
	}},
	{"resources of a pod on its way", state.PauseUpdates, "resize-pod web-0", func() *world {
		return resized(1, sized("1"), sized("2")).have("1", "web-0").onTheWay(named(sized("2")), "web-0")
	}},
	{"identity labels", state.PauseAll, "patch-pod web-0", func() *world {
		w := newWorld(1)
		w.p("web-0").PodNameLabel = false
		return w
	}},
	{"an orphan", state.PauseAll, "adopt-pod web-0", func() *world {
		w := newWorld(1)
		w.p("web-0").Owners = nil
		return w
	}},
	{"a pod that matches no more", state.PauseAll, "release-pod web-0", func() *world {
		w := newWorld(1)
		w.p("web-0").Labels = &model.Labels{Values: map[string]string{"app": "other"}}
		return w
	}},
	{"a missing claim", state.PauseAll, "create-claim www-web-0", func() *world {
		w := newWorld(1).withClaims().without("web-0")
		w.Claims = nil
		return w
	}},
	{"owners for whenDeleted", state.PauseAll, "set-claim-owners www-web-0", func() *world {
		w := newWorld(1).withClaims()
		w.Set.WhenDeleted = "Delete"
		return w
	}},
	{"a claim that grows", state.PauseHealOnly, "patch-claim www-web-1", func() *world { return disks(2).asks(policy.ClaimTemplates, asksFor("20Gi")) }},
	{"owners that would take a wanted claim along", state.PauseAll, "set-claim-owners www-web-0", func() *world {
		w := newWorld(1).withClaims()
		w.Claims[0].Owners = []model.Owner{{APIVersion: "v1", Kind: "Pod", Name: "web-0", UID: "uid-web-0", Controller: true}}
		return w
	}},
	{"owners for whenScaled", state.PauseHealOnly, "set-claim-owners www-web-1", func() *world {
		w := newWorld(2).withClaims()
		w.Set.WhenScaled, w.Set.Replicas = "Delete", 1
		return w
	}},
	{"a new revision", never, "create-revision ", func() *world { return newWorld(1).image("web:2") }},
	{"a revision that is back", never, "renumber-revision ", func() *world {
		w := newWorld(1).edited()
		w.Set.PodTemplate = []byte(template)
		return w
	}},
	{"an orphaned revision", never, "adopt-revision ", func() *world {
		w := newWorld(1)
		w.Revisions[0].Owners = nil
		return w
	}},
	{"an old revision", state.PauseAll, "delete-revision ", func() *world {
		w := newWorld(1)
		w.Revisions, w.Set.RevisionHistoryLimit = nil, 0
		w.revision(1, strings.Replace(template, "web:1", "web:0", 1))
		w.revision(2, template)
		w.p("web-0").Revision = w.Revisions[1].Name
		return w.settled()
	}},
	{"the status", never, "update-status web", func() *world {
		w := newWorld(1)
		w.Set.Status.ReadyReplicas = 7
		return w
	}},
	{"the mark of a claim that is covered", state.PauseAll, "patch-annotations www-web-0", func() *world {
		w := draining(1)
		w.Claims[0].Annotations = nil
		return w
	}},
	{"a drain", state.PauseHealOnly, "create-pod web-1", func() *world { return draining(2).scaledTo(1) }},
	{"a claim that is drained", state.PauseHealOnly, "delete-claim www-web-1", func() *world {
		w := draining(2).scaledTo(1)
		w.drainPod(1, model.PodSucceeded)
		return w
	}},
	{"the finalizer of drain-on-delete", state.PauseAll, "set-finalizer web", func() *world { return draining(1).asks(policy.DrainOnDelete, "true") }},
	{"the finalizer of a set that is drained", state.PauseHealOnly, "set-finalizer web", func() *world {
		w := draining(0).asks(policy.DrainOnDelete, "true")
		w.Set.DeletedAt, w.Set.Finalizers = noon, []string{model.FinalizerDrain}
		return w
	}},
}

// TestPause tries every mode with every kind of action: the plan has what the mode allows and not what it holds back, and a block reports
// the pause.
func TestPause(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range pauseRows {
		for i, text := range []string{"", "Updates", "HealOnly", "All"} {
			mode := state.Pause(i)
			w := row.world()
			if mode != state.PauseNothing {
				w.asks(policy.Pause, text)
			}
			plan := Decide(&w.Snapshot)
			reason := fmt.Sprintf("%s, pause %q", row.what, text)
			found := false
			for _, a := range allActions(plan) {
				if strings.HasPrefix(a.Op.Traits().Name+" "+a.Name, row.action) {
					found, seen[reflect.TypeOf(a.Op).Name()] = true, true
				}
			}
			if found != (mode < row.held) {
				t.Errorf("%s: %s is in the plan: %v\n%s\n%s", reason, row.action, found, actions(plan), blocks(plan))
			}
			if told := strings.Contains(blocks(plan), "PAUSED web"); told != (mode > state.PauseUpdates || mode == state.PauseUpdates && w.Set.DeletedAt.IsZero()) {
				t.Errorf("%s: the blocks are %s", reason, blocks(plan))
			}
		}
	}
	for _, op := range everyOperation {
		if name := reflect.TypeOf(op).Name(); !seen[name] {
			t.Errorf("no row has a %s", name)
		}
	}
}

// TestPausedRevision: a pod lost while a rollout is paused is recreated at the revision where the rollout left it. The lowest updated
// pod is the exception.
func TestPausedRevision(t *testing.T) {
	for gone := range 5 {
		w := newWorld(5)
		old := w.Revisions[0].Name
		w.edited()
		for _, name := range []string{"web-3", "web-4"} {
			w.p(name).Revision = w.Revisions[1].Name
		}
		want := old // also for the lowest updated pod: without it nothing shows that it was updated
		if gone == 4 {
			want = w.Revisions[1].Name
		}
		w.settled().without(fmt.Sprintf("web-%d", gone)).asks(policy.Pause, "Updates")
		made := ""
		for _, a := range allActions(Decide(&w.Snapshot)) {
			if op, ok := a.Op.(model.CreatePod); ok {
				made = string(op.Manifest)
			}
		}
		if !strings.Contains(made, want) {
			t.Errorf("web-%d comes back as %s, want %s", gone, made, want)
		}
	}
}

// TestPauseTexts: an unknown text means HealOnly, and a block says so.
func TestPauseTexts(t *testing.T) {
	for _, text := range []string{"updates", "true", "none", " All"} {
		w := newWorld(3).edited().asks(policy.Pause, text)
		w.Set.Replicas = 2
		plan := Decide(&w.without("web-0").Snapshot)
		check(t, text, "blocks", sortedBlocks(plan), "INVALID_POLICY web, PAUSED web")
		if got := actions(plan); !strings.HasPrefix(got, "create-pod web-0") || strings.Contains(got, "delete") {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// TestPauseConditions: a paused set's status does not say that it is updating.
func TestPauseConditions(t *testing.T) {
	for text, want := range map[string]string{"": "Updating", "Updates": "Paused", "HealOnly": "Paused", "All": "Paused"} {
		w := newWorld(2).edited().asks(policy.Pause, text)
		for _, c := range status(Decide(&w.Snapshot)).Conditions {
			if c.Type == state.ConditionReconciling && c.Reason != want {
				t.Errorf("%q: %s, %s", text, c.Status, c.Reason)
			}
		}
	}
}

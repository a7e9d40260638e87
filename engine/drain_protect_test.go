package engine

import (
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// ofSet makes claims belong to the set, ofPod to a pod.
func (w *world) ofSet(names ...string) *world {
	for _, name := range names {
		w.c(name).Owners = w.owners()
	}
	return w
}

func (w *world) ofPod(claim, pod string) *world {
	w.c(claim).Owners = []model.Owner{{APIVersion: "v1", Kind: model.KindPod, Name: pod, UID: "uid-" + pod, Controller: true, BlockOwnerDeletion: true}}
	return w
}

// TestClaimsAreProtected: claims that the garbage collector would delete with the set or a pod are released first, and until then a
// block says so.
func TestClaimsAreProtected(t *testing.T) {
	onDelete := func(w *world) {
		w.Set.WhenDeleted, w.Set.Annotations[policy.DrainOnDelete] = "Delete", "true"
	}
	const all = "set-claim-owners www-web-0, set-claim-owners www-web-1, set-claim-owners www-web-2"
	for reason, row := range map[string]struct {
		change        func(*world)
		actions, held string
	}{
		"the finalizer waits for the release": {func(w *world) { w.ofSet("www-web-0", "www-web-1", "www-web-2") }, all, "DRAIN_UNPROTECTED www-web-0"},
		"also behind a pod that OrderedReady waits for": {func(w *world) {
			w.ofSet("www-web-2").p("web-0").Ready = false
		}, "set-claim-owners www-web-2", "DRAIN_UNPROTECTED www-web-2, POD_NOT_READY web-0"},
		"outside the range, where only a drain pod is": {func(w *world) { w.scaledTo(2).ofSet("www-web-2").drainPod(2, model.PodRunning) },
			"set-claim-owners www-web-2", "DRAIN_UNPROTECTED www-web-2, DRAINING web-2"},
		"a leftover claim": {func(w *world) {
			noteClaim(w.scaledTo(2).ofSet("www-web-2").c("www-web-2"), state.AnnotationDrainSet, "")
		},
			"set-claim-owners www-web-2", "DRAIN_LEFTOVER www-web-2, DRAIN_UNPROTECTED www-web-2"},
		"a claim marked by another set": {func(w *world) { noteClaim(w.ofSet("www-web-2").c("www-web-2"), state.AnnotationDrainSet, "other/uid") },
			"set-claim-owners www-web-2", "DRAIN_LEFTOVER www-web-2, DRAIN_UNPROTECTED www-web-2"},
		"the set already has the finalizer": {func(w *world) { w.ofSet("www-web-1").Set.Finalizers = []string{model.FinalizerDrain} },
			"set-claim-owners www-web-1", "DRAIN_UNPROTECTED www-web-1"},
		"the set is being drained, and the garbage collector is at work": {func(w *world) {
			w.ofSet("www-web-0", "www-web-1").going("foregroundDeletion", model.FinalizerDrain).c("www-web-1").DeletedAt = noon
		}, "set-claim-owners www-web-0, set-claim-owners www-web-1, delete-pod web-2", "DRAIN_UNPROTECTED www-web-0, SET_DELETING web"},
		"too late: only the status is written": {func(w *world) { w.ofSet("www-web-0").going("foregroundDeletion") },
			"", "DRAIN_UNPROTECTED www-web-0, SET_DELETING web"},
		"an orphaned set's claims stay": {func(w *world) { w.ofSet("www-web-0").going("orphan") }, "", "SET_DELETING web"},
		"a drained claim is deleted": {func(w *world) { w.scaledTo(2).ofSet("www-web-2").drainPod(2, model.PodSucceeded) },
			"delete-claim www-web-2, delete-pod web-2, set-finalizer web", ""},
		"an invalid policy still protects": {func(w *world) {
			w.ofSet("www-web-2").Set.Annotations[policy.DrainMaxParallel] = "many"
		}, "set-claim-owners www-web-2", "DRAIN_UNPROTECTED www-web-2, INVALID_POLICY web"},
		"an invalid policy keeps the deleted set": {func(w *world) {
			w.ofSet("www-web-2").going(model.FinalizerDrain).Set.Annotations[policy.DrainMaxParallel] = "many"
		}, "set-claim-owners www-web-2", "DRAIN_UNPROTECTED www-web-2, SET_DELETING web, INVALID_POLICY web"},
		"an invalid policy, and too late": {func(w *world) {
			w.ofSet("www-web-2").going("foregroundDeletion").Set.Annotations[policy.DrainMaxParallel] = "many"
		}, "", "DRAIN_UNPROTECTED www-web-2, SET_DELETING web, INVALID_POLICY web"},
		"another object controls the claim as well": {func(w *world) {
			w.ofSet("www-web-2")
			w.c("www-web-2").Owners = append([]model.Owner{{APIVersion: "v1", Kind: "Backup", Name: "b", UID: "u", Controller: true}}, w.c("www-web-2").Owners...)
		}, "set-claim-owners www-web-2", "DRAIN_UNPROTECTED www-web-2"},
		"an earlier set's claim is the garbage collector's": {func(w *world) {
			w.ofSet("www-web-2").c("www-web-2").Owners[0].UID = "earlier"
		}, "set-finalizer web", "CLAIM_STALE www-web-2"},
		"the adapter cannot": {func(w *world) {
			w.ofSet("www-web-1", "www-web-2").Capabilities &^= model.CanSetClaimOwners
		}, "", "CAPABILITY_MISSING www-web-1, DRAIN_UNPROTECTED www-web-1"},
		"claims that are deleted with the set, as the policy wants": {func(w *world) {
			w.Set.Annotations[policy.DrainOnDelete] = ""
			w.ofSet("www-web-0", "www-web-1", "www-web-2")
		}, "", ""},
		"claims that stay behind, and have an old reference": {func(w *world) {
			w.Set.Annotations[policy.DrainOnDelete], w.Set.WhenDeleted = "", ""
			w.scaledTo(2).ofSet("www-web-2").drainPod(2, model.PodRunning)
		}, "set-claim-owners www-web-2", "DRAIN_UNPROTECTED www-web-2, DRAINING web-2"},
		"a pod does not go before its claim is released": {func(w *world) {
			w.Set.Annotations[policy.DrainOnDelete], w.Set.WhenDeleted, w.Set.WhenScaled, w.Set.Replicas = "", "", "Delete", 2
			w.settled().ofPod("www-web-2", "web-2")
		}, "set-claim-owners www-web-2", "DRAIN_UNPROTECTED www-web-2"},
		"beside a controller that would restore the owner nothing is released": {func(w *world) {
			w.ofSet("www-web-2").Policy.Scope = model.ScopeDrainOnly
		}, "", "DRAIN_UNPROTECTED www-web-2, INVALID_POLICY web"},
		"beside a controller that would not, the claim is released": {func(w *world) {
			w.ofSet("www-web-2").Set.WhenDeleted, w.Policy.Scope = "", model.ScopeDrainOnly
		}, "set-claim-owners www-web-2", "DRAIN_UNPROTECTED www-web-2"},
		"without the policy the finalizer goes first": {func(w *world) {
			w.Set.Annotations[policy.DrainOnDelete], w.Set.Finalizers = "", []string{model.FinalizerDrain}
		}, "set-finalizer web", ""},
	} {
		w := draining(3)
		onDelete(w)
		row.change(w)
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
		checkPlan(t, &w.Snapshot, p)
	}
}

// TestProtectionSaysWhatToDo: the block names the owner with which the claim would be deleted, how many such claims there are, and what
// to do.
func TestProtectionSaysWhatToDo(t *testing.T) {
	for reason, row := range map[string]struct {
		change func(*world)
		want   []string
	}{
		"wait": {func(w *world) { w.ofSet("www-web-0", "www-web-1") }, []string{"owned by StatefulSet web", "1 more claim", "--cascade=orphan"}},
		"the reference comes back": {func(w *world) { w.ofSet("www-web-0").Policy.Scope, w.Set.WhenDeleted = model.ScopeDrainOnly, "Delete" },
			[]string{"whenDeleted to Retain", "restores the reference"}},
		"it is late":   {func(w *world) { w.ofSet("www-web-0").going(model.FinalizerDrain) }, []string{"remove that owner reference now"}},
		"with its pod": {func(w *world) { w.Set.WhenScaled = "Delete"; w.ofPod("www-web-0", "web-0") }, []string{"owned by Pod web-0", "Do not delete the pod"}},
		"handed over": {func(w *world) {
			w.Set.WhenScaled, w.Policy.Scope = "Delete", model.ScopeDrainOnly
			w.ofPod("www-web-0", "web-0")
		}, []string{"whenScaled to Retain"}},
		"refused so far": {func(w *world) { w.ofSet("www-web-0") }, []string{"find out why the removal is refused"}},
	} {
		w := draining(2)
		w.Set.Annotations[policy.DrainOnDelete] = "true"
		row.change(w)
		text := ""
		for _, b := range Decide(&w.Snapshot).Blocks {
			if b.Code == model.BlockDrainUnprotected {
				text = b.Message + " " + b.Remedy
			}
		}
		for _, want := range row.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q does not say %q", reason, text, want)
			}
		}
	}
}

// TestManyClaimsAreProtected: a cut plan goes on the next time, and the finalizer waits for all of it.
func TestManyClaimsAreProtected(t *testing.T) {
	w := draining(1005)
	w.scaledTo(1)
	w.Set.WhenDeleted, w.Set.Annotations[policy.DrainOnDelete] = "Delete", "true"
	for i := range w.Claims {
		w.Claims[i].Owners = w.owners()
	}
	p := Decide(&w.Snapshot)
	if n := strings.Count(actions(p), "set-claim-owners"); n != 1000 || !p.Truncated {
		t.Errorf("%d claims are released, truncated: %t", n, p.Truncated)
	}
	if strings.Contains(actions(p), "set-finalizer") {
		t.Error("the finalizer does not wait")
	}
}

// TestReleaseAddsNobody: where another controller runs the set, a claim is only released. Whether it goes with the set is that one's business,
// and an adapter refuses to add an owner there.
func TestReleaseAddsNobody(t *testing.T) {
	for scope, left := range map[model.Scope]int{model.ScopeWholeSet: 1, model.ScopeDrainOnly: 0} {
		w := draining(3).ofPod("www-web-2", "web-2")
		w.Set.WhenDeleted, w.Policy.Scope = "Delete", scope
		p := Decide(&w.settled().Snapshot)
		released := false
		for _, a := range p.Stages[0].Steps[0].Actions {
			if op, ok := a.Op.(model.SetClaimOwners); ok && a.Name == "www-web-2" {
				if released = true; len(op.Owners) != left {
					t.Errorf("%d: the owners are %v", scope, op.Owners)
				}
			}
		}
		if !released {
			t.Errorf("%d: %s", scope, actions(p))
		}
	}
}

package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

// TestGuardAnyOrder: two edits remove web-1: one lowers spec.replicas, the other reserves the ordinal. Whichever comes first, under the
// guard only web-1 is deleted.
func TestGuardAnyOrder(t *testing.T) {
	lower := func(w *world) { w.Set.Replicas = 2 }
	reserve := func(w *world) { w.Set.Annotations[policy.Reserved] = "1" }
	for _, ordered := range []bool{true, false} {
		for i, edits := range [][]func(*world){{lower, reserve}, {reserve, lower}, {func(w *world) { lower(w); reserve(w) }}} {
			w := newWorld(3).withClaims()
			w.Set.WhenScaled = "Delete"
			w.Set.Annotations = map[string]string{policy.Guard: "named"}
			if !ordered {
				w.parallel()
			}
			for _, edit := range edits {
				edit(w)
				if gone := w.settles(); !slices.ContainsFunc(gone, func(name string) bool { return name != "web-1" }) {
					continue
				} else {
					t.Errorf("ordered %v, order %d: %v have gone, want at most web-1", ordered, i, gone)
				}
			}
			if w.has("web-1") || !w.has("web-0") || !w.has("web-2") {
				t.Errorf("ordered %v, order %d: %d pods are left", ordered, i, len(w.Pods))
			}
		}
	}
}

// settles carries out the plans' actions on pods and claims' owners until nothing is left, and lists the deleted pods.
func (w *world) settles() (gone []string) {
	for range 20 {
		all := allActions(Decide(&w.Snapshot))
		for _, a := range all {
			switch op := a.Op.(type) {
			case model.DeletePod:
				gone = append(gone, a.Name)
				w.without(a.Name)
			case model.CreatePod:
				_, ordinal, _, _ := model.ParseMember(a.Name)
				w.pod(int(ordinal))
			case model.CreateClaim:
				w.claim(a.Name)
			case model.SetClaimOwners:
				for i := range w.Claims {
					if w.Claims[i].Name == a.Name {
						w.Claims[i].Owners = op.Owners
					}
				}
			case model.UpdateStatus:
				w.Set.Status = op.Status
			}
		}
		if len(all) == 0 {
			return gone
		}
	}
	panic("no end")
}

func (w *world) has(name string) bool {
	return slices.ContainsFunc(w.Pods, func(p model.Pod) bool { return p.Name == name })
}

// TestGuard: a block names what is kept, and its claims are kept too; an unknown text guards everything.
func TestGuard(t *testing.T) {
	for text, want := range map[string]string{"": "", "named": "SCALE_IN_GUARDED web-1", "on": "INVALID_POLICY web, SCALE_IN_GUARDED web-1"} {
		w := newWorld(3)
		w.Set.Annotations = map[string]string{policy.Guard: text}
		w.Set.Replicas = 1
		plan := Decide(&w.Snapshot)
		check(t, fmt.Sprintf("%q", text), "blocks", sortedBlocks(plan), want)
		if kept := !strings.Contains(actions(plan), "delete"); kept != (text != "") {
			t.Errorf("%q: %s", text, actions(plan))
		}
	}
	w := newWorld(2).withClaims()
	w.Set.WhenScaled = "Delete"
	w.Claims[1].Owners = []model.Owner{{APIVersion: "v1", Kind: "Pod", Name: "web-1", UID: "uid-web-1", Controller: true}}
	w.Set.Annotations = map[string]string{policy.Guard: "named"}
	w.Set.Replicas = 1
	w.settles()
	if len(w.Claims[1].Owners) != 0 {
		t.Errorf("the claim of a pod that the guard keeps still belongs to it: %v", w.Claims[1].Owners)
	}
}

// TestGuardBelowTheStart: an ordinal below spec.ordinals.start can be named, too.
func TestGuardBelowTheStart(t *testing.T) {
	w := newWorld(4).parallel()
	w.Set.Annotations = map[string]string{policy.Guard: "named", policy.Reserved: "1-2"}
	w.Set.OrdinalsStart, w.Set.Replicas = 2, 1
	plan := Decide(&w.Snapshot)
	check(t, "0 is not named, 1 and 2 are", "actions", actions(plan), "delete-pod web-2, delete-pod web-1")
	check(t, "0 is not named", "blocks", blocks(plan), "SCALE_IN_GUARDED web-0")
}

// TestGuardOfDeletedSet: the guard is for scale-downs. A set that is deleted and drained first is still emptied.
func TestGuardOfDeletedSet(t *testing.T) {
	w := draining(2).asks(policy.DrainOnDelete, "true").asks(policy.Guard, "named")
	w.Set.DeletedAt, w.Set.Finalizers = noon, []string{model.FinalizerDrain}
	check(t, "deleted", "actions", actions(Decide(&w.Snapshot)), "delete-pod web-1")
}

// TestGuardedAreNotDrained: with a drain policy, what the guard keeps is not asked, drained or deleted, and what the guard names is.
func TestGuardedAreNotDrained(t *testing.T) {
	for _, ordered := range []bool{true, false} {
		w := draining(4).asks(policy.Guard, "named").asks(policy.Reserved, "1").asks(policy.DrainMaxParallel, "1")
		if !ordered {
			w.parallel()
		}
		w.Set.Replicas = 1
		check(t, fmt.Sprint("ordered ", ordered), "actions", actions(Decide(&w.settled().Snapshot)), "delete-pod web-1")
	}
}

// TestGuardedHoldNobody: an unready pod that the guard keeps does not hold back others.
func TestGuardedHoldNobody(t *testing.T) {
	w := newWorld(5)
	w.Set.Annotations = map[string]string{policy.Guard: "named", policy.Reserved: "3"}
	w.Set.Replicas = 2
	for _, name := range []string{"web-2", "web-3", "web-4"} {
		w.p(name).Ready = false
	}
	check(t, "web-3 is reserved", "actions", actions(Decide(&w.settled().Snapshot)), "delete-pod web-3")
}

package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

// deletes reports whether a plan deletes an object.
func deletes(p *model.Plan, name string) bool {
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			if slices.ContainsFunc(step.Actions, func(a model.Action) bool {
				_, pod := a.Op.(model.DeletePod)
				return pod && a.Name == name
			}) {
				return true
			}
		}
	}
	return false
}

// TestNoPodTakesItsClaimAlong: a deleted pod's claims are deleted with it if they belong to it. If the plan cannot release them first,
// no step deletes the pod, and a block says why.
func TestNoPodTakesItsClaimAlong(t *testing.T) {
	failed := func(w *world, pod string) { w.p(pod).Phase, w.p(pod).Ready = model.PodFailed, false }
	for reason, w := range map[string]*world{
		"a failed pod that would be replaced, and an adapter that sets no owners": func() *world {
			w := draining(3).ofPod("www-web-2", "web-2")
			w.Capabilities &^= model.CanSetClaimOwners
			failed(w, "web-2")
			return w
		}(),
		"more releases than a plan has room for": func() *world {
			w := draining(1005)
			for i := range w.Claims {
				name := "web-" + strings.TrimPrefix(w.Claims[i].Name, "www-web-")
				w.ofPod(w.Claims[i].Name, name)
			}
			failed(w, "web-2")
			return w
		}(),
	} {
		w.Set.WhenScaled = "Delete"
		p := Decide(&w.Snapshot)
		released := strings.Contains(actions(p), "set-claim-owners www-web-2,")
		if deletes(p, "web-2") && !released || !strings.Contains(blocks(p), "DRAIN_UNPROTECTED") {
			t.Errorf("%s: web-2 is deleted: %t, its claim released: %t; %.200s", reason, deletes(p, "web-2"), released, blocks(p))
		}
	}
}

// TestWhatCountsAsDrained: a claim counts as drained only by a drain pod of its own ordinal that is not being deleted.
func TestWhatCountsAsDrained(t *testing.T) {
	for reason, change := range map[string]func(*world){
		"the drain pod is being deleted": func(w *world) { w.drainPod(2, model.PodSucceeded).DeletedAt = noon },
		"it is of another ordinal":       func(w *world) { markDrains(w.drainPod(2, model.PodSucceeded), w.c("www-web-1").UID) },
	} {
		w := draining(3).scaledTo(2)
		w.Set.WhenDeleted, w.Set.Annotations[policy.DrainOnDelete] = "Delete", "true"
		change(w)
		w.ofSet("www-web-1", "www-web-2")
		p := Decide(&w.Snapshot)
		if strings.Contains(actions(p), "set-finalizer") || !strings.Contains(blocks(p), "DRAIN_UNPROTECTED") {
			t.Errorf("%s: %s; %s", reason, actions(p), blocks(p))
		}
	}
}

// TestReleasedPodOwnsAClaim: a claim is also deleted with a pod that the set has released.
func TestReleasedPodOwnsAClaim(t *testing.T) {
	w := draining(3)
	w.Set.WhenScaled = "Delete"
	w.ofPod("www-web-2", "web-2")
	w.p("web-2").Labels, w.p("web-2").Owners = &model.Labels{Values: map[string]string{"app": "debug"}}, nil
	if p := Decide(&w.Snapshot); !strings.Contains(actions(p), "set-claim-owners www-web-2") || !strings.Contains(blocks(p), "DRAIN_UNPROTECTED") {
		t.Errorf("%s; %s", actions(p), blocks(p))
	}
}

// TestBothDangersAreSaid: some claims would be deleted with the set, and others with pods.
func TestBothDangersAreSaid(t *testing.T) {
	w := draining(3)
	w.Set.WhenScaled, w.Set.WhenDeleted, w.Set.Annotations[policy.DrainOnDelete] = "Delete", "Delete", "true"
	w.ofPod("www-web-0", "web-0").ofSet("www-web-1", "www-web-2")
	for _, b := range Decide(&w.Snapshot).Blocks {
		if b.Code == model.BlockDrainUnprotected {
			for _, want := range []string{"owned by Pod web-0", "2 claims would be deleted with the set", "Do not delete the pod", "Do not delete the set"} {
				if !strings.Contains(b.Message+b.Remedy, want) {
					t.Errorf("%q does not say %q", b.Message+" "+b.Remedy, want)
				}
			}
		}
	}
}

// TestDrainQuotesAreShort: users' texts are quoted only up to a length.
func TestDrainQuotesAreShort(t *testing.T) {
	long := strings.Repeat("\x01", 1<<20)
	for what, change := range map[string]func(*world){
		"proof": func(w *world) { w.Set.Annotations[policy.DrainProof] = long },
		"container": func(w *world) {
			w.Set.Annotations[policy.DrainTemplate] = fmt.Sprintf(`{"spec":{"containers":[{"name":%q,"livenessProbe":{}}]}}`, strings.Repeat("x", 1<<20))
		},
		"owner": func(w *world) {
			w.Set.Annotations[policy.DrainOnDelete] = "true"
			w.ofSet("www-web-1").c("www-web-1").Owners[0].Name = long
		},
	} {
		w := draining(3)
		change(w)
		said := false
		for _, b := range Decide(&w.Snapshot).Blocks {
			said = true
			if len(b.Message)+len(b.Remedy) > 4096 {
				t.Errorf("%s: %s has %d bytes", what, b.Code, len(b.Message)+len(b.Remedy))
			}
		}
		if !said {
			t.Errorf("%s: there is no block", what)
		}
	}
}

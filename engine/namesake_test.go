package engine

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// namesakeHas gives a pod to a set of the same name and of another kind.
func namesakeHas(w *world, pod string) *world {
	w.p(pod).Owners = []model.Owner{{APIVersion: "example.com/v1", Kind: "StatefulSet", Name: "web", UID: "uid-of-namesake", Controller: true}}
	return w
}

// TestNamesake: whatever is to be done, nothing is done to pods and no claim goes with the set while a namesake has pods.
func TestNamesake(t *testing.T) {
	const taken = "POD_NAME_TAKEN web-1"
	for name, row := range map[string]struct {
		make            func() *world
		alone, beside   string // actions without and with the namesake
		aloneHeld, held string // blocks
	}{
		"a pod is missing": {func() *world { return newWorld(3).parallel().without("web-2") },
			"create-pod web-2", "", "", taken},
		"its claims too": {func() *world { return newWorld(3).parallel().withClaims().without("web-2").withoutClaim("www-web-2") },
			"create-claim www-web-2, create-pod web-2", "", "", taken},
		"a pod is outdated": {func() *world { return newWorld(3).edited() },
			"delete-pod web-2", "", "", taken},
		"a pod is outside the range": {func() *world { w := newWorld(3); w.Set.Replicas = 2; return w },
			"delete-pod web-2", "", "", taken},
		"a pod has ended": {func() *world { return newWorld(3).failed("web-2") },
			"delete-pod web-2", "", "POD_ENDED web-2", taken},
		"a pod has no controller": {func() *world { w := newWorld(3); w.p("web-2").Owners = nil; return w },
			"adopt-pod web-2", "", "", taken},
		"claims would get the set as their owner": {func() *world { w := newWorld(3).withClaims(); w.Set.WhenDeleted = "Delete"; return w },
			"set-claim-owners www-web-0, set-claim-owners www-web-1, set-claim-owners www-web-2", "", "", taken},
		"a claim has the set as its owner": {func() *world {
			w := newWorld(3).withClaims()
			w.Set.WhenDeleted = "Delete"
			for i := range w.Claims {
				w.Claims[i].Owners = w.owners()
			}
			return w
		}, "", "set-claim-owners www-web-0, set-claim-owners www-web-1, set-claim-owners www-web-2", "", taken},
		"a claim goes with a pod of the other one": {func() *world { return newWorld(3).withClaims().ofPod("www-web-1", "web-1") },
			"set-claim-owners www-web-1", "", "", taken},
		"a claim goes with a pod of the other one that is gone": {func() *world {
			return newWorld(3).withClaims().ofPod("www-web-2", "web-2").without("web-2")
		}, "set-claim-owners www-web-2", "", "CLAIM_STALE www-web-2", taken},
		"a claim outside the range goes with such a pod": {func() *world {
			w := newWorld(3).withClaims()
			w.claim("www-web-5").Owners = []model.Owner{ofPod("web-5")}
			return w
		}, "set-claim-owners www-web-5", "", "", taken},
		"it is paused already": {func() *world { return newWorld(3).parallel().without("web-2").asks(policy.Pause, "All") },
			"", "", "PAUSED web", "PAUSED web"},
	} {
		t.Run(name, func(t *testing.T) {
			alone, beside := Decide(&row.make().settled().Snapshot), Decide(&namesakeHas(row.make(), "web-1").settled().Snapshot)
			check(t, "alone", "actions", actions(alone), row.alone)
			check(t, "beside", "actions", actions(beside), row.beside)
			if check(t, "beside", "blocks", blocks(beside), row.held); beside.Converged && row.held == taken {
				t.Error("it counts as being in the desired state")
			}
		})
	}
}

// TestWhoIsANamesake: a pod says so by a controller of the set's name, of a kind that runs sets.
func TestWhoIsANamesake(t *testing.T) {
	for name, row := range map[string]struct {
		change func(pod *model.Pod, owner *model.Owner)
		is     bool
	}{
		"another group's StatefulSet":      {func(*model.Pod, *model.Owner) {}, true},
		"of this set's kind":               {func(_ *model.Pod, o *model.Owner) { o.Kind = "Database" }, true},
		"outside the range":                {func(p *model.Pod, _ *model.Owner) { p.Name = "web-7" }, true},
		"of another name":                  {func(_ *model.Pod, o *model.Owner) { o.Name = "db" }, false},
		"of a third kind":                  {func(_ *model.Pod, o *model.Owner) { o.Kind = "Cache" }, true},
		"a DaemonSet":                      {func(p *model.Pod, o *model.Owner) { o.Kind, p.PodNameLabel = "DaemonSet", false }, false},
		"a ReplicaSet":                     {func(p *model.Pod, o *model.Owner) { o.Kind, p.PodNameLabel = "ReplicaSet", false }, false},
		"a ReplicaSet that has taken it":   {func(_ *model.Pod, o *model.Owner) { o.Kind = "ReplicaSet" }, false},
		"a Job that has taken it":          {func(_ *model.Pod, o *model.Owner) { o.Kind = "Job" }, false},
		"without the label":                {func(p *model.Pod, _ *model.Owner) { p.PodNameLabel = false }, true},
		"an earlier set of this very kind": {func(_ *model.Pod, o *model.Owner) { o.APIVersion, o.Kind = "example.com/v2", "Database" }, false},
		"no controller":                    {func(_ *model.Pod, o *model.Owner) { o.Controller = false }, false},
		"a pod of another name":            {func(p *model.Pod, _ *model.Owner) { p.Name = "db-1" }, false},
		"a pod whose name is no ordinal's": {func(p *model.Pod, _ *model.Owner) { p.Name = "web-01" }, false},
	} {
		w := namesakeHas(newWorld(3), "web-1")
		w.Set.APIVersion, w.Set.Kind = "example.com/v2", "Database"
		row.change(w.p("web-1"), &w.p("web-1").Owners[0])
		said := false
		for _, b := range Decide(&w.settled().Snapshot).Blocks {
			said = said || strings.Contains(b.Message, "Until one of them is gone")
		}
		if said != row.is {
			t.Errorf("%s: said %t", name, said)
		}
	}
}

// TestNamesakeAndDrain: nothing is drained, on whatever behaviour, and a deleted set that is drained first stays.
func TestNamesakeAndDrain(t *testing.T) {
	for name, make := range map[string]func() *world{
		"scaled down": func() *world { return draining(3).scaledTo(1) },
		"deleted":     func() *world { return draining(3).emptiedOnDelete().going(model.FinalizerDrain) },
	} {
		for _, rules := range []model.Rules{model.Setplan(), model.Kubernetes136()} {
			w := namesakeHas(make(), "web-0")
			w.Rules = rules
			if p := Decide(&w.Snapshot); actions(p) != "" || !strings.Contains(blocks(p), "INVALID_POLICY web") {
				t.Errorf("%s, %+v: %s; %s", name, rules, actions(p), blocks(p))
			}
		}
	}
}

// TestNamesakeKeepsItsReferences: of a claim's owners only this set and its own pods go.
func TestNamesakeKeepsItsReferences(t *testing.T) {
	w := namesakeHas(newWorld(3).withClaims(), "web-1")
	theirs := []model.Owner{ofPod("web-1"), {APIVersion: "v1", Kind: model.KindPod, Name: "web-0", UID: "uid-of-one-that-is-gone"}, w.p("web-1").Owners[0]}
	w.Set.WhenDeleted = "Delete"
	for i := range w.Claims {
		w.Claims[i].Owners = append(append(slices.Clone(theirs), w.owners()...), ofPod("web-0"))
	}
	released := 0
	for _, stage := range Decide(&w.settled().Snapshot).Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if op, ok := a.Op.(model.SetClaimOwners); ok {
					released++
					want := theirs
					if a.Name != "www-web-0" { // nothing tells that the pod of another ordinal is a mistake
						want = append(slices.Clone(theirs), ofPod("web-0"))
					}
					if !slices.Equal(op.Owners, want) {
						t.Errorf("%s: %v is left, want %v", a.Name, op.Owners, want)
					}
				}
			}
		}
	}
	if released != 3 {
		t.Errorf("%d claims are released from the set", released)
	}
}

// TestNamesakeAndProtection: a claim that goes with a pod of the other one does so by that one's policy. What refers to ours is released.
func TestNamesakeAndProtection(t *testing.T) {
	for _, scope := range []model.Scope{model.ScopeWholeSet, model.ScopeDrainOnly} {
		w := namesakeHas(draining(3).ofPod("www-web-1", "web-1"), "web-1")
		w.Policy.Scope = scope
		p := Decide(&w.settled().Snapshot)
		if actions(p) != "" || strings.Contains(blocks(p), "DRAIN_UNPROTECTED") {
			t.Errorf("%d: theirs: %s; %s", scope, actions(p), blocks(p))
		}
		w.ofPod("www-web-0", "web-0")
		if p := Decide(&w.Snapshot); actions(p) != "set-claim-owners www-web-0" || !strings.Contains(blocks(p), "DRAIN_UNPROTECTED www-web-0") {
			t.Errorf("%d: ours: %s; %s", scope, actions(p), blocks(p))
		}
	}
}

// TestNamesakesMarks: what the other one's drain has noted on claims stays, whoever decides, and is not taken for an earlier set's.
func TestNamesakesMarks(t *testing.T) {
	for name, change := range map[string]func(*world){
		"it drains, and this set does not":    func(w *world) { w.Set.Annotations = nil; w.Rules = model.Kubernetes136() },
		"another controller runs this set":    func(w *world) { w.Set.Annotations = nil; w.Policy.Scope = model.ScopeDrainOnly },
		"both drain":                          func(*world) {},
		"both drain, by the rules of 1.36":    func(w *world) { w.Rules = model.Kubernetes136() },
		"both drain, beside a controller":     func(w *world) { w.Policy.Scope = model.ScopeDrainOnly },
		"this set has left notes of a policy": func(w *world) { w.Set.Annotations = nil; w.Set.Finalizers = []string{model.FinalizerDrain} },
	} {
		w := namesakeHas(draining(3), "web-1")
		for i := range w.Claims {
			noteClaim(&w.Claims[i], state.AnnotationDrainSet, "web/uid-of-namesake")
			markAttempted(&w.Claims[i], 1)
		}
		change(w)
		if p := Decide(&w.settled().Snapshot); strings.Contains(actions(p), "www-web") {
			t.Errorf("%s: %s; %s", name, actions(p), blocks(p))
		}
	}
	w := namesakeHas(draining(3), "web-1")
	w.Set.Annotations, w.Policy.Scope = nil, model.ScopeDrainOnly
	noteClaim(w.c("www-web-0"), state.AnnotationDrainSet, "web/an-earlier-one")
	noteClaim(w.c("www-web-1"), state.AnnotationDrainSet, "web/uid-of-namesake")
	check(t, "an earlier set's, and this one's", "actions", actions(Decide(&w.Snapshot)), "patch-annotations www-web-0, patch-annotations www-web-2")
}

// TestNamesakeBesideAController: another controller runs the set, and goes on. Nobody says that the set stands still.
func TestNamesakeBesideAController(t *testing.T) {
	w := namesakeHas(draining(3), "web-1")
	w.Policy.Scope = model.ScopeDrainOnly
	check(t, "with a drain policy", "blocks", blocks(Decide(&w.Snapshot)), "INVALID_POLICY web")
	w.Set.Annotations = nil
	check(t, "without", "blocks", blocks(Decide(&w.Snapshot)), "")
}

// TestNamesakeAndOrphaning: who deletes a set with --cascade=orphan, so that the other one gets its pods, is not held up by its drain.
func TestNamesakeAndOrphaning(t *testing.T) {
	w := namesakeHas(draining(3).emptiedOnDelete().going(model.FinalizerDrain, model.FinalizerOrphan), "web-0")
	check(t, "beside a namesake", "actions", actions(Decide(&w.Snapshot)), "set-finalizer web")
	w = draining(3).emptiedOnDelete().going(model.FinalizerDrain, model.FinalizerOrphan).asks(policy.DrainScaleUp, "Perhaps")
	check(t, "with an invalid policy", "actions", actions(Decide(&w.Snapshot)), "set-finalizer web")
}

// TestClaimOfNamesake: no pod starts on a claim that goes with the other set, whether or not that one has pods. Other ordinals are not
// held up.
func TestClaimOfNamesake(t *testing.T) {
	lost := func() *world { return newWorld(3).parallel().withClaims().without("web-1").without("web-2") }
	for name, row := range map[string]struct {
		change        func(c *model.Claim, o *model.Owner)
		actions, held string
	}{
		"a set of another kind":    {func(*model.Claim, *model.Owner) {}, "create-pod web-2", "CLAIM_STALE www-web-1"},
		"that does not control it": {func(_ *model.Claim, o *model.Owner) { o.Controller = false }, "create-pod web-2", "CLAIM_STALE www-web-1"},
		"one of many owners": {func(c *model.Claim, _ *model.Owner) {
			c.Owners = append(slices.Repeat([]model.Owner{{Kind: "Keeper", UID: "keeper"}}, 20), c.Owners...)
		}, "create-pod web-2", "CLAIM_STALE www-web-1, CLAIM_FOREIGN_CONTROLLER www-web-1"},
		"it goes already":                  {func(c *model.Claim, _ *model.Owner) { c.DeletedAt = noon }, "create-pod web-2", "CLAIM_TERMINATING www-web-1"},
		"this set's too":                   {func(c *model.Claim, _ *model.Owner) { c.Owners = append(c.Owners, newWorld(0).owners()...) }, "set-claim-owners www-web-1, create-pod web-2", "CLAIM_STALE www-web-1"},
		"an operator's object of the name": {func(_ *model.Claim, o *model.Owner) { o.Kind = "Cluster" }, "create-pod web-1, create-pod web-2", "CLAIM_FOREIGN_CONTROLLER www-web-1"},
		"a set of another name":            {func(_ *model.Claim, o *model.Owner) { o.Name = "db" }, "create-pod web-1, create-pod web-2", "CLAIM_FOREIGN_CONTROLLER www-web-1"},
	} {
		w := lost()
		c := w.c("www-web-1")
		c.Owners = []model.Owner{{APIVersion: "example.com/v1", Kind: "StatefulSet", Name: "web", UID: "uid-of-namesake", Controller: true}}
		row.change(c, &c.Owners[0])
		p := Decide(&w.settled().Snapshot)
		check(t, name, "actions", actions(p), row.actions)
		check(t, name, "blocks", blocks(p), row.held)
	}
	w := lost()
	w.Rules = model.Kubernetes136()
	w.c("www-web-1").Owners = []model.Owner{{APIVersion: "example.com/v1", Kind: "StatefulSet", Name: "web", UID: "uid-of-namesake", Controller: true}}
	check(t, "upstream", "actions", actions(Decide(&w.settled().Snapshot)), "create-pod web-1, create-pod web-2")
}

// TestNamesakeWithoutPods: the other set was there first, and has no pod at the moment. Its data is not taken.
func TestNamesakeWithoutPods(t *testing.T) {
	theirs := func(w *world, age time.Duration) *model.Revision {
		w.Revisions = append(w.Revisions, model.Revision{Name: "web-theirs", UID: "uid-theirs", ResourceVersion: "1", Number: 1, Data: []byte("{}"),
			Labels: map[string]string{"app": "web"}, CreatedAt: noon.Add(-age),
			Owners: []model.Owner{{APIVersion: "example.com/v1", Kind: "StatefulSet", Name: "web", UID: "uid-of-namesake", Controller: true}}})
		return &w.Revisions[len(w.Revisions)-1]
	}
	none := func() *world { return newWorld(1).withClaims().without("web-0") }
	const makes, taken = "create-pod web-0", "POD_NAME_TAKEN web-theirs"
	for name, row := range map[string]struct {
		make          func() *world
		actions, held string
	}{
		"its history is older": {func() *world { w := none(); theirs(w, 2*time.Hour); return w }, "", taken},
		"of the same age":      {func() *world { w := none(); theirs(w, time.Hour); return w }, "", taken},
		"ours is older":        {func() *world { w := none(); theirs(w, time.Minute); return w }, makes, ""},
		"ours is nobody's": {func() *world { w := none(); w.Revisions[0].Owners = nil; theirs(w, time.Minute); return w },
			"adopt-revision " + nameFor("web:1", 0), taken},
		"a DaemonSet's":           {func() *world { w := none(); theirs(w, 2*time.Hour).Owners[0].Kind = "DaemonSet"; return w }, makes, ""},
		"a set's of another name": {func() *world { w := none(); theirs(w, 2*time.Hour).Owners[0].Name = "web-a"; return w }, makes, ""},
		"this set has pods":       {func() *world { w := newWorld(2).withClaims().without("web-1"); theirs(w, 2*time.Hour); return w }, "create-pod web-1", ""},
		"an earlier set's": {func() *world {
			w := none()
			theirs(w, 2*time.Hour).Owners[0].APIVersion = "apps/v1"
			return w
		}, makes, ""},
		"it goes with claims too": {func() *world {
			w := none()
			w.Set.WhenDeleted = "Delete"
			w.ofSet("www-web-0")
			theirs(w, 2*time.Hour)
			return w
		}, "set-claim-owners www-web-0", taken},
		"it is paused already": {func() *world { w := none().asks(policy.Pause, "All"); theirs(w, 2*time.Hour); return w }, "", "PAUSED web"},
	} {
		w := row.make()
		p := Decide(&w.settled().Snapshot)
		check(t, name, "actions", actions(p), row.actions)
		if check(t, name, "blocks", blocks(p), row.held); row.held == taken && p.Converged {
			t.Errorf("%s: it counts as being in the desired state", name)
		}
	}
	w := none()
	w.Rules = model.Kubernetes136()
	theirs(w, 2*time.Hour)
	check(t, "upstream", "actions", actions(Decide(&w.settled().Snapshot)), makes)
	w = draining(3).scaledTo(0)
	theirs(w, 2*time.Hour)
	if p := Decide(&w.Snapshot); actions(p) != "" || !strings.Contains(blocks(p), "INVALID_POLICY web") {
		t.Errorf("a drain: %s; %s", actions(p), blocks(p))
	}
}

// TestNamesakesPodIsNotDeleted: by the rules of 1.36 too, a user is told which of the two has the pod, and not to delete it: that one would
// make it again.
func TestNamesakesPodIsNotDeleted(t *testing.T) {
	for _, rules := range []model.Rules{model.Setplan(), model.Kubernetes136()} {
		w := namesakeHas(newWorld(3), "web-1")
		w.Rules = rules
		for _, b := range Decide(&w.settled().Snapshot).Blocks {
			if !strings.Contains(b.Message, "StatefulSet web (example.com/v1) controls") || !strings.HasPrefix(b.Remedy, "Delete the one that you do not want") {
				t.Errorf("%s %s", b.Message, b.Remedy)
			}
		}
	}
}

// TestNamesakesPodThatGoes: whoever may make a pod can give it any controller, and the garbage collector deletes one whose controller is not there.
func TestNamesakesPodThatGoes(t *testing.T) {
	for goes, want := range map[bool]string{false: "", true: "create-pod web-2"} {
		w := namesakeHas(newWorld(4).parallel().without("web-2"), "web-3")
		w.Set.Replicas = 3
		if goes {
			w.p("web-3").DeletedAt = noon
		}
		check(t, "a pod of a namesake", "actions", actions(Decide(&w.Snapshot)), want)
	}
}

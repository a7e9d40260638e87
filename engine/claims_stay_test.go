package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// handedOver is a set under whenScaled Delete that was scaled down to none, so that each claim refers to its pod, and scaled up again
// before a pod was deleted.
func handedOver(replicas int) *world {
	w := newWorld(replicas).withClaims()
	w.Set.WhenScaled = "Delete"
	for i := range w.Claims {
		w.Claims[i].Owners = []model.Owner{ofPod(fmt.Sprintf("web-%d", i))}
	}
	return w
}

func ofPod(name string) model.Owner {
	return model.Owner{APIVersion: "v1", Kind: model.KindPod, Name: name, UID: "uid-" + name, Controller: true, BlockOwnerDeletion: true}
}

func (w *world) failed(name string) *world {
	w.p(name).Phase, w.p(name).Ready = model.PodFailed, false
	return w
}

func (w *world) edited() *world {
	w.image("web:2")
	w.revision(2, string(w.Set.PodTemplate))
	return w
}

// TestWantedClaimsStay: whatever the cause of a pod's deletion, an earlier plan releases its claims first. The reason is the name.
func TestWantedClaimsStay(t *testing.T) {
	const release1 = "set-claim-owners www-web-1"
	release := "set-claim-owners www-web-0, " + release1
	for reason, row := range map[string]struct {
		make          func() *world
		actions, held string
	}{
		"the claims are released, although nothing is to be deleted": {func() *world { return handedOver(2) }, release, ""},
		"a pod that has ended": {func() *world { return handedOver(2).failed("web-1") },
			release, "POD_ENDED web-1"},
		"Parallel: a pod that has ended holds itself back and nothing else": {func() *world {
			w := handedOver(3).parallel().failed("web-1")
			w.c("www-web-2").Owners = nil
			return w.without("web-2")
		}, release + ", create-pod web-2", "POD_ENDED web-1"},
		"an update": {func() *world { return handedOver(2).edited() }, release, "UPDATE_WAITS_FOR_POD web-1"},
		"an update under Parallel, by the budget": {func() *world {
			w := handedOver(2).parallel().edited()
			w.budget("", 2)
			return w
		}, release, "UPDATE_WAITS_FOR_POD web-1"},
		"an update of a broken pod, outside the budget": {func() *world {
			w := handedOver(2).parallel().edited()
			w.p("web-1").Ready = false
			return w
		}, release, "POD_NOT_READY web-1, UPDATE_WAITS_FOR_POD web-1"},
		"an update without maxUnavailable": {func() *world {
			w := handedOver(2).edited()
			w.Rules.MaxUnavailable = false
			return w
		}, release, "UPDATE_WAITS_FOR_POD web-1"},
		"a repair": {func() *world {
			w := handedOver(2).edited()
			w.neverReady("web-1", "web-another")
			return w
		}, release, "POD_NOT_READY web-1, REPAIR_WAITS web-1"},
		"a pod that is being deleted": {func() *world {
			w := handedOver(2)
			w.p("web-0").DeletedAt = noon
			return w
		}, release, "POD_TERMINATING web-0"},
		"behind a pod that OrderedReady waits for": {func() *world {
			w := handedOver(2)
			w.p("web-0").Ready = false
			return w
		}, release, "POD_NOT_READY web-0"},
		"outside the range, after whenScaled became Retain": {func() *world {
			w := handedOver(2)
			w.Set.WhenScaled, w.Set.Replicas = "Retain", 1
			return w
		}, release, "SCALE_DOWN_WAITS_FOR_POD web-1"},
		"the same under Parallel": {func() *world {
			w := handedOver(2).parallel()
			w.Set.WhenScaled, w.Set.Replicas = "Retain", 1
			return w
		}, release, "SCALE_DOWN_WAITS_FOR_POD web-1"},
		"the same for one that is being deleted, behind a pod that OrderedReady waits for": {func() *world {
			w := handedOver(2)
			w.p("web-0").Ready, w.p("web-1").DeletedAt = false, noon
			w.Claims[0].Owners = nil
			w.Set.WhenScaled, w.Set.Replicas = "Retain", 1
			return w
		}, release1, "POD_NOT_READY web-0"},
		"the same for one that has ended, before its turn": {func() *world {
			w := handedOver(2).failed("web-0")
			w.p("web-1").Ready = false
			w.Set.WhenScaled, w.Set.Replicas = "Retain", 0
			return w
		}, "set-claim-owners www-web-1, set-claim-owners www-web-0", "SCALE_DOWN_WAITS_FOR_POD web-0"},
		"a claim that the policy gives to the pod is deleted with it": {func() *world {
			w := handedOver(2)
			w.Set.Replicas = 0
			return w
		}, "delete-pod web-1", ""},
		"a claim that is being deleted already holds nothing back": {func() *world {
			w := handedOver(1).failed("web-0")
			w.Claims[0].DeletedAt = noon
			return w
		}, "delete-pod web-0", "CLAIM_TERMINATING www-web-0"},
		"a claim that refers to an earlier pod holds nothing back": {func() *world {
			w := handedOver(1).failed("web-0")
			w.Claims[0].Owners[0].UID = "earlier"
			return w
		}, "delete-pod web-0", ""},
		"a claim that belongs to the set holds nothing back": {func() *world {
			w := handedOver(1).failed("web-0")
			w.Set.WhenDeleted, w.Claims[0].Owners = "Delete", w.owners()
			return w
		}, "delete-pod web-0", ""},
		"where the adapter cannot release, the pod stays": {func() *world {
			w := handedOver(1).failed("web-0")
			w.Capabilities &^= model.CanSetClaimOwners
			return w
		}, "", "CAPABILITY_MISSING www-web-0, POD_ENDED web-0"},
		"nothing holds a set that is being deleted": {func() *world {
			w := handedOver(1).failed("web-0")
			w.Set.DeletedAt = noon
			return w
		}, "", "CLAIM_STALE www-web-0, SET_DELETING web"},
	} {
		w := row.make().settled()
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
	}
}

// TestReleaseIsFirst: the release is in a stage before all others that touch pods, and its failure stops none of them: the deletions
// that need it are not in this plan.
func TestReleaseIsFirst(t *testing.T) {
	w := handedOver(3).parallel().failed("web-1")
	w.c("www-web-2").Owners = nil
	p := Decide(&w.without("web-2").Snapshot)
	if first := p.Stages[0]; first.Phase != model.PhaseOwnership || first.OnFailure != model.SkipPhase || first.AlwaysRun {
		t.Errorf("the first stage is %s, %s, always run: %t", first.Phase, first.OnFailure, first.AlwaysRun)
	}
}

// TestReleasesStartSlowly: if no claim can be written, that costs the API one request and not hundreds. A claim that was refused before
// delays no other, and is tried alone.
func TestReleasesStartSlowly(t *testing.T) {
	w := handedOver(5).parallel()
	refused := Decide(&w.Snapshot).Stages[0].Steps[0].Actions[0]
	check(t, "at first", "sizes", releaseSizes(w), "1 2 2")
	w.Outcomes = []model.Outcome{{ActionID: refused.ID, Result: model.OutcomeRejected, Count: 1}}
	p := Decide(&w.Snapshot)
	check(t, "with a failure", "sizes", releaseSizes(w), "1 2 1 1")
	check(t, "with a failure", "last", actions(p)[len(actions(p))-len("set-claim-owners "+refused.Name):], "set-claim-owners "+refused.Name)
}

func releaseSizes(w *world) string {
	var sizes []string
	for _, stage := range Decide(&w.Snapshot).Stages {
		if stage.Phase == model.PhaseOwnership {
			sizes = append(sizes, fmt.Sprint(len(stage.Steps)))
		}
	}
	return strings.Join(sizes, " ")
}

// TestFreeClaimsLetPodsGo: the plan after the release deletes the pod as usual.
func TestFreeClaimsLetPodsGo(t *testing.T) {
	w := handedOver(2).failed("web-1")
	for i := range w.Claims {
		w.Claims[i].Owners = nil
	}
	check(t, "released", "actions", actions(Decide(&w.Snapshot)), "delete-pod web-1")
}

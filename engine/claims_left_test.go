package engine

import (
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

// leftBehind is a set that was scaled down from three pods to one while its claims belonged to the set.
func leftBehind() *world {
	w := newWorld(3).withClaims().without("web-2").without("web-1")
	w.Set.Replicas = 1
	for i := range w.Claims {
		w.Claims[i].Owners = w.owners()
	}
	return w
}

// TestLeftoverClaims: a claim outside the range whose pod is gone is released from the set, and from the gone pod, once the policy
// keeps it: nothing else looks at it until the set is deleted. The reason is the name.
func TestLeftoverClaims(t *testing.T) {
	const release = "set-claim-owners www-web-0, set-claim-owners www-web-1, set-claim-owners www-web-2"
	const released = "set-claim-owners www-web-1, set-claim-owners www-web-2"
	ofGonePods := func() *world {
		w := leftBehind()
		w.Claims[0].Owners, w.Claims[1].Owners, w.Claims[2].Owners = nil, []model.Owner{ofPod("web-1")}, []model.Owner{ofPod("web-2")}
		return w
	}
	for reason, row := range map[string]struct {
		make          func() *world
		actions, held string
	}{
		"whenDeleted has become Retain": {leftBehind, release, ""},
		"whenDeleted is Delete": {func() *world {
			w := leftBehind()
			w.Set.WhenDeleted = "Delete"
			return w
		}, "", ""},
		"whenScaled Delete only deletes claims that have a pod": {func() *world {
			w := leftBehind()
			w.Set.WhenScaled = "Delete"
			return w
		}, release, ""},
		"whenScaled became Retain before the garbage collector came": {ofGonePods, released, ""},
		"whenScaled is Delete": {func() *world {
			w := ofGonePods()
			w.Set.WhenScaled = "Delete"
			return w
		}, "", ""},
		"an earlier set's claim is the garbage collector's": {func() *world {
			w := leftBehind()
			w.Claims = w.Claims[:2]
			w.Claims[0].Owners, w.Claims[1].Owners[0].UID = nil, "earlier"
			return w
		}, "", ""},
		"a claim that is being deleted cannot be kept": {func() *world {
			w := leftBehind()
			w.Claims = w.Claims[:2]
			w.Claims[0].Owners, w.Claims[1].DeletedAt = nil, noon
			return w
		}, "", ""},
		"behind a pod that OrderedReady waits for": {func() *world {
			w := leftBehind()
			w.p("web-0").Ready = false
			return w
		}, release, "POD_NOT_READY web-0"},
		"a pod outside the range, behind a pod that OrderedReady waits for": {func() *world {
			w := newWorld(2).withClaims()
			w.Set.Replicas, w.Claims[1].Owners = 1, w.owners()
			w.p("web-0").Ready = false
			return w
		}, "set-claim-owners www-web-1", "POD_NOT_READY web-0"},
		"another set has a claim of the same name": {func() *world {
			w := leftBehind()
			w.Set.WhenDeleted, w.ClaimNeighbours = "Delete", []model.ClaimNeighbour{{Set: "c", ClaimTemplate: "www"}}
			return w
		}, release, "INVALID_POLICY web"},
		"all is paused": {func() *world {
			w := leftBehind()
			w.Set.Annotations = map[string]string{policy.Pause: "All"}
			return w
		}, "", "CLAIM_STALE www-web-0, PAUSED web"},
		"the set is being deleted": {func() *world {
			w := leftBehind()
			w.Set.DeletedAt = noon
			return w
		}, "", "CLAIM_STALE www-web-0, SET_DELETING web"},
		"KUBERNETES_1_36 leaves it": {func() *world {
			w := leftBehind()
			w.Rules = model.Kubernetes136()
			return w
		}, "set-claim-owners www-web-0", ""},
	} {
		w := row.make().settled()
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
	}
}

// TestLeftoverClaimsComeToRest: each write leaves no owner, or the set if whenDeleted says so, and no write follows.
func TestLeftoverClaimsComeToRest(t *testing.T) {
	for whenDeleted, owner := range map[string]string{"Retain": "[]", "Delete": "[StatefulSet/web]"} {
		w := leftBehind()
		w.Set.WhenDeleted, w.Claims[2].Owners = whenDeleted, []model.Owner{ofPod("web-2")}
		check(t, whenDeleted, "owners of web-2's claim", claimOwners(Decide(&w.Snapshot), "www-web-2"), owner)
		if problem := w.ownersComeToRest(); problem != "" {
			t.Errorf("%s: %s", whenDeleted, problem)
		}
	}
}

// TestRefusedLeftoverComesLast: a claim whose release the API always refuses delays no other claim.
func TestRefusedLeftoverComesLast(t *testing.T) {
	w := leftBehind()
	w.Claims[0].Owners = nil
	refused := Decide(&w.Snapshot).Stages[0].Steps[0].Actions[0]
	check(t, "first", "claim", refused.Name, "www-web-1")
	w.Outcomes = []model.Outcome{{ActionID: refused.ID, Result: model.OutcomeRejected, Count: 1}}
	p := Decide(&w.Snapshot)
	check(t, "then", "actions", actions(p), "set-claim-owners www-web-2, set-claim-owners www-web-1")
}

// TestPodsGetTheirClaimsFirst: a claim that still has its pod is no leftover: whenScaled gives it to that pod.
func TestPodsGetTheirClaimsFirst(t *testing.T) {
	w := newWorld(2).withClaims()
	w.Set.WhenScaled, w.Set.Replicas, w.Claims[1].Owners = "Delete", 1, w.owners()
	check(t, "it was the set's", "owners of web-1's claim", claimOwners(Decide(&w.settled().Snapshot), "www-web-1"), "[Pod/web-1]")
}

// TestDrainedClaimsAreNotReleased: the drain deletes a claim that it has emptied, in the range or not. The same plan does not change
// the claim first: the deletion is for the version in the snapshot.
func TestDrainedClaimsAreNotReleased(t *testing.T) {
	w := draining(2).emptiedOnDelete().without("web-1")
	w.Set.WhenDeleted, w.c("www-web-1").Owners = "Delete", w.owners()
	w.drainPod(1, model.PodSucceeded)
	check(t, "in the range again", "actions", actions(Decide(&w.settled().Snapshot)), "delete-claim www-web-1, delete-pod web-1")
}

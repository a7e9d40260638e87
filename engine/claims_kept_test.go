package engine

import (
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// gone is a set that was scaled down under whenScaled Delete and up again: web-1 is gone, and the garbage collector has not yet deleted
// its claim.
func gone(whenScaled string) *world {
	w := handedOver(2).without("web-1")
	w.Claims[0].Owners = nil
	w.Set.WhenScaled = whenScaled
	return w
}

// TestClaimOfGonePod: no pod is created with a claim that will be deleted with an earlier pod. If whenScaled now keeps the claim, it is
// released from that pod; if whenScaled deletes it, its end is awaited. The reason is the name.
func TestClaimOfGonePod(t *testing.T) {
	const release = "set-claim-owners www-web-1"
	for reason, row := range map[string]struct {
		make          func() *world
		actions, held string
	}{
		"whenScaled Delete: it will be deleted, and the pod waits": {func() *world { return gone("Delete") }, "", "CLAIM_STALE www-web-1"},
		"whenScaled Retain: it is kept":                            {func() *world { return gone("Retain") }, release, "CLAIM_STALE www-web-1"},
		"under Parallel no other ordinal waits for it": {func() *world {
			w := gone("Retain").parallel()
			w.Set.Replicas = 3
			return w
		}, release + ", create-claim www-web-2, create-pod web-2", "CLAIM_STALE www-web-1"},
		"whenDeleted Delete does not leave it to the garbage collector": {func() *world {
			w := gone("Retain")
			w.Set.WhenDeleted, w.Claims[0].Owners = "Delete", w.owners()
			return w
		}, release, "CLAIM_STALE www-web-1"},
		"behind a pod that OrderedReady waits for": {func() *world {
			w := gone("Retain")
			w.p("web-0").Ready = false
			return w
		}, release, "POD_NOT_READY web-0"},
		"a pod was already created with it": {func() *world {
			w := handedOver(1)
			w.Set.WhenScaled, w.Claims[0].Owners[0].UID = "Retain", "earlier"
			return w
		}, "set-claim-owners www-web-0", ""},
		"a claim that is being deleted cannot be kept": {func() *world {
			w := gone("Retain")
			w.Claims[1].DeletedAt = noon
			return w
		}, "", "CLAIM_TERMINATING www-web-1"},
		"a claim that also refers to an earlier set is the garbage collector's": {func() *world {
			w := gone("Retain")
			set := w.owners()[0]
			set.UID, set.Controller = "earlier", false
			w.Claims[1].Owners = append(w.Claims[1].Owners, set)
			return w
		}, "", "CLAIM_STALE www-web-1"},
		"an adapter that cannot release claims creates no pod": {func() *world {
			w := gone("Retain")
			w.Capabilities &^= model.CanSetClaimOwners
			return w
		}, "", "CAPABILITY_MISSING www-web-1, CLAIM_STALE www-web-1"},
		"KUBERNETES_1_36 creates the pod": {func() *world {
			w := gone("Retain")
			w.Rules = model.Kubernetes136()
			return w
		}, "create-pod web-1", ""},
	} {
		w := row.make().settled()
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
	}
}

// TestClaimOfGonePodIsFree: the plan after the release creates the pod, and gives the claim to the set if whenDeleted says so.
func TestClaimOfGonePodIsFree(t *testing.T) {
	for whenDeleted, want := range map[string]string{"Retain": "create-pod web-1", "Delete": "set-claim-owners www-web-0, create-pod web-1, set-claim-owners www-web-1"} {
		w := gone("Retain")
		w.Claims[1].Owners = nil
		w.Set.WhenDeleted = whenDeleted
		check(t, whenDeleted, "actions", actions(Decide(&w.Snapshot)), want)
	}
}

// TestSharedClaims: a claim name that another set shares is given neither to the set nor to a pod, and a block says so.
func TestSharedClaims(t *testing.T) {
	neighbours := []model.ClaimNeighbour{{Set: "c", ClaimTemplate: "www"}, {Set: "b-web", ClaimTemplate: "www"}}
	for reason, row := range map[string]struct {
		make          func() *world
		actions, held string
	}{
		"the set's are released": {func() *world {
			w := newWorld(1).withClaims()
			w.Set.WhenDeleted, w.Claims[0].Owners = "Delete", w.owners()
			return w
		}, "set-claim-owners www-web-0", "INVALID_POLICY web"},
		"a pod's are released": {func() *world { return handedOver(1) }, "set-claim-owners www-web-0", "INVALID_POLICY web"},
		"no claim gets an owner": {func() *world {
			w := newWorld(2).withClaims()
			w.Set.WhenScaled, w.Set.WhenDeleted, w.Set.Replicas = "Delete", "Delete", 1
			return w
		}, "delete-pod web-1", "INVALID_POLICY web"},
		"another set's reference is left alone": {func() *world {
			w := newWorld(1).withClaims()
			w.Set.WhenDeleted, w.Claims[0].Owners = "Delete", w.owners()
			w.Claims[0].Owners[0].Name, w.Claims[0].Owners[0].UID = "c", "c"
			return w
		}, "", "CLAIM_FOREIGN_CONTROLLER www-web-0, INVALID_POLICY web"},
		"Retain deletes nothing": {func() *world { return newWorld(1).withClaims() }, "", ""},
		"KUBERNETES_1_36 deletes them": {func() *world {
			w := newWorld(1).withClaims()
			w.Set.WhenDeleted, w.Rules = "Delete", model.Kubernetes136()
			return w
		}, "set-claim-owners www-web-0", ""},
	} {
		w := row.make()
		w.ClaimNeighbours = neighbours
		w.settled()
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
	}
}

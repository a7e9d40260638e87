package engine

import "testing"

// gone is a set that was scaled down under whenScaled Delete and up again: web-1 has gone, and the garbage collector has not come to its
// claim yet.
func gone(whenScaled string) *world {
	w := handedOver(2).without("web-1")
	w.Claims[0].Owners = nil
	w.Set.WhenScaled = whenScaled
	return w
}

// TestClaimOfGonePod: no pod is made on a claim that goes with an earlier one. Once whenScaled keeps it, it is taken back from that pod; what
// whenScaled was to delete is waited for. The reason is the name.
func TestClaimOfGonePod(t *testing.T) {
	const release = "set-claim-owners www-web-1"
	for reason, row := range map[string]struct {
		make          func() *world
		actions, held string
	}{
		"whenScaled Delete: it goes, and is waited for": {func() *world { return gone("Delete") }, "", "CLAIM_STALE www-web-1"},
		"whenScaled Retain: it is kept":                 {func() *world { return gone("Retain") }, release, "CLAIM_STALE www-web-1"},
		"and nobody waits for its ordinal under Parallel": {func() *world {
			w := gone("Retain").parallel()
			w.Set.Replicas = 3
			return w
		}, release + ", create-claim www-web-2, create-pod web-2", "CLAIM_STALE www-web-1"},
		"whenDeleted Delete does not leave it to the collector": {func() *world {
			w := gone("Retain")
			w.Set.WhenDeleted, w.Claims[0].Owners = "Delete", w.owners()
			return w
		}, release, "CLAIM_STALE www-web-1"},
		"behind a pod that OrderedReady waits for": {func() *world {
			w := gone("Retain")
			w.p("web-0").Ready = false
			return w
		}, release, "POD_NOT_READY web-0"},
		"when a pod was made on it already": {func() *world {
			w := handedOver(1)
			w.Set.WhenScaled, w.Claims[0].Owners[0].UID = "Retain", "earlier"
			return w
		}, "set-claim-owners www-web-0", ""},
		"what is being deleted cannot be kept": {func() *world {
			w := gone("Retain")
			w.Claims[1].DeletedAt = noon
			return w
		}, "", "CLAIM_TERMINATING www-web-1"},
		"what refers to an earlier set as well is the collector's": {func() *world {
			w := gone("Retain")
			set := w.owners()[0]
			set.UID, set.Controller = "earlier", false
			w.Claims[1].Owners = append(w.Claims[1].Owners, set)
			return w
		}, "", "CLAIM_STALE www-web-1"},
		"an adapter that cannot release makes no pod": {func() *world {
			w := gone("Retain")
			w.Capabilities &^= CanSetClaimOwners
			return w
		}, "", "CAPABILITY_MISSING www-web-1, CLAIM_STALE www-web-1"},
		"KUBERNETES_1_36 makes the pod": {func() *world {
			w := gone("Retain")
			w.Rules = Kubernetes136()
			return w
		}, "create-pod web-1", ""},
	} {
		w := row.make().settled()
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
	}
}

// TestClaimOfGonePodIsFree: the plan after the release makes the pod, and gives the claim to the set where whenDeleted asks for that.
func TestClaimOfGonePodIsFree(t *testing.T) {
	for whenDeleted, want := range map[string]string{"Retain": "create-pod web-1", "Delete": "set-claim-owners www-web-0, create-pod web-1, set-claim-owners www-web-1"} {
		w := gone("Retain")
		w.Claims[1].Owners = nil
		w.Set.WhenDeleted = whenDeleted
		check(t, whenDeleted, "actions", actions(Decide(&w.Snapshot)), want)
	}
}

// TestSharedClaims: a claim that another set calls its own as well goes neither with the set nor with a pod, and a block says so.
func TestSharedClaims(t *testing.T) {
	neighbours := []ClaimNeighbour{{"c", "www"}, {"b-web", "www"}}
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
		"none is handed over": {func() *world {
			w := newWorld(2).withClaims()
			w.Set.WhenScaled, w.Set.WhenDeleted, w.Set.Replicas = "Delete", "Delete", 1
			return w
		}, "delete-pod web-1", "INVALID_POLICY web"},
		"another set's reference is left alone": {func() *world {
			w := newWorld(1).withClaims()
			w.Set.WhenDeleted, w.Claims[0].Owners = "Delete", w.owners()
			w.Claims[0].Owners[0].Name, w.Claims[0].Owners[0].UID = "c", "c"
			return w
		}, "", "INVALID_POLICY web"},
		"Retain deletes nothing": {func() *world { return newWorld(1).withClaims() }, "", ""},
		"KUBERNETES_1_36 deletes them": {func() *world {
			w := newWorld(1).withClaims()
			w.Set.WhenDeleted, w.Rules = "Delete", Kubernetes136()
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

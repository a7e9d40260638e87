package engine

import (
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

// goes is a set that is being deleted, and that still owns its claims although whenDeleted has become Retain.
func goes(finalizers ...string) *world {
	w := newWorld(2).withClaims()
	w.Set.DeletedAt, w.Set.Finalizers = noon, finalizers
	for i := range w.Claims {
		w.Claims[i].Owners = w.owners()
	}
	return w
}

// TestClaimsOfADeletedSet: what the retention policy keeps is released from a set that is being deleted, as long as something holds the set, and
// what is not released is said. The reason is the name.
func TestClaimsOfADeletedSet(t *testing.T) {
	const release, deleting, said = "set-claim-owners www-web-0, set-claim-owners www-web-1", "SET_DELETING web", "CLAIM_STALE www-web-0, SET_DELETING web"
	backup := model.Owner{APIVersion: "v1", Kind: "Backup", Name: "nightly", UID: "backup"}
	for reason, row := range map[string]struct {
		make          func() *world
		actions, held string
	}{
		"the foreground deletion holds it": {func() *world { return goes("foregroundDeletion") }, release, deleting},
		"another finalizer holds it":       {func() *world { return goes("example.com/keep") }, release, deleting},
		"a pause of all holds nothing back that keeps data": {func() *world {
			w := goes("foregroundDeletion")
			w.Set.Annotations = map[string]string{policy.Pause: "All"}
			return w
		}, release, deleting},
		"nothing holds it":                  {func() *world { return goes() }, "", said},
		"who deletes it keeps what it owns": {func() *world { return goes("orphan") }, "", deleting},
		"whenDeleted is Delete": {func() *world {
			w := goes("foregroundDeletion")
			w.Set.WhenDeleted = "Delete"
			return w
		}, "", deleting},
		"whenDeleted is Delete, and the pods own the claims": {func() *world {
			w := goes("foregroundDeletion")
			w.Set.WhenDeleted, w.Claims[0].Owners, w.Claims[1].Owners = "Delete", []model.Owner{ofPod("web-0")}, []model.Owner{ofPod("web-1")}
			return w
		}, "", deleting},
		"its pods own the claims": {func() *world {
			w := goes("foregroundDeletion")
			w.Claims[0].Owners, w.Claims[1].Owners = []model.Owner{ofPod("web-0")}, []model.Owner{ofPod("web-1")}
			return w
		}, release, deleting},
		"a claim goes with the pod that was scaled down": {func() *world {
			w := goes("foregroundDeletion")
			w.Set.Replicas, w.Set.WhenScaled, w.Claims[1].Owners = 1, "Delete", []model.Owner{ofPod("web-1")}
			return w
		}, "set-claim-owners www-web-0", deleting},
		"a claim of a pod that has gone": {func() *world {
			w := goes("foregroundDeletion").without("web-1")
			w.Set.Replicas = 1
			return w
		}, release, deleting},
		"the garbage collector was there first": {func() *world {
			w := goes("foregroundDeletion")
			w.Claims[0].DeletedAt, w.Claims[1].DeletedAt = noon, noon
			return w
		}, "", said},
		"it was at one of them": {func() *world {
			w := goes("foregroundDeletion")
			w.Claims[0].DeletedAt = noon
			return w
		}, "set-claim-owners www-web-1", said},
		"an earlier set's claims are the garbage collector's": {func() *world {
			w := goes("foregroundDeletion")
			w.Claims[0].Owners[0].UID, w.Claims[1].Owners = "earlier", nil
			return w
		}, "", deleting},
		"an adapter that cannot": {func() *world {
			w := goes("foregroundDeletion")
			w.Capabilities &^= model.CanSetClaimOwners
			return w
		}, "", "CAPABILITY_MISSING www-web-0, " + said},
		"KUBERNETES_1_36 leaves it": {func() *world {
			w := goes("foregroundDeletion")
			w.Rules = model.Kubernetes136()
			return w
		}, "", said},
		"a set that is paused, and not deleted yet": {func() *world {
			w := goes()
			w.Set.DeletedAt, w.Set.Annotations = time.Time{}, map[string]string{policy.Pause: "All"}
			return w
		}, "", "CLAIM_STALE www-web-0, PAUSED web"},
		"somebody else owns a claim, too": {func() *world {
			w := goes("foregroundDeletion")
			w.Claims[0].Owners = append(w.Claims[0].Owners, backup)
			return w
		}, release, "CLAIM_FOREIGN_CONTROLLER www-web-0, " + deleting},
	} {
		w := row.make().settled()
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
	}
	w := goes("example.com/keep")
	w.Claims[0].Owners = append(w.Claims[0].Owners, backup)
	check(t, "references of others stay", "owners", claimOwners(Decide(&w.Snapshot), "www-web-0"), "[Backup/nightly]")
}

// TestRefusedReleaseComesLast: a claim whose release is always refused keeps no other one with a set that is being deleted.
func TestRefusedReleaseComesLast(t *testing.T) {
	w := goes("foregroundDeletion")
	refused := Decide(&w.Snapshot).Stages[0].Steps[0].Actions[0]
	check(t, "first", "claim", refused.Name, "www-web-0")
	w.Outcomes = []model.Outcome{{ActionID: refused.ID, Result: model.OutcomeRejected, Count: 1}}
	check(t, "then", "actions", actions(Decide(&w.settled().Snapshot)), "set-claim-owners www-web-1, set-claim-owners www-web-0")
}

// TestClaimsOfOthers: a claim that the retention policy keeps and that goes with an object of somebody else's is left alone, and said.
func TestClaimsOfOthers(t *testing.T) {
	w := newWorld(3).withClaims()
	for i := range w.Claims {
		w.Claims[i].Owners = []model.Owner{{APIVersion: "rabbitmq.example.com/v1", Kind: "RabbitmqCluster", Name: "rmq", UID: "rmq", BlockOwnerDeletion: true}}
	}
	p := Decide(&w.settled().Snapshot)
	check(t, "Retain", "actions", actions(p), "")
	check(t, "Retain", "blocks", blocks(p), "CLAIM_FOREIGN_CONTROLLER www-web-0")
	if text := Describe(p); p.Converged || !strings.Contains(text, "RabbitmqCluster rmq owns the claim") || !strings.Contains(text, "2 more claims") {
		t.Errorf("the plan says %s", text)
	}
	w.Claims[0].Owners = append(w.Claims[0].Owners, model.Owner{APIVersion: "example.com/v1", Kind: "Backup", Name: "nightly", UID: "nightly"})
	if text := Describe(Decide(&w.settled().Snapshot)); !strings.Contains(text, "RabbitmqCluster rmq and 1 more object own the claim, so the claim is deleted once all of them are gone") {
		t.Errorf("of a claim with two owners the plan says %s", text)
	}
	w.Set.WhenDeleted = "Delete"
	check(t, "Delete", "blocks", blocks(Decide(&w.settled().Snapshot)), "")
}

package engine

import (
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// madeAnew is a set that was deleted under whenDeleted Delete and recreated before the garbage collector deleted the claim of web-1.
func madeAnew(owners ...model.Owner) *world {
	w := newWorld(2).withClaims().without("web-1")
	w.Set.WhenDeleted = "Delete"
	w.Claims[0].Owners, w.Claims[1].Owners = w.owners(), owners
	return w
}

// TestClaimOfEarlierSet: no pod is created with a claim that will be deleted with an earlier set of the name, whatever the new set's
// policy. A claim that this set keeps is not such a claim. The reason is the name.
func TestClaimOfEarlierSet(t *testing.T) {
	set := newWorld(1).owners()[0]
	earlier := set
	earlier.UID = "earlier"
	mere := earlier
	mere.Controller, mere.BlockOwnerDeletion = false, false
	pod, keeper := ofPod("web-1"), model.Owner{APIVersion: "v1", Kind: "ConfigMap", Name: "keeper", UID: "keeper"}
	pod.UID = "earlier-pod"
	const held = "CLAIM_STALE www-web-1"
	for reason, row := range map[string]struct {
		make          func() *world
		actions, held string
	}{
		"it will be deleted soon": {func() *world { return madeAnew(earlier) }, "", held},
		"also where the new set keeps its claims": {func() *world {
			w := madeAnew(earlier)
			w.Set.WhenDeleted, w.Claims[0].Owners = "Retain", nil
			return w
		}, "", held},
		"also under whenScaled Delete": {func() *world {
			w := madeAnew(earlier)
			w.Set.WhenScaled = "Delete"
			return w
		}, "", held},
		"an owner that does not control takes it along, too": {func() *world { return madeAnew(mere) }, "", held},
		"a second owner may be gone as well":                 {func() *world { return madeAnew(keeper, earlier) }, "", held},
		"an earlier pod as well":                             {func() *world { return madeAnew(pod, earlier) }, "", held},
		"an earlier pod as well, in the other order":         {func() *world { return madeAnew(earlier, pod) }, "", held},
		"one of several claims": {func() *world {
			w := madeAnew()
			w.Set.ClaimTemplates = append(w.Set.ClaimTemplates, []byte(`{"metadata":{"name":"logs"},"spec":{}}`))
			w.claim("logs-web-0").Owners = w.owners()
			w.claim("logs-web-1").Owners = []model.Owner{earlier}
			w.p("web-0").Volumes = []string{"logs", "www"}
			return w
		}, "", "CLAIM_STALE logs-web-1"},
		"a long list of owners": {func() *world {
			list := []model.Owner{earlier}
			for range 10 {
				list = append(list, keeper)
			}
			return madeAnew(list...)
		}, "", held},
		"Parallel: it holds back its own ordinal only": {func() *world {
			w := madeAnew(earlier).parallel()
			w.Set.Replicas = 3
			return w
		}, "create-claim www-web-2, create-pod web-2", held},
		"once it is being deleted the block says so": {func() *world {
			w := madeAnew(earlier)
			w.Claims[1].DeletedAt = noon
			return w
		}, "", "CLAIM_TERMINATING www-web-1"},
		"once it is gone a new one is created": {func() *world {
			w := madeAnew()
			w.Claims = w.Claims[:1]
			return w
		}, "create-claim www-web-1, create-pod web-1", ""},
		"this set owns it too, so the collector keeps it": {func() *world { return madeAnew(earlier, set) }, "create-pod web-1", "CLAIM_STALE www-web-1"},
		"it is a set of another name": {func() *world {
			other := mere
			other.Name = "c"
			return madeAnew(other)
		}, "create-pod web-1, set-claim-owners www-web-1", ""},
		"KUBERNETES_1_36 creates the pod": {func() *world {
			w := madeAnew(earlier)
			w.Rules = model.Kubernetes136()
			return w
		}, "create-pod web-1", "CLAIM_STALE www-web-1"},
	} {
		w := row.make().settled()
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
	}
}

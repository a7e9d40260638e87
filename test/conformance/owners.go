package conformance

import (
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

var ownerCases = []conformanceCase{
	{"adopt_pod adds the set and keeps other owners", "adopt_pod", func(t reporter, b *bench) {
		b.done(b.adoptPod(b.create(b.podJSON("web-1", "data-web-1", plainJSON))))
		b.wantOwners(t, kindPod, "web-1", "plain", "web (controller)")
	}},
	{"adopt_pod with another controller is refused", "adopt_pod", func(t reporter, b *bench) {
		pod := b.create(b.podJSON("web-1", "data-web-1", strangerJSON))
		if result := b.apply(b.adoptPod(pod)); result.Err == nil {
			t.Error("a pod has two controllers")
		}
		b.wantOwners(t, kindPod, "web-1", "other (controller)")
	}},
	{"adopt_pod with another uid is a conflict", "adopt_pod", func(_ reporter, b *bench) {
		earlier := b.create(b.podJSON("web-1", "data-web-1", "[]"))
		b.Delete(kindPod, "web-1")
		b.create(b.podJSON("web-1", "data-web-1", "[]"))
		action := b.adoptPod(earlier)
		action.Precondition.ResourceVersion = ""
		b.conflict(action)
	}},
	{"release_pod removes the set and keeps other owners", "release_pod", func(t reporter, b *bench) {
		pod := b.create(b.podJSON("web-1", "data-web-1", plainJSON))
		b.done(b.adoptPod(pod))
		b.done(b.releasePod(b.get(kindPod, "web-1")))
		b.wantOwners(t, kindPod, "web-1", "plain")
	}},
	{"release_pod that is gone is success", "release_pod", func(_ reporter, b *bench) {
		pod := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.Delete(kindPod, "web-1")
		b.done(b.releasePod(pod))
	}},
	{"release_pod without such an owner is success", "release_pod", func(t reporter, b *bench) {
		b.done(b.releasePod(b.create(b.podJSON("web-1", "data-web-1", plainJSON))))
		b.wantOwners(t, kindPod, "web-1", "plain")
	}},
	{"adopt_revision", "adopt_revision", func(t reporter, b *bench) {
		action := on(kindRevision, b.create(b.revisionJSON("web-1", "[]", "a")))
		action.Operation = &setplanv1.Action_AdoptRevision{AdoptRevision: &setplanv1.AdoptRevision{Owner: b.owner()}}
		b.done(action)
		b.wantOwners(t, kindRevision, "web-1", "web (controller)")
	}},
	{"set_claim_owners replaces the list", "set_claim_owners", func(t reporter, b *bench) {
		b.done(b.setClaimOwners(b.create(b.claimJSON("data-web-1", plainJSON)), b.owner()))
		b.wantOwners(t, kindClaim, "data-web-1", "web (controller)")
		b.done(b.setClaimOwners(b.get(kindClaim, "data-web-1")))
		b.wantOwners(t, kindClaim, "data-web-1")
	}},
	{"set_claim_owners at another resource version is a conflict", "set_claim_owners", func(t reporter, b *bench) {
		claim := b.create(b.claimJSON("data-web-1", "[]"))
		b.done(b.setClaimOwners(claim, b.owner()))
		b.conflict(b.setClaimOwners(claim))
		b.wantOwners(t, kindClaim, "data-web-1", "web (controller)")
	}},
}

func (b *bench) adoptPod(pod meta) *setplanv1.Action {
	action := on(kindPod, pod)
	action.Operation = &setplanv1.Action_AdoptPod{AdoptPod: &setplanv1.AdoptPod{Owner: b.owner()}}
	return action
}

func (b *bench) releasePod(pod meta) *setplanv1.Action {
	action := on(kindPod, pod)
	action.Precondition.ResourceVersion = ""
	action.Operation = &setplanv1.Action_ReleasePod{ReleasePod: &setplanv1.ReleasePod{OwnerUid: string(b.set.UID)}}
	return action
}

func (b *bench) setClaimOwners(claim meta, owners ...*setplanv1.OwnerReference) *setplanv1.Action {
	action := on(kindClaim, claim)
	action.Operation = &setplanv1.Action_SetClaimOwners{SetClaimOwners: &setplanv1.SetClaimOwners{Owners: owners}}
	return action
}

// wantOwners compares the owners of an object, as "name" or "name (controller)".
func (b *bench) wantOwners(t reporter, kind, name string, want ...string) {
	t.Helper()
	got := map[string]bool{}
	for _, ref := range b.get(kind, name).OwnerReferences {
		text := ref.Name
		if ref.Controller != nil && *ref.Controller {
			text += " (controller)"
		}
		got[text] = true
	}
	if len(got) != len(want) {
		t.Errorf("the owners of %s are %v instead of %v", name, got, want)
		return
	}
	for _, w := range want {
		if !got[w] {
			t.Errorf("the owners of %s are %v instead of %v", name, got, want)
		}
	}
}

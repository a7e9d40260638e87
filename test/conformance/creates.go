package conformance

import (
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

var createCases = []conformanceCase{
	{"create_pod", "create_pod", func(t reporter, b *bench) {
		write := b.done(createPod("web-1", b.podJSON("web-1", "data-web-1", b.ownerJSON())))
		pod := b.get(kindPod, "web-1")
		if pod.Labels["tier"] != "db" || len(pod.OwnerReferences) != 1 || pod.OwnerReferences[0].UID != b.set.UID {
			t.Errorf("the pod is not what the manifest says: %+v", pod.ObjectMeta)
		}
		if write == nil || write.Kind != kindPod || write.Name != "web-1" || write.ResourceVersion == "" || write.Deleted {
			t.Errorf("the gate is told %+v", write)
		}
	}},
	{"create_pod that is there and ours is success", "create_pod", func(t reporter, b *bench) {
		existing := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.done(createPod("web-1", b.podJSON("web-1", "data-web-1", b.ownerJSON())))
		if after := b.get(kindPod, "web-1"); after.ResourceVersion != existing.ResourceVersion {
			t.Error("the pod that was there has been changed")
		}
	}},
	{"create_pod that is there and a stranger's is a conflict", "create_pod", func(_ reporter, b *bench) {
		b.create(b.podJSON("web-1", "data-web-1", strangerJSON))
		b.conflict(createPod("web-1", b.podJSON("web-1", "data-web-1", b.ownerJSON())))
	}},
	{"create_claim", "create_claim", func(t reporter, b *bench) {
		write := b.done(createClaim("data-web-1", b.claimJSON("data-web-1", "[]")))
		if claim := b.get(kindClaim, "data-web-1"); write == nil || string(claim.UID) != write.UID {
			t.Errorf("the gate is told %+v about claim %s", write, claim.UID)
		}
	}},
	{"create_claim that is there is a conflict", "create_claim", func(_ reporter, b *bench) {
		b.create(b.claimJSON("data-web-1", "[]"))
		b.conflict(createClaim("data-web-1", b.claimJSON("data-web-1", "[]")))
	}},
	{"create_revision", "create_revision", func(t reporter, b *bench) {
		b.done(createRevision("web-1", b.revisionJSON("web-1", b.ownerJSON(), "a")))
		if data, number := revisionOf(t, b.Get(kindRevision, "web-1")); data != `{"spec":{"template":{"image":"a"}}}` || number != 4 {
			t.Errorf("the revision has number %d and data %s", number, data)
		}
	}},
	{"create_revision that is there with the same data is success", "create_revision", func(_ reporter, b *bench) {
		b.create(b.revisionJSON("web-1", b.ownerJSON(), "a"))
		b.done(createRevision("web-1", b.revisionJSON("web-1", b.ownerJSON(), "a")))
	}},
	{"create_revision that is there with other data is a conflict", "create_revision", func(_ reporter, b *bench) {
		b.create(b.revisionJSON("web-1", b.ownerJSON(), "b"))
		b.conflict(createRevision("web-1", b.revisionJSON("web-1", b.ownerJSON(), "a")))
	}},
	{"create_revision that is there and a stranger's is a conflict", "create_revision", func(_ reporter, b *bench) {
		b.create(b.revisionJSON("web-1", strangerJSON, "a"))
		b.conflict(createRevision("web-1", b.revisionJSON("web-1", b.ownerJSON(), "a")))
	}},
}

func createPod(name, manifest string) *setplanv1.Action {
	action := fresh(kindPod, name)
	action.Operation = &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{Manifest: []byte(manifest)}}
	return action
}

func createClaim(name, manifest string) *setplanv1.Action {
	action := fresh(kindClaim, name)
	action.Operation = &setplanv1.Action_CreateClaim{CreateClaim: &setplanv1.CreateClaim{Manifest: []byte(manifest)}}
	return action
}

func createRevision(name, manifest string) *setplanv1.Action {
	action := fresh(kindRevision, name)
	action.Operation = &setplanv1.Action_CreateRevision{CreateRevision: &setplanv1.CreateRevision{Manifest: []byte(manifest)}}
	return action
}

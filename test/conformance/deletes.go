package conformance

import (
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

var deleteCases = []conformanceCase{
	{"delete_pod", "delete_pod", func(t reporter, b *bench) {
		pod := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		write := b.done(deletePod(pod))
		if left := b.Get(kindPod, "web-1"); left != nil && b.parse(left).DeletionTimestamp == nil {
			t.Error("the pod is there and not being deleted")
		}
		if write == nil || !write.Deleted || write.UID != string(pod.UID) {
			t.Errorf("the gate is told %+v", write)
		}
	}},
	{"delete_pod with another uid is a conflict", "delete_pod", func(_ reporter, b *bench) {
		earlier := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.Delete(kindPod, "web-1")
		b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.conflict(deletePod(earlier))
		b.get(kindPod, "web-1")
	}},
	{"delete_pod that is gone is success", "delete_pod", func(_ reporter, b *bench) {
		pod := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.Delete(kindPod, "web-1")
		b.done(deletePod(pod))
	}},
	{"delete_revision", "delete_revision", func(t reporter, b *bench) {
		b.done(deleteRevision(b.create(b.revisionJSON("web-1", b.ownerJSON(), "a"))))
		if b.Get(kindRevision, "web-1") != nil {
			t.Error("the revision is still there")
		}
	}},
	{"delete_revision with another uid is a conflict", "delete_revision", func(_ reporter, b *bench) {
		earlier := b.create(b.revisionJSON("web-1", b.ownerJSON(), "a"))
		b.Delete(kindRevision, "web-1")
		b.create(b.revisionJSON("web-1", b.ownerJSON(), "a"))
		b.conflict(deleteRevision(earlier))
		b.get(kindRevision, "web-1")
	}},
	{"delete_revision that is gone is success", "delete_revision", func(_ reporter, b *bench) {
		revision := b.create(b.revisionJSON("web-1", b.ownerJSON(), "a"))
		b.Delete(kindRevision, "web-1")
		b.done(deleteRevision(revision))
	}},
}

// deletePod has the uid alone as its precondition, as plans have it: a pod that changes is deleted all the same.
func deletePod(pod meta) *setplanv1.Action {
	action := on(kindPod, pod)
	action.Precondition.ResourceVersion = ""
	action.Operation = &setplanv1.Action_DeletePod{DeletePod: &setplanv1.DeletePod{}}
	return action
}

func deleteRevision(revision meta) *setplanv1.Action {
	action := on(kindRevision, revision)
	action.Precondition.ResourceVersion = ""
	action.Operation = &setplanv1.Action_DeleteRevision{DeleteRevision: &setplanv1.DeleteRevision{}}
	return action
}

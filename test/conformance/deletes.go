package conformance

import (
	"fmt"
	"strings"
	"time"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

var deleteCases = []conformanceCase{
	{"delete_pod", "delete_pod", takesPod(deletePod)},
	{"delete_pod with another uid is a conflict", "delete_pod", leavesAnotherPod(deletePod)},
	{"delete_pod that is gone is success", "delete_pod", findsPodGone(deletePod)},
	{"evict_pod", "evict_pod", takesPod(evictPod)},
	{"evict_pod that a disruption budget does not allow says so, and is not tried again", "evict_pod", func(t reporter, b *bench) {
		pod := b.readyPod("web-1")
		b.create(b.budgetJSON("guard", 1))
		began := time.Now()
		message := b.refused(evictPod(pod), setplanv1.OutcomeResult_OUTCOME_RESULT_DISRUPTION_BUDGET)
		if !strings.Contains(message, "The disruption budget guard ") {
			t.Errorf("nobody learns which budget it is: %s", message)
		}
		if after := b.get(kindPod, "web-1"); after.DeletionTimestamp != nil {
			t.Error("the pod is being deleted all the same")
		}
		if took := time.Since(began); took > 5*time.Second { // the API server says "in 10 s"
			t.Errorf("the answer took %s: a worker must not wait for a budget", took)
		}
	}},
	{"evict_pod that two disruption budgets select is rejected", "evict_pod", func(_ reporter, b *bench) {
		pod := b.readyPod("web-1")
		b.create(b.budgetJSON("guard", 0))
		b.create(b.budgetJSON("watch", 0))
		b.refused(evictPod(pod), setplanv1.OutcomeResult_OUTCOME_RESULT_REJECTED)
	}},
	{"evict_pod with another uid is a conflict", "evict_pod", leavesAnotherPod(evictPod)},
	{"evict_pod at another resource version is a conflict", "evict_pod", func(_ reporter, b *bench) {
		earlier := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.PatchStatus(kindPod, "web-1", []byte(`{"phase":"Running"}`))
		action := evictPod(earlier)
		action.Precondition.ResourceVersion = earlier.ResourceVersion
		b.conflict(action)
		b.get(kindPod, "web-1")
	}},
	{"evict_pod that is gone is success", "evict_pod", findsPodGone(evictPod)},
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

func takesPod(action func(meta) *setplanv1.Action) func(reporter, *bench) {
	return func(t reporter, b *bench) {
		pod := b.readyPod("web-1")
		write := b.done(action(pod))
		if left := b.Get(kindPod, "web-1"); left != nil && b.parse(left).DeletionTimestamp == nil {
			t.Error("the pod is there and not being deleted")
		}
		if write == nil || !write.Deleted || write.UID != string(pod.UID) {
			t.Errorf("the gate is told %+v", write)
		}
	}
}

func leavesAnotherPod(action func(meta) *setplanv1.Action) func(reporter, *bench) {
	return func(_ reporter, b *bench) {
		earlier := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.Delete(kindPod, "web-1")
		b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.conflict(action(earlier))
		b.get(kindPod, "web-1")
	}
}

func findsPodGone(action func(meta) *setplanv1.Action) func(reporter, *bench) {
	return func(_ reporter, b *bench) {
		pod := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.Delete(kindPod, "web-1")
		b.done(action(pod))
	}
}

// deletePod has the uid alone as its precondition, as plans have it: a pod that changes is deleted all the same.
func deletePod(pod meta) *setplanv1.Action {
	action := on(kindPod, pod)
	action.Precondition.ResourceVersion = ""
	action.Operation = &setplanv1.Action_DeletePod{DeletePod: &setplanv1.DeletePod{}}
	return action
}

func evictPod(pod meta) *setplanv1.Action {
	action := deletePod(pod)
	action.Operation = &setplanv1.Action_EvictPod{EvictPod: &setplanv1.EvictPod{}}
	return action
}

// readyPod is a pod that a disruption budget counts as healthy.
func (b *bench) readyPod(name string) meta {
	b.t.Helper()
	b.create(b.podJSON(name, "data-"+name, b.ownerJSON()))
	b.PatchStatus(kindPod, name, []byte(`{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}`))
	return b.get(kindPod, name)
}

// budgetJSON is a disruption budget for every pod of the namespace.
func (b *bench) budgetJSON(name string, minAvailable int) string {
	return fmt.Sprintf(`{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":%q,"namespace":%q},"spec":{"minAvailable":%d,"selector":{}}}`,
		name, b.key.Namespace, minAvailable)
}

func deleteRevision(revision meta) *setplanv1.Action {
	action := on(kindRevision, revision)
	action.Precondition.ResourceVersion = ""
	action.Operation = &setplanv1.Action_DeleteRevision{DeleteRevision: &setplanv1.DeleteRevision{}}
	return action
}

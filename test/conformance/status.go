package conformance

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"google.golang.org/protobuf/types/known/timestamppb"
	appsv1 "k8s.io/api/apps/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/need"
)

var statusCases = []conformanceCase{
	{"update_status writes its fields and leaves the others", "update_status", func(t reporter, b *bench) {
		b.PatchStatus(kindSet, "web", []byte(`{"replicas":0,"conditions":[{"type":"Example","status":"True"}]}`))
		before := b.stored(t)
		b.done(updateStatus(b.get(kindSet, "web"), 2))
		after := b.stored(t)
		if after.Status.Replicas != 2 || after.Status.CurrentRevision != "web-1" || after.Status.ObservedGeneration != 1 ||
			after.Status.CollisionCount == nil || *after.Status.CollisionCount != 1 {
			t.Errorf("the status is %+v", after.Status)
		}
		if len(after.Status.Conditions) != 1 {
			t.Error("a field of the status that the contract does not have is lost")
		}
		if after.Generation != before.Generation {
			t.Error("the spec has been written too")
		}
	}},
	{"update_status writes zeros", "update_status", func(t reporter, b *bench) {
		b.PatchStatus(kindSet, "web", []byte(counted))
		b.done(statusAction(b.get(kindSet, "web"), &setplanv1.StatefulSetStatus{
			ObservedGeneration: new(int64(0)), Replicas: new(int32(0)), ReadyReplicas: new(int32(0)), AvailableReplicas: new(int32(0)),
			CurrentReplicas: new(int32(0)), UpdatedReplicas: new(int32(0)), CurrentRevision: new(""), UpdateRevision: new(""),
		}))
		after := b.stored(t).Status
		after.CollisionCount, after.Conditions = nil, nil // an API server lets the former grow only
		if !reflect.DeepEqual(after, appsv1.StatefulSetStatus{}) {
			t.Errorf("fields that the action sets to zero are not zero: %+v", after)
		}
	}},
	{"update_status leaves what the action does not set", "update_status", func(t reporter, b *bench) {
		b.PatchStatus(kindSet, "web", []byte(counted))
		want := b.stored(t).Status
		want.Replicas, want.AvailableReplicas = 4, 0
		b.done(statusAction(b.get(kindSet, "web"), &setplanv1.StatefulSetStatus{Replicas: new(int32(4)), AvailableReplicas: new(int32(0))}))
		if after := b.stored(t).Status; !reflect.DeepEqual(after, want) {
			t.Errorf("the status is %+v, want %+v", after, want)
		}
	}},
	{"update_status sets conditions by type and leaves those of others", "update_status", func(t reporter, b *bench) {
		b.PatchStatus(kindSet, "web", []byte(`{"replicas":0,"conditions":[{"type":"Example","status":"True","message":"kept"},{"type":"Blocked","status":"False"}]}`))
		b.WaitSynced()
		action, changed := updateStatus(b.get(kindSet, "web"), 2), &timestamppb.Timestamp{Seconds: 1_767_225_600}
		action.GetUpdateStatus().GetStatus().Conditions = []*setplanv1.Condition{
			{Type: "Reconciling", Status: "True", Reason: "Scaling", Message: "m", LastTransitionTime: changed},
			{Type: "Blocked", Status: "True", Reason: "PodNameTaken", Message: "n", LastTransitionTime: changed},
		}
		b.done(action)
		want(t, "conditions", conditionsOf(b.stored(t)), "Blocked=True PodNameTaken n 1767225600", "Example=True  kept 0",
			"Reconciling=True Scaling m 1767225600")
		var sent []string
		for _, c := range b.snapshot().GetSet().GetStatus().GetConditions() {
			sent = append(sent, c.GetType()+"="+c.GetStatus())
		}
		slices.Sort(sent)
		want(t, "conditions in the snapshot", sent, "Blocked=True", "Example=True", "Reconciling=True")
	}},
	{"update_status at another resource version is a conflict", "update_status", func(_ reporter, b *bench) {
		set := b.get(kindSet, "web")
		b.done(updateStatus(set, 2))
		b.conflict(updateStatus(set, 1))
	}},
	{"update_status of a set that is gone is a conflict", "update_status", func(_ reporter, b *bench) {
		b.Delete(kindSet, "web")
		b.conflict(updateStatus(b.set, 1))
	}},
}

// counted is a status without a zero in it.
const counted = `{"observedGeneration":1,"replicas":3,"readyReplicas":3,"availableReplicas":2,"currentReplicas":1,"updatedReplicas":2,` +
	`"currentRevision":"web-8","updateRevision":"web-9","collisionCount":1}`

func conditionsOf(set *appsv1.StatefulSet) []string {
	var list []string
	for _, c := range set.Status.Conditions {
		list = append(list, fmt.Sprintf("%s=%s %s %s %d", c.Type, c.Status, c.Reason, c.Message, max(0, c.LastTransitionTime.Unix())))
	}
	slices.Sort(list)
	return list
}

func (b *bench) stored(t reporter) *appsv1.StatefulSet {
	t.Helper()
	set := &appsv1.StatefulSet{}
	need.NoError(t, json.Unmarshal(b.Get(kindSet, "web"), set))
	return set
}

func updateStatus(set meta, replicas int32) *setplanv1.Action {
	return statusAction(set, &setplanv1.StatefulSetStatus{
		ObservedGeneration: new(int64(1)), Replicas: &replicas, ReadyReplicas: new(int32(1)), AvailableReplicas: new(int32(1)),
		CurrentReplicas: &replicas, UpdatedReplicas: new(int32(0)), CurrentRevision: new("web-1"), UpdateRevision: new("web-1"),
		CollisionCount: new(int32(1)),
	})
}

func statusAction(set meta, status *setplanv1.StatefulSetStatus) *setplanv1.Action {
	action := on(kindSet, set)
	action.Operation = &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: status}}
	return action
}

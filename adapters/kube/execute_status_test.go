package kube

import (
	"context"
	"encoding/json"
	"maps"
	"math/rand"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/types/known/timestamppb"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func statusUpdate(version string, status *setplanv1.StatefulSetStatus) *setplanv1.Action {
	a := action("StatefulSet", "web", is("set", version))
	a.Operation = &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: status}}
	return a
}

// sentStatus carries out an update of the status while the cache has this set, and returns what was sent.
func sentStatus(t *testing.T, cached any, status *setplanv1.StatefulSetStatus, answers map[string]answer, times int) ([]request, adapters.Result) {
	t.Helper()
	caches := filledCaches(t)
	if err := caches.of("").sets.Update(keptOf(t, cached)); err != nil {
		t.Fatal(err)
	}
	server, api := newAPIServer(t, answers)
	executor := NewExecutor(StatefulSets(), api, NewSource(StatefulSets(), caches, api, time.Now))
	var result adapters.Result
	for range times {
		result = executor.Apply(context.Background(), webKey, statusUpdate("7", status))
	}
	return server.requests, result
}

// TestStatusAsProtobuf: the whole stored set is sent, with the status that the merge patch would have made.
func TestStatusAsProtobuf(t *testing.T) {
	fill := fuzzer.FuzzerFor(fuzzer.MergeFuzzerFuncs(metafuzzer.Funcs, oddSets), rand.NewSource(2), scheme.Codecs)
	at := timestamppb.New(time.Unix(1_800_000_000, 500))
	for name, update := range map[string]*setplanv1.StatefulSetStatus{
		"all": {ObservedGeneration: new(int64(3)), Replicas: new(int32(1)), ReadyReplicas: new(int32(0)), AvailableReplicas: new(int32(4)),
			CurrentReplicas: new(int32(5)), UpdatedReplicas: new(int32(6)), CurrentRevision: new("web-1f"), UpdateRevision: new(""), CollisionCount: new(int32(2))},
		"some": {ReadyReplicas: new(int32(0))},
		"conditions": {Conditions: []*setplanv1.Condition{{Type: "Blocked", Status: "True", Reason: "r", Message: "m", LastTransitionTime: at},
			{Type: "Kept", Status: "False"}, {Type: "New", Status: "Unknown", LastTransitionTime: at}}},
	} {
		for range 20 {
			set := &appsv1.StatefulSet{}
			fill.Fill(set)
			set.Namespace, set.Name, set.UID, set.ResourceVersion = "default", "web", "set", "7"
			set.Status.Conditions = append(set.Status.Conditions, appsv1.StatefulSetCondition{Type: "Kept", Message: "of before"})
			set, err := decodeSet(served(t, set, runtime.ContentTypeProtobuf)) // as it is stored
			if err != nil {
				t.Fatal(err)
			}
			requests, result := sentStatus(t, set, update, map[string]answer{"PUT " + setPath + "/status": objectAnswer("web", "set", "8")}, 1)
			if result.Err != nil || result.Write.ResourceVersion != "8" || len(requests) != 1 ||
				requests[0].Line != "PUT "+setPath+"/status?fieldManager=setplan-adapter" || requests[0].ContentType != runtime.ContentTypeProtobuf {
				t.Fatalf("%s: %v, %v", name, result.Err, requests)
			}
			got, err := decodeSet([]byte(requests[0].Body))
			if err != nil {
				t.Fatal(err)
			}
			want := set.DeepCopy()
			want.Status, want.ManagedFields = patched(t, set, update), nil // the API server takes its own managedFields for a subresource
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s (-patched +sent)\n%s", name, diff)
			}
		}
	}
}

// patched is the status that a merge patch makes.
func patched(t *testing.T, stored *appsv1.StatefulSet, update *setplanv1.StatefulSetStatus) appsv1.StatefulSetStatus {
	t.Helper()
	tree := setOf(t, string(served(t, stored, runtime.ContentTypeJSON))).Object
	status := tree["status"].(map[string]any)
	fields := statusPatch(update)
	if len(update.GetConditions()) > 0 {
		conditions, _ := status["conditions"].([]any)
		fields["conditions"] = mergeConditions(conditions, update.GetConditions())
	}
	maps.Copy(status, fields)
	text, err := json.Marshal(status)
	if err != nil {
		t.Fatal(err)
	}
	set := &appsv1.StatefulSet{}
	if err := json.Unmarshal(text, &set.Status); err != nil {
		t.Fatal(err)
	}
	read, err := decodeSet(served(t, set, runtime.ContentTypeProtobuf)) // as it is stored
	if err != nil {
		t.Fatal(err)
	}
	return read.Status
}

// TestStatusAsPatch: the status is patched if not every field of the set is known, and everywhere else if a role allows no
// more.
func TestStatusAsPatch(t *testing.T) {
	typed := func(version string) *appsv1.StatefulSet {
		return &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "set", ResourceVersion: version}}
	}
	put, patch := "PUT "+setPath+"/status", "PATCH "+setPath+"/status"
	answers := map[string]answer{patch: objectAnswer("web", "set", "8"), put: statusAnswer(403, metav1.StatusReasonForbidden, "no")}
	status := &setplanv1.StatefulSetStatus{Replicas: new(int32(1))}
	for _, test := range []struct {
		name, reason string
		cached       any
		want         []string
	}{
		{"read as JSON", "types may not hold all of it", webSet(t, "set"), []string{patch, patch}},
		{"another version", "the known set is not the stored one; the API server says so", typed("6"), []string{patch, patch}},
		{"forbidden", "it is tried once", typed("7"), []string{put, patch, patch}},
	} {
		requests, result := sentStatus(t, test.cached, status, answers, 2)
		var got []string
		for _, r := range requests {
			got = append(got, r.Line[:len(r.Line)-len("?fieldManager="+Manager)])
		}
		if diff := cmp.Diff(test.want, got); diff != "" || result.Err != nil {
			t.Errorf("%s: %s: %v\n%s", test.name, test.reason, result.Err, diff)
		}
	}
}

// TestStatusRefused: the API server's refusals of an update mean the same as those of a patch.
func TestStatusRefused(t *testing.T) {
	set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "set", ResourceVersion: "7"}}
	for reason, test := range map[metav1.StatusReason]struct {
		code int
		want setplanv1.OutcomeResult
	}{
		metav1.StatusReasonConflict:      {409, conflicts},
		metav1.StatusReasonNotFound:      {404, conflicts},
		metav1.StatusReasonInvalid:       {422, rejected},
		metav1.StatusReasonInternalError: {500, errored},
	} {
		requests, result := sentStatus(t, set, &setplanv1.StatefulSetStatus{Replicas: new(int32(1))},
			map[string]answer{"PUT " + setPath + "/status": statusAnswer(test.code, reason, "no")}, 1)
		if result.Outcome != test.want || result.Err == nil || len(requests) != 1 {
			t.Errorf("%s: %v, %v, %d requests", reason, result.Outcome, result.Err, len(requests))
		}
	}
}

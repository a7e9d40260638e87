package kube

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"google.golang.org/protobuf/testing/protocmp"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestCoverage: complete lists are said to be complete, and each cache's version is in the snapshot.
func TestCoverage(t *testing.T) {
	pod, claim, revision := &corev1.Pod{ObjectMeta: metaOf("web-0", "set")}, &corev1.PersistentVolumeClaim{ObjectMeta: metaOf("data-web-0", "")},
		&appsv1.ControllerRevision{ObjectMeta: metaOf("web-1f", "set")}
	pod.ResourceVersion, claim.ResourceVersion, revision.ResourceVersion = "3", "4", "5"
	caches := filledCaches(t, webSet(t, "set"), pod, claim, revision)
	for _, unlisted := range []*kindCache{nil, &caches.of("").pods, &caches.of("").claims, &caches.of("").revisions} {
		want := &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true, PodsVersion: "3", ClaimsVersion: "4", RevisionsVersion: "5"}
		if unlisted != nil {
			unlisted.hasSynced = func() bool { return false }
			want.Pods, want.Claims, want.Revisions = unlisted != &caches.of("").pods, unlisted != &caches.of("").claims, unlisted != &caches.of("").revisions
		}
		got, err := NewSource(StatefulSets(), caches, nil, time.Now).Snapshot(context.Background(), webKey)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.GetCoverage(), protocmp.Transform()); diff != "" {
			t.Error(diff)
		}
		if unlisted != nil {
			unlisted.hasSynced = func() bool { return true }
		}
	}
}

func claimVolume(name, claim string) corev1.Volume {
	return corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim},
	}}
}

// TestMembership checks which objects are in a snapshot of set "web" with claim template "data".
func TestMembership(t *testing.T) {
	tests := []struct {
		name   string
		reason string
		object metav1.Object
		want   bool
	}{
		{"controlled pod", "by uid, whatever its name", &corev1.Pod{ObjectMeta: metaOf("renamed", "set")}, true},
		{"pod of an earlier set", "its controller has our name and another uid, and its name is none of ours", &corev1.Pod{ObjectMeta: metaOf("renamed", "earlier")}, false},
		{"controlled pod with our name", "once, for two reasons", &corev1.Pod{ObjectMeta: metaOf("web-0", "set")}, true},
		{"orphan pod with our name", "it may be adopted, or is in the way", &corev1.Pod{ObjectMeta: metaOf("web-0", "")}, true},
		{"foreign pod with our name", "it is in the way", &corev1.Pod{ObjectMeta: metaOf("web-0", "other")}, true},
		{"pod with leading zeros", "digits are digits; the planner decides", &corev1.Pod{ObjectMeta: metaOf("web-01", "")}, true},
		{"pod of web-a", "another set", &corev1.Pod{ObjectMeta: metaOf("web-a-0", "")}, false},
		{"pod without ordinal", "no name of ours", &corev1.Pod{ObjectMeta: metaOf("web-x", "")}, false},
		{"our claim", "template, set, ordinal", &corev1.PersistentVolumeClaim{ObjectMeta: metaOf("data-web-0", "")}, true},
		{"claim of another template", "not asked for", &corev1.PersistentVolumeClaim{ObjectMeta: metaOf("logs-web-0", "")}, false},
		{"claim of another set", "not asked for", &corev1.PersistentVolumeClaim{ObjectMeta: metaOf("data-web-a-0", "")}, false},
		{"controlled revision", "by uid", &appsv1.ControllerRevision{ObjectMeta: metaOf("x", "set")}, true},
		{"orphan revision", "any orphan of the namespace", &appsv1.ControllerRevision{ObjectMeta: metaOf("x", "")}, true},
		{"foreign revision with our name", "it takes the name", &appsv1.ControllerRevision{ObjectMeta: metaOf("web-1f", "other")}, true},
		{"foreign revision of web-a", "starts with web- too", &appsv1.ControllerRevision{ObjectMeta: metaOf("web-a-1f", "other")}, true},
		{"foreign revision", "not asked for", &appsv1.ControllerRevision{ObjectMeta: metaOf("db-1f", "other")}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			elsewhere := metaOf("web-0", "")
			elsewhere.Namespace = "other"
			caches := filledCaches(t, webSet(t, "set"), test.object, &corev1.Pod{ObjectMeta: elsewhere})
			snapshot, err := NewSource(StatefulSets(), caches, nil, time.Now).Snapshot(context.Background(), webKey)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(snapshot.GetPods())+len(snapshot.GetClaims())+len(snapshot.GetRevisions()) == 1; got != test.want {
				t.Errorf("%s: in the snapshot: %v", test.reason, got)
			}
		})
	}
}

// TestLightSet: a cached set is its metadata and its message. Nothing of its spec or status is stored twice, and of managed
// fields only what the guard reads is stored.
func TestLightSet(t *testing.T) {
	const whole = `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"namespace":"default","name":"web","uid":"set","resourceVersion":"7","labels":{"app":"web"}},
		"spec":{"template":{"spec":{}}},"status":{"replicas":5}}`
	set := setOf(t, whole)
	status := map[string]any{"manager": "other", "operation": "Update", "subresource": "status", "time": "2026-11-22T01:00:00Z", "apiVersion": "apps/v1",
		"fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:status": map[string]any{"f:replicas": map[string]any{}, "f:conditions": map[string]any{"k": "much"}}}}
	spec := map[string]any{"manager": "editor", "operation": "Update", "time": "2026-11-22T01:00:00Z"}
	set.Object["metadata"].(map[string]any)["managedFields"] = []any{spec, status}
	once, err := lightSet(StatefulSets())(set)
	if err != nil {
		t.Fatal(err)
	}
	light := once.(*cachedSet)
	metadata, _ := light.Object["metadata"].(map[string]any)
	want := []any{map[string]any{"manager": "other", "operation": "Update", "subresource": "status", "time": "2026-11-22T01:00:00Z",
		"apiVersion": "apps/v1", "fieldsV1": map[string]any{"f:status": map[string]any{"f:replicas": nil, "f:conditions": nil}}}}
	if diff := cmp.Diff(want, metadata["managedFields"]); diff != "" || len(light.Object) != 2 || metadata["labels"] != nil {
		t.Errorf("%v\n%s", light.Object, diff)
	}
	if len(light.message.GetPodTemplate()) == 0 || light.GetUID() != set.GetUID() || light.GetResourceVersion() != set.GetResourceVersion() || light.unreadable != nil {
		t.Errorf("%v, %v", light.message, light.unreadable)
	}
	if twice, _ := lightSet(StatefulSets())(once); twice != once {
		t.Errorf("transformed twice it is %v", twice)
	}
	broken := setOf(t, whole)
	broken.Object["status"] = map[string]any{"replicas": "many"}
	once, _ = lightSet(StatefulSets())(broken)
	if light := once.(*cachedSet); light.unreadable == nil || light.GetName() != "web" {
		t.Errorf("an unreadable set is %v, %v", light.Object, light.unreadable)
	}
}

// TestGone: a set that is not in the cache is gone, whichever method asks.
func TestGone(t *testing.T) {
	_, api := newAPIServer(t, map[string]answer{"GET " + setPath: statusAnswer(404, metav1.StatusReasonNotFound, "gone")})
	source := NewSource(StatefulSets(), filledCaches(t), api, time.Now)
	_, errSnapshot := source.Snapshot(context.Background(), webKey)
	_, errSet := source.Set(context.Background(), webKey)
	_, errLive := source.LiveSet(context.Background(), webKey)
	for _, err := range []error{errSnapshot, errSet, errLive} {
		if !errors.Is(err, adapters.ErrGone) {
			t.Errorf("got %v", err)
		}
	}
}

// TestLiveSet reads past the cache.
func TestLiveSet(t *testing.T) {
	body := `{"metadata":{"name":"web","uid":"new","generation":9,"deletionTimestamp":"2023-11-14T22:13:20Z"}}`
	_, api := newAPIServer(t, map[string]answer{"GET " + setPath: {200, body}})
	source := NewSource(StatefulSets(), filledCaches(t, webSet(t, "old")), api, time.Now)
	got, err := source.LiveSet(context.Background(), webKey)
	if diff := cmp.Diff(adapters.SetIdentity{UID: "new", Generation: 9, Deleting: true}, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	cached, err := source.Set(context.Background(), webKey)
	if diff := cmp.Diff(adapters.SetIdentity{UID: "old", Generation: 3}, cached); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

// TestOrder: by number, then by name, whether or not the numbers are consecutive.
func TestOrder(t *testing.T) {
	for name, want := range map[string][]string{
		"none":          nil,
		"close":         {"web-0", "web-1", "web-2", "web-10", "web-11"},
		"gaps":          {"web-3", "web-5", "web-8"},
		"far":           {"web-7", "web-100000"},
		"same number":   {"web-01", "web-1", "web-2"},
		"beyond number": {"web-18446744073709551614", "web-18446744073709551615", "web-99999999999999999999"},
	} {
		var objects []metav1.Object
		for _, pod := range want {
			objects = append([]metav1.Object{&corev1.Pod{ObjectMeta: metaOf(pod, "")}}, objects...)
		}
		caches := filledCaches(t, append(objects, webSet(t, "set"))...)
		snapshot, err := NewSource(StatefulSets(), caches, nil, time.Now).Snapshot(context.Background(), webKey)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, pod := range snapshot.GetPods() {
			got = append(got, pod.GetName())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

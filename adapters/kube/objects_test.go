package kube

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"google.golang.org/protobuf/testing/protocmp"
)

// TestObjectSource: objects read by a caller give the same snapshot as an adapter's caches.
func TestObjectSource(t *testing.T) {
	set := webSet(t, "set")
	pod := &corev1.Pod{ObjectMeta: metaOf("web-0", "set")}
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metaOf("data-web-0", "")}
	revision := &appsv1.ControllerRevision{ObjectMeta: metaOf("web-1f", "set"), Revision: 6}
	stranger := &corev1.Pod{ObjectMeta: metaOf("other-0", "another")}
	clock := func() time.Time { return time.Unix(7, 0) }

	want, err := NewSource(StatefulSets(), filledCaches(t, set, pod, claim, revision, stranger), nil, clock).Snapshot(context.Background(), webKey)
	if err != nil {
		t.Fatal(err)
	}
	objects := &Objects{
		Sets:      Listed[*unstructured.Unstructured]{Items: []*unstructured.Unstructured{set}, Complete: true},
		Pods:      Listed[*corev1.Pod]{Items: []*corev1.Pod{pod, stranger}, Complete: true, Version: "5"},
		Claims:    Listed[*corev1.PersistentVolumeClaim]{Items: []*corev1.PersistentVolumeClaim{claim}, Version: "5"},
		Revisions: Listed[*appsv1.ControllerRevision]{Items: []*appsv1.ControllerRevision{revision}, Complete: true, Version: "5"},
	}
	source, err := NewObjectSource(StatefulSets(), objects, nil, clock)
	if err != nil {
		t.Fatal(err)
	}
	got, err := source.Snapshot(context.Background(), webKey)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.GetPods()) != 1 || len(got.GetClaims()) != 1 || len(got.GetRevisions()) != 1 {
		t.Errorf("the snapshot has %d pods, %d claims, %d revisions", len(got.GetPods()), len(got.GetClaims()), len(got.GetRevisions()))
	}
	want.Coverage.Claims = false // an incomplete list is not said to be complete
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
}

package kube

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"google.golang.org/protobuf/testing/protocmp"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestAnnotationsInTables: pods and claims with the same annotations under our prefix share an entry, whatever others they
// have.
func TestAnnotationsInTables(t *testing.T) {
	pod := func(name string, annotations map[string]string) *cachedPod {
		object := &corev1.Pod{ObjectMeta: metaOf(name, "set")}
		object.Annotations = annotations
		return podInSets(object)
	}
	claim := func(annotations map[string]string) *cachedClaim {
		object := &corev1.PersistentVolumeClaim{ObjectMeta: metaOf("data-web-0", "")}
		object.Annotations = annotations
		light, _ := lightClaim(object)
		return light.(*cachedClaim)
	}
	if pod("web-0", map[string]string{"other": "x"}).shared != pod("web-1", map[string]string{"other": "y"}).shared {
		t.Error("foreign annotations keep two pods from sharing a message")
	}
	tables := snapshot.NewTables()
	for i, row := range []struct {
		reason string
		index  uint32
		want   uint32
	}{
		{"a pod without annotations", pod("web-0", nil).in(tables).GetAnnotationSetIndex(), 0},
		{"a pod with foreign annotations", pod("web-0", map[string]string{"other": "x"}).in(tables).GetAnnotationSetIndex(), 0},
		{"a marked claim", claim(map[string]string{adapters.AnnotationDrainSet: "web/set", "other": "x"}).in(tables).GetAnnotationSetIndex(), 1},
		{"a pod with the same", pod("web-1", map[string]string{adapters.AnnotationDrainSet: "web/set", "other": "y"}).in(tables).GetAnnotationSetIndex(), 1},
		{"one of a later release", pod("web-2", map[string]string{"setplan.io/later": ""}).in(tables).GetAnnotationSetIndex(), 2},
	} {
		if row.index != row.want {
			t.Errorf("%d, %s: entry %d, want %d", i, row.reason, row.index, row.want)
		}
	}
	want := []*setplanv1.AnnotationSet{{}, {Annotations: map[string]string{adapters.AnnotationDrainSet: "web/set"}},
		{Annotations: map[string]string{"setplan.io/later": ""}}}
	if diff := cmp.Diff(want, tables.Message().GetAnnotationSets(), protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
}

// TestChangedAnnotationIsNews: a drain's mark may be the only change of a claim, and the plan may wait for it.
func TestChangedAnnotationIsNews(t *testing.T) {
	claim := func(mark string) any {
		object := &corev1.PersistentVolumeClaim{ObjectMeta: metaOf("data-web-0", "")}
		object.Annotations = map[string]string{adapters.AnnotationDrainSet: mark}
		light, _ := lightClaim(object)
		return light
	}
	pod := func(answer string) any {
		object := &corev1.Pod{ObjectMeta: metaOf("web-0", "set")}
		object.Annotations = map[string]string{adapters.AnnotationDrainAnswer: answer}
		return podInSets(object)
	}
	for reason, row := range map[string]struct {
		old, now any
		same     bool
	}{
		"a claim, the same": {claim("a"), claim("a"), true}, "a claim, another": {claim("a"), claim("b"), false},
		"a pod, the same": {pod("a"), pod("a"), true}, "a pod, another": {pod("a"), pod("b"), false},
	} {
		if got := same(row.old, row.now); got != row.same {
			t.Errorf("%s: the same: %t", reason, got)
		}
	}
}

package kube

import (
	"context"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestFixedClassesOfObjects: which storage classes a snapshot says let no volume grow, with a whole list of classes, with some of them, and with none.
func TestFixedClassesOfObjects(t *testing.T) {
	class := func(name string, expands *bool) *storagev1.StorageClass {
		return &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Provisioner: "driver", AllowVolumeExpansion: expands}
	}
	claims := []*corev1.PersistentVolumeClaim{}
	for i, name := range []string{"slow", "fast", "old", "gone"} {
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: metaOf("data-web-"+string(rune('0'+i)), "")}
		claim.Spec.StorageClassName = &name
		claims = append(claims, claim)
	}
	all := []*storagev1.StorageClass{class("slow", nil), class("fast", new(true)), class("old", new(false)), class("other", nil)}
	for reason, row := range map[string]struct {
		classes Listed[*storagev1.StorageClass]
		want    []string
	}{
		"all are listed, and one is not there": {Listed[*storagev1.StorageClass]{Items: all, Complete: true}, []string{"old", "slow"}},
		"some are known":                       {Listed[*storagev1.StorageClass]{Items: all[:2]}, []string{"slow"}},
		"none is known":                        {Listed[*storagev1.StorageClass]{}, nil},
	} {
		objects := &Objects{
			Sets:           Listed[*unstructured.Unstructured]{Items: []*unstructured.Unstructured{webSet(t, "set")}, Complete: true},
			Claims:         Listed[*corev1.PersistentVolumeClaim]{Items: claims, Complete: true},
			StorageClasses: row.classes,
		}
		source, err := NewObjectSource(StatefulSets(), objects, nil, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		got, err := source.Snapshot(context.Background(), webKey)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.GetFixedStorageClasses(), row.want) {
			t.Errorf("%s: %v, want %v", reason, got.GetFixedStorageClasses(), row.want)
		}
	}
}

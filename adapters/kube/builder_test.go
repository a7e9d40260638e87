package kube

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestCachesGiveWhatTheBuilderMakes: the caches keep part of each object, and find objects by indexes. The result equals what
// the builder makes of the whole objects in plain lists, also if the cached messages were part of other snapshots before.
func TestCachesGiveWhatTheBuilderMakes(t *testing.T) {
	objects := 0
	for seed := range uint64(300) {
		crowd := confusable(rand.New(rand.NewPCG(seed, 1)))
		source := NewSource(StatefulSets(), filledCaches(t, crowd.all()...), nil, func() time.Time { return time.UnixMilli(1_700_000_000_000) })
		for range 2 {
			for _, set := range crowd.sets {
				key := adapters.Key{Namespace: set.GetNamespace(), Name: set.GetName()}
				got, err := source.Snapshot(context.Background(), key)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if diff := fromBuilt(t, crowd, set, got); diff != "" {
					t.Fatalf("seed %d: %s (-built +cached):\n%s", seed, key, diff)
				}
				objects += len(got.GetPods()) + len(got.GetClaims()) + len(got.GetRevisions()) + len(got.GetClaimNeighbours())
			}
		}
	}
	t.Logf("%d objects in all snapshots", objects)
}

// fromBuilt is the difference between a snapshot and what the builder makes of the set and everything around it.
func fromBuilt(t *testing.T, from *crowdOfSets, set *unstructured.Unstructured, got *setplanv1.Snapshot) string {
	t.Helper()
	objects := &snapshot.Objects{Pods: from.pods, Claims: from.claims, Revisions: from.revisions}
	for _, other := range from.sets {
		whole, err := snapshot.FromUnstructured(other)
		if err != nil {
			t.Fatal(err)
		}
		if other == set {
			objects.Set = whole
		}
		objects.Others = append(objects.Others, whole)
	}
	want, err := snapshot.Of(objects, got.GetCoverage(), got.GetObservedAt().AsTime())
	if err != nil {
		t.Fatal(err)
	}
	if proto.Equal(want, got) {
		return "" // cmp.Diff takes a hundred times as long to find none
	}
	return cmp.Diff(want, got, protocmp.Transform())
}

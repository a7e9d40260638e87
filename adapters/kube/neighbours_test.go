package kube

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/tools/cache"

	"google.golang.org/protobuf/testing/protocmp"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestClaimNeighbours: sets whose templates give claims the same names are neighbours, in the snapshot and in the fence, and
// are woken when one of them is created or deleted.
func TestClaimNeighbours(t *testing.T) {
	set := func(namespace, name, templates string) *cachedSet {
		object := setOf(t, `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"namespace":"`+namespace+`","name":"`+name+`","uid":"u-`+name+`"},
			"spec":{"selector":{"matchLabels":{"app":"x"}},"template":{},"volumeClaimTemplates":[`+templates+`]}}`)
		light, err := lightSet(StatefulSets())(object)
		if err != nil {
			t.Fatal(err)
		}
		return light.(*cachedSet)
	}
	caches := filledCaches(t)
	scope := caches.of("default")
	c, bc := set("default", "c", `{"metadata":{"name":"logs"}},{"metadata":{"name":"a-b"}}`), set("default", "b-c", `{"metadata":{"name":"a"}}`)
	for _, s := range []*cachedSet{c, bc, set("default", "a-b-c", ""), set("default", "d", `{"metadata":{"name":"a-b"}}`), set("other", "b-c", `{"metadata":{"name":"a"}}`)} {
		if err := scope.sets.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	source := NewSource(StatefulSets(), caches, nil, time.Now)
	for name, want := range map[string][]*setplanv1.ClaimNeighbour{
		"c": {{Set: "b-c", ClaimTemplate: "a-b"}}, "b-c": {{Set: "c", ClaimTemplate: "a"}}, "a-b-c": nil, "d": nil,
	} {
		key := adapters.Key{Namespace: "default", Name: name}
		snapshot, err := source.Snapshot(context.Background(), key)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, snapshot.GetClaimNeighbours(), protocmp.Transform()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		identity, err := source.Set(context.Background(), key)
		if err != nil || identity.Neighbours != adapters.NeighboursOf(want) {
			t.Errorf("%s: the fence has %q, %v", name, identity.Neighbours, err)
		}
	}

	var woken []string
	w := &wake{kind: StatefulSets(), scope: scope, queue: func(key adapters.Key, _ Change) { woken = append(woken, key.String()) }}
	on := w.comingAndGoing()
	on.OnAdd(bc, false)
	on.OnUpdate(c, c)
	on.OnUpdate(bc, set("default", "b-c", ""))
	if err := scope.sets.Delete(bc); err != nil {
		t.Fatal(err)
	}
	on.OnDelete(cache.DeletedFinalStateUnknown{Key: "default/b-c", Obj: bc})
	if want := []string{"default/c", "default/c", "default/c"}; !slices.Equal(woken, want) {
		t.Errorf("woken: %v, want %v", woken, want)
	}
}

// TestUnreadableNeighbour: a set that does not fit the contract still has its claims' names, and one with the same template
// twice counts as one neighbour.
func TestUnreadableNeighbour(t *testing.T) {
	caches := filledCaches(t)
	scope := caches.of("default")
	for name, spec := range map[string]string{
		"c":   `"replicas":1,"volumeClaimTemplates":[{"metadata":{"name":"a-b"}},{"metadata":{"name":"a-b"}}]`,
		"b-c": `"replicas":"three","volumeClaimTemplates":[{"metadata":{"name":"a"}},{"metadata":{"name":"a"}}]`,
	} {
		light, err := lightSet(StatefulSets())(setOf(t, `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"namespace":"default","name":"`+name+`"},"spec":{`+spec+`}}`))
		if err != nil {
			t.Fatal(err)
		}
		if unreadable := light.(*cachedSet).unreadable; (unreadable != nil) != (name == "b-c") {
			t.Fatalf("%s: %v", name, unreadable)
		}
		if err := scope.sets.Add(light); err != nil {
			t.Fatal(err)
		}
	}
	snapshot, err := NewSource(StatefulSets(), caches, nil, time.Now).Snapshot(context.Background(), adapters.Key{Namespace: "default", Name: "c"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]*setplanv1.ClaimNeighbour{{Set: "b-c", ClaimTemplate: "a-b"}}, snapshot.GetClaimNeighbours(), protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
}

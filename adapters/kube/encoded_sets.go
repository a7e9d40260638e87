package kube

import (
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// encodedSets keeps each set in the contract's form for as long as the set does not change: a set is snapshotted many
// times for each time it is written. The messages are shared by snapshots; nobody writes to them.
type encodedSets struct {
	mu   sync.Mutex
	sets map[adapters.Key]encodedSet
}

type encodedSet struct {
	uid             types.UID
	resourceVersion string
	message         *setplanv1.StatefulSet
	claimNames      []string // of the claim templates
}

func newEncodedSets() *encodedSets {
	return &encodedSets{sets: map[adapters.Key]encodedSet{}}
}

func (e *encodedSets) of(key adapters.Key, kind SetKind, set *unstructured.Unstructured) (encodedSet, error) {
	e.mu.Lock()
	known, ok := e.sets[key]
	e.mu.Unlock()
	if ok && known.uid == set.GetUID() && known.resourceVersion == set.GetResourceVersion() {
		return known, nil
	}
	message, claimNames, err := encodeSet(kind, set)
	if err != nil {
		return encodedSet{}, err
	}
	fresh := encodedSet{set.GetUID(), set.GetResourceVersion(), message, claimNames}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sets[key] = fresh
	return fresh, nil
}

func (e *encodedSets) forget(key adapters.Key) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.sets, key)
}

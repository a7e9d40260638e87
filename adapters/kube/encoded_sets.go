package kube

import (
	"reflect"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// encodedSets keeps each set in the contract's form for as long as the set does not change, and what is made of its spec
// for as long as that does not: a set is snapshotted many times for each time it is edited. The messages are shared by snapshots; nobody writes to them.
type encodedSets struct {
	mu   sync.Mutex
	sets map[adapters.Key]encodedSet
}

type encodedSet struct {
	uid             types.UID
	resourceVersion string
	message         *setplanv1.StatefulSet
	spec            encodedSpec
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
	spec := known.spec
	if raw, _ := set.Object["spec"].(map[string]any); ok && reflect.DeepEqual(spec.raw, raw) {
		spec.raw = raw // the one that the cache of sets holds anyway
	} else {
		var err error
		if spec, err = encodeSpec(set.GetName(), raw); err != nil {
			return encodedSet{}, err
		}
	}
	message, err := encodeSet(kind, set, &spec)
	if err != nil {
		return encodedSet{}, err
	}
	fresh := encodedSet{set.GetUID(), set.GetResourceVersion(), message, spec}
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

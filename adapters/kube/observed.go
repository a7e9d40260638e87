package kube

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/setplan/setplan/adapters"
)

// Observed implements adapters.Source.
func (s *Source) Observed(_ context.Context, key adapters.Key, write adapters.Write) bool {
	scope := s.caches.of(key.Namespace)
	if scope == nil {
		return true // nobody watches, so nothing will ever be shown
	}
	var store kindCache
	switch write.Kind {
	case kindPod:
		store = scope.pods
	case kindClaim:
		store = scope.claims
	case kindRevision:
		store = scope.revisions
	default:
		store = scope.sets
	}
	if write.Deleted {
		return deleteObserved(store, key.Namespace, write)
	}
	return writeObserved(store, key.Namespace, write)
}

// writeObserved: the cache has read its kind up to the write, whatever became of the object since; an object that was
// deleted again right after we created it never shows up, and must not hold the set.
func writeObserved(store kindCache, namespace string, write adapters.Write) bool {
	if atLeast(store.LastStoreSyncResourceVersion(), write.ResourceVersion) {
		return true
	}
	object, exists, err := store.GetByKey(inNamespace(namespace, write.Name))
	if err != nil || !exists {
		return false
	}
	cached, err := meta.Accessor(object)
	return err == nil && atLeast(cached.GetResourceVersion(), write.ResourceVersion)
}

// deleteObserved: the object is gone, going, or another one has its name.
func deleteObserved(store kindCache, namespace string, write adapters.Write) bool {
	object, exists, err := store.GetByKey(inNamespace(namespace, write.Name))
	if err != nil {
		return false
	}
	if !exists {
		return true
	}
	cached, err := meta.Accessor(object)
	return err == nil && (cached.GetDeletionTimestamp() != nil || string(cached.GetUID()) != write.UID)
}

// atLeast compares versions of one kind. Versions that are no numbers are only ever equal.
func atLeast(seen, wanted string) bool {
	if seen == wanted {
		return true
	}
	order, err := resourceversion.CompareResourceVersion(seen, wanted)
	return err == nil && order >= 0
}

package kube

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/setplan/setplan/adapters"
)

// Observed implements adapters.Source.
func (s *Source) Observed(_ context.Context, key adapters.Key, write adapters.Write) bool {
	store, _ := s.storeOf(key, write.Kind)
	if store == nil {
		return true // without a watch nothing will ever show
	}
	if write.Deleted {
		return deleteObserved(*store, key.Namespace, write)
	}
	return writeObserved(*store, key.Namespace, write)
}

// writeObserved reports whether the cache has read its kind up to the write, whatever became of the object since. An object that
// was deleted right after we created it may never show, and must not hold the set.
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

// deleteObserved reports whether the object is gone or being deleted, or another one has its name.
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

// atLeast compares versions of one kind. Versions that are no numbers can only be equal.
func atLeast(seen, wanted string) bool {
	if seen == wanted {
		return true
	}
	order, err := resourceversion.CompareResourceVersion(seen, wanted)
	return err == nil && order >= 0
}

// Current implements adapters.Source.
func (s *Source) Current(ctx context.Context, key adapters.Key, write adapters.Write) (bool, error) {
	store, in := s.storeOf(key, write.Kind)
	if store == nil {
		return true, nil
	}
	live, err := s.api.get(ctx, in, write.Name)
	if err != nil && !apierrors.IsNotFound(err) {
		return false, fmt.Errorf("reading %s %s: %w", write.Kind, write.Name, err)
	}
	// The cache is read second, so that what it has shown meanwhile counts.
	object, exists, cacheErr := store.GetByKey(inNamespace(key.Namespace, write.Name))
	if cacheErr != nil || err != nil || !exists {
		return err != nil && !exists, cacheErr
	}
	cached, err := meta.Accessor(object)
	if err != nil {
		return false, err
	}
	return cached.GetUID() == live.GetUID() && cached.GetResourceVersion() == live.GetResourceVersion(), nil
}

// storeOf returns the cache of a kind, nil without a watch, and the collection that it caches.
func (s *Source) storeOf(key adapters.Key, kind string) (*kindCache, resource) {
	scope := s.caches.of(key.Namespace)
	if scope == nil {
		return nil, resource{}
	}
	switch kind {
	case kindPod:
		return &scope.pods, pods(key.Namespace)
	case kindClaim:
		return &scope.claims, claims(key.Namespace)
	case kindRevision:
		return &scope.revisions, revisions(key.Namespace)
	default:
		return &scope.sets, s.kind.in(key.Namespace)
	}
}

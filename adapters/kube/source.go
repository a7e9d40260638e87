package kube

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/setplan/setplan/adapters"
)

// Source reads sets from the caches, or from the API server if required.
type Source struct {
	kind   SetKind
	caches *Caches
	api    *API
	clock  adapters.Clock

	defaults *defaults // nil where sets come with them
}

var _ adapters.Source = (*Source)(nil)

// NewSource makes a source over caches, which may be started later.
func NewSource(kind SetKind, caches *Caches, api *API, clock adapters.Clock) *Source {
	source := &Source{kind: kind, caches: caches, api: api, clock: clock}
	if kind != StatefulSets() {
		source.defaults = newDefaults(api, clock)
	}
	return source
}

// Set implements adapters.Source.
func (s *Source) Set(_ context.Context, key adapters.Key) (adapters.SetIdentity, error) {
	set, scope, err := s.cached(key)
	if err != nil {
		return adapters.SetIdentity{}, err
	}
	revisions, err := scope.revisionsOf(set.Unstructured)
	if err != nil {
		return adapters.SetIdentity{}, err
	}
	neighbours, err := scope.neighboursOf(set, set.claimTemplates(revisions))
	if err != nil {
		return adapters.SetIdentity{}, err
	}
	return adapters.SetIdentity{
		UID:        string(set.GetUID()),
		Generation: set.GetGeneration(),
		Policy:     adapters.PolicyOf(set.GetAnnotations()),
		Deleting:   set.GetDeletionTimestamp() != nil,
		Neighbours: adapters.NeighboursOf(neighbours),
	}, nil
}

// LiveSet implements adapters.Source.
func (s *Source) LiveSet(ctx context.Context, key adapters.Key) (adapters.SetIdentity, error) {
	set, err := s.api.get(ctx, s.kind.in(key.Namespace), key.Name)
	if apierrors.IsNotFound(err) {
		return adapters.SetIdentity{}, adapters.ErrGone
	}
	if err != nil {
		return adapters.SetIdentity{}, fmt.Errorf("reading %s %s: %w", s.kind.Kind, key, err)
	}
	return adapters.SetIdentity{
		UID:        string(set.UID),
		Generation: set.Generation,
		Policy:     adapters.PolicyOf(set.Annotations),
		Deleting:   set.DeletionTimestamp != nil,
	}, nil
}

// cached returns the set from the cache, and the cache.
func (s *Source) cached(key adapters.Key) (*cachedSet, *scopeCache, error) {
	scope := s.caches.of(key.Namespace)
	if scope == nil {
		return nil, nil, fmt.Errorf("namespace %s is not watched", key.Namespace)
	}
	set, err := scope.cachedSet(key)
	return set, scope, err
}

// set returns a set's metadata.
func (s *scopeCache) set(key adapters.Key) (*unstructured.Unstructured, error) {
	set, err := s.cachedSet(key)
	if err != nil {
		return nil, err
	}
	return set.Unstructured, nil
}

func (s *scopeCache) cachedSet(key adapters.Key) (*cachedSet, error) {
	object, exists, err := s.sets.GetByKey(key.String())
	if err != nil {
		return nil, err
	}
	if !exists {
		return nil, adapters.ErrGone
	}
	return cachedSetIn(object)
}

// last returns the cached version of a set, or nil.
func (s *scopeCache) last(namespace, name string) *cachedSet {
	set, err := s.cachedSet(adapters.Key{Namespace: namespace, Name: name})
	if err != nil {
		return nil
	}
	return set
}

// Reference returns the object reference of a set for events; nil if it is not in the cache.
func (s *Source) Reference(key adapters.Key) *corev1.ObjectReference {
	set, _, err := s.cached(key)
	if err != nil {
		return nil
	}
	return &corev1.ObjectReference{
		APIVersion:      s.kind.APIVersion(),
		Kind:            s.kind.Kind,
		Namespace:       set.GetNamespace(),
		Name:            set.GetName(),
		UID:             set.GetUID(),
		ResourceVersion: set.GetResourceVersion(),
	}
}

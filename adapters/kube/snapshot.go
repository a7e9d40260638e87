package kube

import (
	"cmp"
	"context"
	"errors"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Snapshot implements adapters.Source. The rules of what is in it stand in snapshot.proto.
func (s *Source) Snapshot(_ context.Context, key adapters.Key) (*setplanv1.Snapshot, error) {
	set, scope, err := s.cached(key)
	if err != nil {
		if errors.Is(err, adapters.ErrGone) {
			s.encoded.forget(key)
		}
		return nil, err
	}
	// The versions are read before the objects, so that they never claim more than the lists hold.
	coverage := scope.coverage()
	observedAt := s.clock()

	encodedSet, templates, err := s.encodeSet(key, set)
	if err != nil {
		return nil, err
	}
	pods, err := scope.podsOf(set)
	if err != nil {
		return nil, err
	}
	claims, err := scope.claimsOf(set, templates.claimNames)
	if err != nil {
		return nil, err
	}
	revisions, err := scope.revisionsOf(set)
	if err != nil {
		return nil, err
	}

	tables := newTables()
	snapshot := &setplanv1.Snapshot{
		ObservedAt: timestamppb.New(observedAt),
		Coverage:   coverage,
		Set:        encodedSet,
		Pods:       make([]*setplanv1.Pod, 0, len(pods)),
		Policy:     encodePolicy(set.GetAnnotations()),
	}
	for _, pod := range pods {
		snapshot.Pods = append(snapshot.Pods, encodePod(tables, pod))
	}
	for _, claim := range claims {
		snapshot.Claims = append(snapshot.Claims, encodeClaim(tables, claim))
	}
	for _, revision := range revisions {
		snapshot.Revisions = append(snapshot.Revisions, encodeRevision(tables, revision))
	}
	snapshot.Tables = tables.out
	return snapshot, nil
}

func (s *scopeCache) coverage() *setplanv1.Coverage {
	return &setplanv1.Coverage{
		Pods:             s.pods.hasSynced(),
		Claims:           s.claims.hasSynced(),
		Revisions:        s.revisions.hasSynced(),
		PodsVersion:      s.pods.LastStoreSyncResourceVersion(),
		ClaimsVersion:    s.claims.LastStoreSyncResourceVersion(),
		RevisionsVersion: s.revisions.LastStoreSyncResourceVersion(),
	}
}

// podsOf: what the set controls, and what has a name the set might want.
func (s *scopeCache) podsOf(set *unstructured.Unstructured) ([]*corev1.Pod, error) {
	return sorted(union[*corev1.Pod](s.pods.Indexer,
		[2]string{byController, string(set.GetUID())},
		[2]string{byBaseName, inNamespace(set.GetNamespace(), set.GetName())},
	))
}

// claimsOf: what has the name of a claim of the set.
func (s *scopeCache) claimsOf(set *unstructured.Unstructured, templates []string) ([]*corev1.PersistentVolumeClaim, error) {
	var lookups [][2]string
	for _, template := range templates {
		lookups = append(lookups, [2]string{byBaseName, inNamespace(set.GetNamespace(), template+"-"+set.GetName())})
	}
	return sorted(union[*corev1.PersistentVolumeClaim](s.claims.Indexer, lookups...))
}

// revisionsOf: what the set controls, what nobody controls, and what has a name the set might want.
func (s *scopeCache) revisionsOf(set *unstructured.Unstructured) ([]*appsv1.ControllerRevision, error) {
	return sorted(union[*appsv1.ControllerRevision](s.revisions.Indexer,
		[2]string{byController, string(set.GetUID())},
		[2]string{byOrphan, set.GetNamespace()},
		[2]string{byNamePrefix, inNamespace(set.GetNamespace(), set.GetName())},
	))
}

// sorted makes the same cache give the same snapshot. The planner does not care, people who compare do.
func sorted[T metav1.Object](list []T, err error) ([]T, error) {
	slices.SortFunc(list, func(a, b T) int { return cmp.Compare(a.GetName(), b.GetName()) })
	return list, err
}

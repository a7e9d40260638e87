package kube

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Snapshot implements adapters.Source. snapshot.proto has the rules of what is in it.
func (s *Source) Snapshot(ctx context.Context, key adapters.Key) (*setplanv1.Snapshot, error) {
	set, scope, err := s.cached(key)
	if err != nil {
		return nil, err
	}
	if set.unreadable != nil {
		return nil, set.unreadable
	}
	message := set.message
	if s.defaults != nil { // which may take a while: before anything is observed
		if message, err = s.defaults.of(ctx, key, set, func() ([]*appsv1.ControllerRevision, error) { return scope.revisionsOf(set.Unstructured) }); err != nil {
			return nil, err
		}
	}
	// The versions are read before the objects, so that they never claim more than the lists hold.
	coverage := scope.coverage()
	observedAt := s.clock()

	pods, err := scope.podsOf(set.Unstructured)
	if err != nil {
		return nil, err
	}
	revisions, err := scope.revisionsOf(set.Unstructured)
	if err != nil {
		return nil, err
	}
	templates := set.claimTemplates(revisions)
	claims, err := scope.claimsOf(set.Unstructured, templates)
	if err != nil {
		return nil, err
	}
	neighbours, err := scope.neighboursOf(set, templates)
	if err != nil {
		return nil, err
	}

	tables := snapshot.NewTables()
	out := &setplanv1.Snapshot{
		ObservedAt: timestamppb.New(observedAt),
		Coverage:   coverage,
		Set:        message,
		Pods:       make([]*setplanv1.Pod, len(pods)),
		Claims:     make([]*setplanv1.Claim, len(claims)),

		ClaimNeighbours: neighbours,
		Tables:          tables.Message(),
	}
	for i, pod := range pods {
		out.Pods[i] = pod.in(tables)
	}
	for i, claim := range claims {
		out.Claims[i] = claim.in(tables)
	}
	out.FixedStorageClasses = tables.FixedClasses(s.caches.classes.isFixed())
	for _, revision := range revisions {
		out.Revisions = append(out.Revisions, tables.Revision(revision))
	}
	return out, nil
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

// podsOf lists the pods that the set controls, and those with a name that it might want.
func (s *scopeCache) podsOf(set *unstructured.Unstructured) ([]*cachedPod, error) {
	name := set.GetName()
	return inOrder(s.pods.Indexer, bySet, inNamespace(set.GetNamespace(), name),
		func(pod *cachedPod) bool {
			return pod.shared.Base() == name || controls(set, pod) // otherwise another controller has the set's name
		})
}

func controls(set *unstructured.Unstructured, pod *cachedPod) bool {
	owner := metav1.GetControllerOfNoCopy(pod)
	return owner != nil && owner.UID == set.GetUID()
}

// claimsOf lists the claims with a name of the set's.
func (s *scopeCache) claimsOf(set *unstructured.Unstructured, templates []string) ([]*cachedClaim, error) {
	var all []*cachedClaim
	for _, template := range templates {
		claims, err := inOrder(s.claims.Indexer, byBaseName, inNamespace(set.GetNamespace(), template+"-"+set.GetName()),
			func(*cachedClaim) bool { return true })
		if err != nil {
			return nil, err
		}
		all = append(all, claims...)
	}
	return all, nil
}

// revisionsOf lists the revisions that the set controls, that nobody controls, and that have a name the set might want.
func (s *scopeCache) revisionsOf(set *unstructured.Unstructured) ([]*appsv1.ControllerRevision, error) {
	var all []*appsv1.ControllerRevision
	for _, lookup := range [][2]string{
		{byController, string(set.GetUID())},
		{byOrphan, set.GetNamespace()},
		{byNamePrefix, inNamespace(set.GetNamespace(), snapshot.RevisionBase(set.GetName()))},
	} {
		revisions, err := s.revisions.ByIndex(lookup[0], lookup[1])
		if err != nil {
			return nil, fmt.Errorf("index %s: %w", lookup[0], err)
		}
		for _, object := range revisions {
			if revision, ok := object.(*appsv1.ControllerRevision); ok {
				all = append(all, revision)
			}
		}
	}
	slices.SortFunc(all, func(a, b *appsv1.ControllerRevision) int { return cmp.Compare(a.Name, b.Name) })
	return slices.CompactFunc(all, func(a, b *appsv1.ControllerRevision) bool { return a.Name == b.Name }), nil
}

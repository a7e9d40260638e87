package kube

import (
	"slices"
	"strings"

	"k8s.io/client-go/tools/cache"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// claimBases indexes sets by the names of their claims, without the ordinal.
func claimBases(object any) ([]string, error) {
	set, err := cachedSetIn(object)
	if err != nil {
		return nil, err
	}
	templates := set.claimTemplates(nil)
	bases := make([]string, len(templates))
	for i, template := range templates {
		bases[i] = claimBase(set, template)
	}
	return bases, nil
}

func claimBase(set *cachedSet, template string) string {
	return inNamespace(set.GetNamespace(), template+"-"+set.GetName())
}

// neighboursOf lists the other sets that use the same claim names, for some of a set's claim templates.
func (s *scopeCache) neighboursOf(set *cachedSet, templates []string) ([]*setplanv1.ClaimNeighbour, error) {
	var neighbours []*setplanv1.ClaimNeighbour
	for _, template := range templates {
		others, err := s.sets.ByIndex(byClaimBase, claimBase(set, template))
		if err != nil {
			return nil, err
		}
		for _, object := range others {
			if other, ok := object.(*cachedSet); ok && other.GetName() != set.GetName() {
				neighbours = append(neighbours, &setplanv1.ClaimNeighbour{Set: other.GetName(), ClaimTemplate: template})
			}
		}
	}
	slices.SortFunc(neighbours, func(a, b *setplanv1.ClaimNeighbour) int {
		if a.GetClaimTemplate() != b.GetClaimTemplate() {
			return strings.Compare(a.GetClaimTemplate(), b.GetClaimTemplate())
		}
		return strings.Compare(a.GetSet(), b.GetSet())
	})
	return neighbours, nil
}

// comingAndGoing wakes the sets that share claim names with a set that was created, deleted or recreated.
func (w *wake) comingAndGoing() cache.ResourceEventHandlerFuncs {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: w.neighbours,
		UpdateFunc: func(old, current any) {
			was, _ := old.(*cachedSet)
			is, _ := current.(*cachedSet)
			if was != nil && is != nil && !slices.Equal(was.claimTemplates(nil), is.claimTemplates(nil)) {
				w.neighbours(was)
				w.neighbours(is)
			}
		},
		DeleteFunc: func(object any) {
			if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
				object = tombstone.Obj
			}
			w.neighbours(object)
		},
	}
}

func (w *wake) neighbours(object any) {
	set, ok := object.(*cachedSet)
	if !ok {
		return
	}
	neighbours, err := w.scope.neighboursOf(set, set.claimTemplates(nil))
	if err != nil {
		return
	}
	for _, n := range neighbours {
		w.queue(adapters.Key{Namespace: set.GetNamespace(), Name: n.GetSet()}, Change{})
	}
}

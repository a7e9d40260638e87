package kube

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// numbered is a cached object whose name ends with an ordinal.
type numbered interface {
	comparable
	metav1.Object
	number() uint64
}

// inOrder lists the objects under an index value that belong, by the number at the end of the name and then by name. So the same
// cache gives the same snapshot. The planner does not need that, but people who compare snapshots do.
func inOrder[T numbered](indexer cache.Indexer, index, value string, belongs func(T) bool) ([]T, error) {
	objects, err := indexer.ByIndex(index, value)
	if err != nil {
		return nil, fmt.Errorf("index %s: %w", index, err)
	}
	list := make([]T, 0, len(objects))
	for _, object := range objects {
		if typed, ok := object.(T); ok && belongs(typed) {
			list = append(list, typed)
		}
	}
	if places := places(list); places != nil {
		return places, nil
	}
	slices.SortFunc(list, func(a, b T) int {
		if a.number() != b.number() {
			return cmp.Compare(a.number(), b.number())
		}
		return cmp.Compare(a.GetName(), b.GetName())
	})
	return list, nil
}

// places puts each object at the place of its number, because sorting ten thousand objects takes about as long as the rest of
// their snapshot. It returns nil if the numbers are not close together, or if two objects have the same.
func places[T numbered](list []T) []T {
	least, most := uint64(math.MaxUint64), uint64(0)
	for _, object := range list {
		least, most = min(least, object.number()), max(most, object.number())
	}
	if len(list) == 0 || most-least >= uint64(2*len(list)) {
		return nil
	}
	out := make([]T, most-least+1)
	var none T
	for _, object := range list {
		place := &out[object.number()-least]
		if *place != none {
			return nil
		}
		*place = object
	}
	return slices.DeleteFunc(out, func(object T) bool { return object == none })
}

package kube

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// placed is an object with the number at the end of its name; what has none comes last.
type placed[T any] struct {
	ordinal uint64
	object  T
}

// inOrder lists the objects under an index value that belong, by ordinal and then by name, so that the same cache gives
// the same snapshot. The planner does not care, people who compare do. Numbers are compared because names, spread over
// the heap, cost several times as much in a large set.
func inOrder[T metav1.Object](indexer cache.Indexer, index, value string, belongs func(object T, base string) bool) ([]T, error) {
	objects, err := found[T](indexer, index, value)
	if err != nil {
		return nil, err
	}
	list := make([]placed[T], 0, len(objects))
	for _, object := range objects {
		base, digits, _ := splitOrdinal(object.GetName())
		if belongs(object, base) {
			list = append(list, placed[T]{ordinalOf(digits), object})
		}
	}
	slices.SortFunc(list, func(a, b placed[T]) int {
		if a.ordinal != b.ordinal {
			return cmp.Compare(a.ordinal, b.ordinal)
		}
		return cmp.Compare(a.object.GetName(), b.object.GetName())
	})
	objects = objects[:len(list)]
	for i := range list {
		objects[i] = list[i].object
	}
	return objects, nil
}

// ordinalOf is the number that digits mean.
func ordinalOf(digits string) uint64 {
	if ordinal, err := strconv.ParseUint(digits, 10, 64); err == nil {
		return ordinal
	}
	return math.MaxUint64
}

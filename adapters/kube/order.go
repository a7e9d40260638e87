package kube

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// inOrder lists the objects under an index value that belong, by the number at the end of the name and then by name, so
// that the same cache gives the same snapshot. The planner does not care, people who compare do. Numbers are compared
// because names, spread over the heap, cost several times as much in a large set.
func inOrder[T metav1.Object](indexer cache.Indexer, index, value string, ordinal func(T) uint64, belongs func(T) bool) ([]T, error) {
	objects, err := indexer.ByIndex(index, value)
	if err != nil {
		return nil, fmt.Errorf("index %s: %w", index, err)
	}
	type placed struct {
		ordinal uint64
		object  T
	}
	list := make([]placed, 0, len(objects))
	for _, object := range objects {
		if typed, ok := object.(T); ok && belongs(typed) {
			list = append(list, placed{ordinal(typed), typed})
		}
	}
	slices.SortFunc(list, func(a, b placed) int {
		if a.ordinal != b.ordinal {
			return cmp.Compare(a.ordinal, b.ordinal)
		}
		return cmp.Compare(a.object.GetName(), b.object.GetName())
	})
	out := make([]T, len(list))
	for i := range list {
		out[i] = list[i].object
	}
	return out, nil
}

// ordinalOf is the number that digits mean; without one a name comes last.
func ordinalOf(digits string) uint64 {
	if ordinal, err := strconv.ParseUint(digits, 10, 64); err == nil {
		return ordinal
	}
	return math.MaxUint64
}

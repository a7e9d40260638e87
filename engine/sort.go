package engine

import (
	"sort"
	"strings"
)

// sortList is sort.Slice, because each kind of list would have its own slices.SortFunc, 20 kB in setplan.wasm.
func sortList[T any](list []T, compare func(a, b T) int) {
	sort.Slice(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}

// sortByName sorts what may be as many as pods or claims, by names that may be long. For a caller that has gone it leaves them unsorted.
func sortByName[T any](c *caller, list []T, name func(T) string) {
	compared := 0
	sortList(list, func(a, b T) int {
		if compared++; c.gone || c.endsAt(compared) {
			return 0
		}
		return strings.Compare(name(a), name(b))
	})
}

package engine

import "sort"

// sortList is sort.Slice, because each kind of list would have its own slices.SortFunc, 20 kB in setplan.wasm.
func sortList[T any](list []T, compare func(a, b T) int) {
	sort.Slice(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}

package plan

import (
	"sort"
	"strings"
)

// Sort is sort.Slice, because each kind of list would have its own slices.SortFunc, 20 kB in setplan.wasm.
func Sort[T any](list []T, compare func(a, b T) int) {
	if len(list) < 2 {
		return
	}
	sort.Slice(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}

// SortByName sorts what may be as many as pods or claims, by names that may be long. For a caller that has gone it leaves them unsorted.
func SortByName[T any](c *Caller, list []T, name func(T) string) {
	compared := 0
	Sort(list, func(a, b T) int {
		if compared++; c.gone || c.EndsAt(compared) {
			return 0
		}
		return strings.Compare(name(a), name(b))
	})
}

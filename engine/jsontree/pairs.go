package jsontree

import "strings"

// Pairs calls each with the values that two objects have for a key, null where one has none, for every key of either and in
// the order of the keys, until it returns false. It returns what the last call returned, and true where there was none.
func (c Count) Pairs(a, b Value, each func(key string, a, b Value) bool) bool {
	t := tally{count: c}
	left, right := t.sorted(a.Members()), t.sorted(b.Members())
	t.add(len(left) + len(right))
	t.settle()
	for turn := 0; len(left) > 0 || len(right) > 0; turn++ {
		t.pause(turn)
		order := 0
		switch {
		case len(left) == 0:
			order = 1
		case len(right) == 0:
			order = -1
		default:
			order = strings.Compare(left[0].Key, right[0].Key)
		}
		var key string
		var x, y Value
		if order <= 0 {
			key, x, left = left[0].Key, left[0].Value, left[1:]
		}
		if order >= 0 {
			key, y, right = right[0].Key, right[0].Value, right[1:]
		}
		if !each(key, x, y) {
			return false
		}
	}
	return true
}

package engine

// few is the memory that a pass over few pods needs for its short lists, in one piece: memory for each list by itself makes a decision about three
// pods a twentieth longer. It has room for five pods: with room for ten, three pods pay what ten save.
type few struct {
	templates [1]claimTemplate
	labels    [1]labelPair
	revisions [2]*Revision
	members   [5]member
	replicas  [5]*Pod
	step      Step
}

// room returns an empty list with room for n elements: in the memory that is there, if they fit.
func room[T any](few []T, n int) []T {
	if n <= len(few) {
		return few[:0:n]
	}
	return make([]T, 0, n)
}

package jsontree

// pile is a list that grows by pieces. One that grows as a whole is copied as a whole, and a large one takes milliseconds for that
// in which nobody asks whether to go on.
type pile[T any] struct {
	full [][]T
	last []T
}

func (l *pile[T]) push(item T) {
	if len(l.last) == unitsAtOnce {
		l.full = append(l.full, l.last)
		l.last = make([]T, 0, unitsAtOnce)
	}
	l.last = append(l.last, item)
}

func (l *pile[T]) len() int { return len(l.full)*unitsAtOnce + len(l.last) }

func (l *pile[T]) at(i int) *T {
	if piece := i / unitsAtOnce; piece < len(l.full) {
		return &l.full[piece][i%unitsAtOnce]
	}
	return &l.last[i%unitsAtOnce]
}

// list is the whole, in one piece.
func (l *pile[T]) list(t *tally) []T {
	if l.full == nil {
		return l.last
	}
	all := make([]T, 0, l.len())
	for _, piece := range append(l.full, l.last) {
		t.pause(unitsAtOnce - 1)
		all = append(all, piece...)
	}
	return all
}

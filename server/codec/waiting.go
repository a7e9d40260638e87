package codec

// turnsAtOnce is how many turns a loop makes between two looks at Limits.Stop.
const turnsAtOnce = 1024

// waiting counts the turns of loops, and looks now and then whether anybody still waits for the result.
type waiting struct {
	stop func() bool // Limits.Stop
	turn int
	gone bool // nobody waits
}

// over reports on a turn of a loop whether to stop.
func (w *waiting) over() bool {
	w.turn++
	if w.turn%turnsAtOnce == 0 && !w.gone && w.stop != nil {
		w.gone = w.stop()
	}
	return w.gone
}

// listOf turns each element of a list into another one; nil if there is none, or if nobody waits.
func listOf[In, Out any](w *waiting, in []In, of func(In) Out) []Out {
	return indexed(w, in, func(_ int, in In) Out { return of(in) })
}

// indexed is listOf for elements that depend on their place.
func indexed[In, Out any](w *waiting, in []In, of func(int, In) Out) []Out {
	if len(in) == 0 {
		return nil
	}
	out := make([]Out, len(in))
	for i := range in {
		if w.over() {
			return nil
		}
		out[i] = of(i, in[i])
	}
	return out
}

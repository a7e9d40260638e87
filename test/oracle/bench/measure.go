package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"
)

// result is what one comparison measured, in nanoseconds per call.
type result struct {
	name           string
	size           int // pods, or sets
	ours, upstream int64
}

func (r result) print(out io.Writer) {
	fmt.Fprintf(out, "BENCH %s/%d ours=%d upstream=%d ratio=%.2f\n", r.name, r.size, r.ours, r.upstream,
		float64(r.upstream)/float64(r.ours))
}

// compare lets both sides take turns.
func compare(turns int, ours, upstream func() error) (a, b int64, err error) {
	callsA, err := enough(ours)
	if err != nil {
		return 0, 0, err
	}
	callsB, err := enough(upstream)
	if err != nil {
		return 0, 0, err
	}
	timesA, timesB := make([]int64, turns), make([]int64, turns)
	for i := range turns {
		if timesA[i], err = perCall(ours, callsA); err != nil {
			return 0, 0, err
		}
		if timesB[i], err = perCall(upstream, callsB); err != nil {
			return 0, 0, err
		}
	}
	return median(timesA), median(timesB), nil
}

func median[T int64 | time.Duration](values []T) T {
	slices.Sort(values)
	return values[len(values)/2]
}

// turn is how long one turn should last: long compared with the clock's resolution and the collector's pauses.
const turn = 30 * time.Millisecond

// enough is how many calls fill a turn.
func enough(f func() error) (int, error) {
	if err := f(); err != nil {
		return 0, err
	}
	for n := 1; ; n *= 2 {
		begin := time.Now()
		for range n {
			if err := f(); err != nil {
				return 0, err
			}
		}
		if time.Since(begin) >= turn || n > 1<<20 {
			return n, nil
		}
	}
}

func perCall(f func() error, calls int) (int64, error) {
	runtime.GC()
	begin := time.Now()
	for range calls {
		if err := f(); err != nil {
			return 0, err
		}
	}
	return time.Since(begin).Nanoseconds() / int64(calls), nil
}

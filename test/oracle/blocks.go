package oracle

import (
	"sync"

	"github.com/setplan/setplan/test/oracle/world"
)

// block is how many consecutive worlds have the same setting of the feature gate, which is process-wide.
const block = 512

func gateOf(index int) bool { return index/block%2 == 1 }

// inBlocks does the work for every world of the options, those of a block concurrently, and adds up the results in the order of
// the worlds. After each block it asks whether that is enough.
func inBlocks[T any](o *Options, work func(index int) T, add func(index int, result T), enough func() bool) {
	workers := max(1, o.Workers)
	for from := o.First; from < o.First+o.Count; {
		to := min((from/block+1)*block, o.First+o.Count)
		world.SetGate(gateOf(from))
		results := make([]T, to-from)
		var running sync.WaitGroup
		for worker := range workers {
			running.Go(func() {
				for i := worker; i < len(results); i += workers {
					results[i] = work(from + i)
				}
			})
		}
		running.Wait()
		for i, result := range results {
			add(from+i, result)
		}
		if enough() {
			return
		}
		from = to
	}
}

// enough cuts the list at the limit, and reports whether the limit is reached.
func (o *Options) enough(found *[]Found) bool {
	if o.Limit == 0 || len(*found) < o.Limit {
		return false
	}
	*found = (*found)[:o.Limit]
	return true
}

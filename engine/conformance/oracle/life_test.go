package oracle

import (
	"flag"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/setplan/setplan/engine/conformance/world"
)

var lives = flag.Int("lives", 2048, "how many lives to lead")

// TestLives lets worlds live under both controllers at once.
func TestLives(t *testing.T) {
	var passes, rested atomic.Int64
	for from := 0; from < *lives; from += block {
		world.SetGate(gateOf(from))
		var running sync.WaitGroup
		workers := runtime.GOMAXPROCS(0)
		for worker := range workers {
			running.Go(func() {
				for index := from + worker; index < min(from+block, *lives) && !t.Failed(); index += workers {
					life := Live(*seed, index, nil)
					passes.Add(int64(life.Passes))
					if life.Rested {
						rested.Add(1)
					}
					if d := life.Divergence; d != nil {
						t.Errorf("life %d of seed %d, pass %d: %s", index, *seed, life.Passes, Shrink(d, Rules(d.World.Gate)))
					}
				}
			})
		}
		running.Wait()
	}
	t.Logf("%d lives of %d passes in all, %d came to rest", *lives, passes.Load(), rested.Load())
}

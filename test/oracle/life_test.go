package oracle

import (
	"flag"
	"runtime"
	"testing"
)

var lives = flag.Int("lives", 2048, "how many lives to lead; an eighth with -short")

// TestLives runs the lives of worlds under both controllers at once.
func TestLives(t *testing.T) {
	report := RunLives(Options{Count: share(*lives, 8), Seed: *seed, Workers: runtime.GOMAXPROCS(0), Limit: 20})
	for _, d := range report.Divergences[:min(3, len(report.Divergences))] {
		t.Errorf("life %d of seed %d: %s", d.Index, *seed, Shrink(d.Divergence, Rules(d.World.Gate)))
	}
	t.Logf("%d lives of %d passes in all, %d came to rest", report.Lives, report.Passes, report.Rested)
}

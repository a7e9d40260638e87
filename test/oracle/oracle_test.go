package oracle

import (
	"flag"
	"runtime"
	"runtime/debug"
	"testing"
)

var (
	count  = flag.Int("worlds", 51_200, "how many worlds to compare; a tenth with -short")
	seed   = flag.Int64("seed", 1, "seed of the worlds")
	faults = flag.Bool("faults", true, "run each world once more with one of its requests refused")
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(GCPercent)
	m.Run()
}

// share is what a test takes of so many with -short.
func share(all, short int) int {
	if testing.Short() {
		return all / short
	}
	return all
}

// TestAgreesWithUpstream runs the oracle on a fixed set of worlds.
func TestAgreesWithUpstream(t *testing.T) {
	report := Run(Options{Count: share(*count, 10), Seed: *seed, Workers: runtime.GOMAXPROCS(0), Faults: *faults, Limit: 20})
	for _, d := range report.Divergences[:min(3, len(report.Divergences))] {
		t.Errorf("world %d of seed %d: %s", d.Index, *seed, d.Divergence)
	}
	t.Logf("%d worlds, %d with a refused request, %d divergences", report.Worlds, report.Faults, len(report.Divergences))
}

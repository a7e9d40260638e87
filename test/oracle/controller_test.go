package oracle

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/setplan/setplan/test/oracle/upstream"
)

// TestWholeController compares ours with the whole controller: informers' handlers, queue, sync and events, on the bubble's
// clock. It costs more than a pass, so there are fewer worlds. It covers the parts of sync that upstream.Pass repeats.
func TestWholeController(t *testing.T) {
	worlds := share(2_000, 8)
	for index := range worlds {
		// Numbers after those of the fixed set, from both settings of the gate.
		w := World(*seed, *count+index)
		pass := upstream.Pass(w)
		horizon := time.Hour
		if pass.Requeue > 0 {
			horizon = pass.Requeue
		}
		var theirs upstream.Outcome
		synctest.Test(t, func(*testing.T) { theirs = upstream.Controller(w, synctest.Wait, horizon) })
		if theirs.Err = pass.Err; theirs.Err != nil {
			theirs.Requeue = 0 // it retries after a backoff
		}
		if theirs.Requeue != pass.Requeue {
			t.Fatalf("world %d: the controller looks again in %s, one pass says %s\n%s", index, theirs.Requeue, pass.Requeue, describeWorld(w))
		}
		if d, _ := CheckAgainst(w, theirs, Rules(w.Gate)); d != nil {
			t.Fatalf("world %d of seed %d: %s", *count+index, *seed, d)
		}
	}
}

package cli

import (
	"errors"
	"testing"
	"time"
)

// TestPause: a planner that does not answer is asked less and less often, but at least twice a minute.
func TestPause(t *testing.T) {
	var p pause
	now, away := time.Unix(0, 0), errors.New("away")
	for i, seconds := range []time.Duration{1, 2, 4, 8, 16, 30, 30} {
		p.longer(away, now)
		end := now.Add(seconds * time.Second)
		if p.last(end.Add(-time.Nanosecond)) != away || p.last(end) != nil {
			t.Errorf("failure %d is not waited out for %d s", i+1, seconds)
		}
		now = end
	}
}

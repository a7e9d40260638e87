package cli

import (
	"errors"
	"testing"
	"time"
)

// TestPause: the pauses between tries grow while a planner does not answer, up to half a minute.
func TestPause(t *testing.T) {
	var p pause
	now, away := time.Unix(0, 0), errors.New("away")
	for i, seconds := range []time.Duration{1, 2, 4, 8, 16, 30, 30} {
		p.longer(away, now)
		end := now.Add(seconds * time.Second)
		if p.last(end.Add(-time.Nanosecond)) != away || p.last(end) != nil {
			t.Errorf("the pause after failure %d is not %d s", i+1, seconds)
		}
		now = end
	}
}

package adapters_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/setplan/setplan/adapters"
)

// TestLongFailure: what an API server says may be long, and is cut where a character ends: half of one cannot be sent.
func TestLongFailure(t *testing.T) {
	for _, begin := range []string{"", "x"} { // one of them has the limit inside a character
		w := newWorld(planOf(stage(replicas, abort, step(create("a")))))
		w.fails["a"] = errors.New(begin + strings.Repeat("ü", 1000))
		loop := w.loop(adapters.Options{})
		_, _ = reconcile(t, loop)
		_, _ = reconcile(t, loop)
		message := w.requests[1].GetSnapshot().GetOutcomes()[0].GetMessage()
		if !utf8.ValidString(message) || !strings.HasPrefix(message, begin+"ü") || len(message) > 600 {
			t.Errorf("%d bytes: %q", len(message), message)
		}
	}
}

package why

import (
	"strings"
	"testing"
)

// TestLongEvidence: a page of reasons stays one, whatever a status or an event holds.
func TestLongEvidence(t *testing.T) {
	r := &Reason{}
	r.saw("container db: %s", strings.Repeat("é", 1<<20))
	r.saw("container db: %s", "ended")
	if got := r.Evidence[0]; len(got) > maxQuote+3 || !strings.HasSuffix(got, "é...") {
		t.Errorf("%d bytes are quoted, the last of them %q", len(got), got[len(got)-10:])
	}
	if got := r.Evidence[1]; got != "container db: ended" {
		t.Errorf("a short one becomes %q", got)
	}
}

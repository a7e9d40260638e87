package why

import (
	"strings"
	"testing"
)

// TestLongEvidence: the reasons stay short, however long a status or an event is.
func TestLongEvidence(t *testing.T) {
	r := &Reason{}
	r.saw("container db: %s", strings.Repeat("é", 1<<20))
	r.saw("container db: %s", "ended")
	if got := r.Evidence[0]; len(got) > maxQuote+3 || !strings.HasSuffix(got, "é...") {
		t.Errorf("%d bytes are quoted, the last of them %q", len(got), got[len(got)-10:])
	}
	if got := r.Evidence[1]; got != "container db: ended" {
		t.Errorf("a short text becomes %q", got)
	}
}

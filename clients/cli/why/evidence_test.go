package why

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestSince: by a clock that is ahead, nothing holds since a time to come.
func TestSince(t *testing.T) {
	now := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	c := &Case{Snapshot: &setplanv1.Snapshot{ObservedAt: timestamppb.New(now)}}
	for at, want := range map[time.Time]string{now.Add(-time.Hour): "since 2026-01-31T11:00:00Z", now.Add(time.Hour): "since 2026-01-31T12:00:00Z"} {
		if got := c.since(at); got != want {
			t.Errorf("%s: %q, want %q", at, got, want)
		}
	}
}

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

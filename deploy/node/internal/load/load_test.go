package load

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"
)

// A database that is away for a while, refuses a write and forgets one.
func TestRun(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	found := map[Row]bool{}
	var writers [Writers]Write
	for w := range writers {
		writers[w] = func(ctx context.Context, _ Row) error { <-ctx.Done(); return ctx.Err() }
	}
	writers[0] = func(_ context.Context, row Row) error {
		switch row.N {
		case 1:
			time.Sleep(2 * threshold)
		case 2:
			return errors.New("refused")
		case 3:
			return nil
		case 5:
			end()
		}
		found[row] = true
		return nil
	}
	report, acknowledged := Run(ctx, writers)
	report.Check(acknowledged, found)
	if want := []Row{{0, 3}}; !reflect.DeepEqual(report.Lost, want) {
		t.Errorf("lost %v, want %v", report.Lost, want)
	}
	if report.Acknowledged != 5 || report.Failed != Writers {
		t.Errorf("%d acknowledged and %d failed, want 5 and %d", report.Acknowledged, report.Failed, Writers)
	}
	// One span ends with a write, and one with the others' patience.
	if report.Longest < patience-3*threshold || report.Without < report.Longest+2*threshold {
		t.Errorf("without a write for %v, at the longest %v", report.Without, report.Longest)
	}
}

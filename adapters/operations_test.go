package adapters_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestFirstActions: actions in the plan's order, through its stages and steps, including those that this build lacks.
func TestFirstActions(t *testing.T) {
	tomorrows := &setplanv1.Action{Target: &setplanv1.Target{Name: "web-9"}}
	plan := planOf(stage(replicas, abort, step(create("a"), remove("a")), step(tomorrows)), stage(replicas, abort, step(create("a"))))
	for most, want := range map[int]struct {
		first []string
		more  int
	}{
		0: {[]string{}, 4},
		2: {[]string{"create pod web-0", "delete pod web-1"}, 2},
		4: {[]string{"create pod web-0", "delete pod web-1", "unknown web-9", "create pod web-0"}, 0},
		5: {[]string{"create pod web-0", "delete pod web-1", "unknown web-9", "create pod web-0"}, 0},
	} {
		first, more := adapters.FirstActions(plan, most)
		if diff := cmp.Diff(want.first, first); diff != "" || more != want.more {
			t.Errorf("%d: %d more, want %d\n%s", most, more, want.more, diff)
		}
	}
}

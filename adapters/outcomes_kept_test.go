package adapters

import (
	"errors"
	"strconv"
	"testing"
	"time"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestOutcomesDoNotPileUp: plans that are cut short say nothing of what they leave out, so all of it is kept, up to a bound.
func TestOutcomesDoNotPileUp(t *testing.T) {
	o, key := newOutcomes(time.Now), Key{"default", "web"}
	for i := range maxOutcomes + 1000 {
		o.record(key, strconv.Itoa(i), Result{Err: errors.New("no")})
		if i%1000 == 0 {
			o.prune(key, &setplanv1.Plan{Truncated: true})
		}
	}
	if o.record(key, "1", Result{Err: errors.New("no")}); len(o.failed[key]) != maxOutcomes || o.failed[key]["1"].GetCount() != 2 {
		t.Errorf("%d outcomes are kept, and one that is known has failed %d times", len(o.failed[key]), o.failed[key]["1"].GetCount())
	}
}

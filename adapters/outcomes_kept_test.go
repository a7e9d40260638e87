package adapters

import (
	"errors"
	"strconv"
	"strings"
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

// TestOutcomesHaveABound: a planner chooses the ids, and how many sets it has fail.
func TestOutcomesHaveABound(t *testing.T) {
	o, sets := newOutcomes(time.Now), 2*maxAllOutcomes/maxOutcomeBytes
	for set := range sets {
		for i := range 5000 {
			o.record(Key{"default", strconv.Itoa(set)}, strings.Repeat("x", 1000)+strconv.Itoa(i), Result{Err: errors.New("no")})
		}
	}
	kept := 0
	for key := range o.failed {
		bytes := 0
		for _, outcome := range o.failed[key] {
			bytes += len(outcome.GetActionId())
		}
		if kept += bytes; bytes > maxOutcomeBytes {
			t.Errorf("%d bytes are kept for %s", bytes, key)
		}
	}
	if kept < maxAllOutcomes/2 || kept > maxAllOutcomes {
		t.Errorf("%d bytes are kept for all sets", kept)
	}
	for set := range sets {
		key := Key{"default", strconv.Itoa(set)}
		if o.prune(key, &setplanv1.Plan{}); set%2 == 0 {
			o.forget(key)
		}
	}
	if o.all != 0 || len(o.failed)+len(o.bytes) != 0 {
		t.Errorf("nothing is kept: %d bytes are counted, of %d sets", o.all, len(o.failed))
	}
}

package kube

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestStoredConditions: conditions are written back as they were read, so they are returned only for the version asked for.
func TestStoredConditions(t *testing.T) {
	set := webSet(t, "set")
	stored := []any{object{"type": "OfAnother", "fromTomorrow": int64(1)}}
	set.Object["status"] = object{"conditions": stored}
	source := NewSource(StatefulSets(), filledCaches(t, set), nil, time.Now)
	got, err := source.Conditions(webKey, "7")
	if diff := cmp.Diff(stored, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	if got, err := source.Conditions(webKey, "6"); err == nil {
		t.Errorf("the conditions of version 7 were returned for version 6: %v", got)
	}
}

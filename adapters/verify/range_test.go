package verify

import (
	"fmt"
	"slices"
	"testing"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestRange: the range has the first unreserved ordinals, in either form of the annotation.
func TestRange(t *testing.T) {
	for text, want := range map[string][]int64{
		"":               {2, 3, 4},
		"3":              {2, 4, 5},
		"2-3, 5":         {4, 6, 7},
		`[5,"2-4", 3]`:   {6, 7, 8},
		"0-1":            {2, 3, 4},
		"0-2":            {3, 4, 5},
		"4,4,4":          {2, 3, 5},
		"9-12,7":         {2, 3, 4},
		"4-2147483647,3": {2},
		" 3 ,\t4":        {2, 5, 6},
	} {
		replicas := int32(3)
		v := Against(&setplanv1.Snapshot{Set: &setplanv1.StatefulSet{Replicas: &replicas, OrdinalsStart: 2,
			Annotations: map[string]string{annotationReserved: text}}})
		var got []int64
		for ordinal := range int64(20) {
			if v.inRange(ordinal) {
				got = append(got, ordinal)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestRangeByField: a field of the set's kind counts like the annotation.
func TestRangeByField(t *testing.T) {
	replicas := int32(2)
	for fields, want := range map[string]string{
		`{"ordinals":{"reserved":["1","3-4"]}}`: "[0 2]",
		`{"ordinals":{"reserved":[0, "1"]}}`:    "[2 3]",
		`{"ordinals":{"reserved":[]}}`:          "[0 1]",
		`{"pause":"All"}`:                       "[0 1]",
	} {
		v := Against(&setplanv1.Snapshot{Set: &setplanv1.StatefulSet{Replicas: &replicas, OwnFields: []byte(fields)}})
		var got []int64
		for ordinal := range int64(8) {
			if v.inRange(ordinal) {
				got = append(got, ordinal)
			}
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", fields, got, want)
		}
	}
}

// TestRangeAlone: the built-in controller ignores the annotation.
func TestRangeAlone(t *testing.T) {
	replicas := int32(2)
	v := Against(&setplanv1.Snapshot{Policy: &setplanv1.Policy{Scope: setplanv1.Scope_SCOPE_DRAIN_ONLY},
		Set: &setplanv1.StatefulSet{Replicas: &replicas, Annotations: map[string]string{annotationReserved: "1"}}})
	if got := fmt.Sprint(v.inRange(1), v.inRange(2)); got != "true false" {
		t.Errorf("ordinals 1 and 2 are in the range: %s", got)
	}
}

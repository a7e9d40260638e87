package snapshot

import (
	"math"
	"testing"
)

func TestSplitOrdinal(t *testing.T) {
	tests := []struct {
		name, base, digits string
		ordinal            uint64
		ok                 bool
	}{
		{"web-0", "web", "0", 0, true},
		{"a-b-12", "a-b", "12", 12, true},
		{"web-01", "web", "01", 1, true},
		{"web-99999999999999999999", "web", "99999999999999999999", math.MaxUint64, true},
		{"web", "", "", math.MaxUint64, false},
		{"web-", "", "", math.MaxUint64, false},
		{"web-x1", "", "", math.MaxUint64, false},
		{"web-٣", "", "", math.MaxUint64, false},
	}
	for _, test := range tests {
		base, digits, ok := splitDigits(test.name)
		if base != test.base || digits != test.digits || ok != test.ok {
			t.Errorf("%s: got %q %q %v", test.name, base, digits, ok)
		}
		if base, ordinal, ok := SplitOrdinal(test.name); base != test.base || ordinal != test.ordinal || ok != test.ok {
			t.Errorf("%s: got %q %d %v", test.name, base, ordinal, ok)
		}
	}
}

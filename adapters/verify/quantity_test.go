package verify

import "testing"

func TestSameQuantity(t *testing.T) {
	for _, row := range []struct {
		a, b   string
		same   bool
		reason string
	}{
		{"1Gi", "1024Mi", true, "powers of two"},
		{"1Gi", "1073741824", true, "and none"},
		{"1G", "1Gi", false, "powers of ten are others"},
		{"1G", "1e9", true, "an exponent"},
		{"1E", "1e18", true, "E alone is a suffix"},
		{"1E3", "1k", true, "and with digits an exponent"},
		{"100m", "0.1", true, "parts"},
		{"100m", ".1", true, "without a zero"},
		{"1e-3", "1m", true, "a negative exponent"},
		{"2.0", "2", true, "numbers as JSON has them"},
		{"", "0", true, "nothing is zero"},
		{"", "1", false, "and not more"},
		{"-1", "-1", false, "nobody may ask for less than nothing"},
		{"1e999999999", "1e999999999", false, "nobody reads that much"},
		{"1/2", "0.5", false, "no fraction"},
		{"0x1", "1", false, "no other digits"},
		{"1_0", "10", false, "no ornament"},
		{"1 Gi", "1Gi", false, "no blanks"},
		{"Gi", "Gi", false, "no number"},
		{"1KiB", "1KiB", false, "no such suffix"},
		{"1e", "1e", false, "no exponent"},
	} {
		if sameQuantity(row.a, row.b) != row.same {
			t.Errorf("%s: %q and %q are the same: %t", row.reason, row.a, row.b, !row.same)
		}
	}
}

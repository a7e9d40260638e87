package drain

import (
	"slices"
	"testing"
)

// TestEachUID: the text is split at commas only, as in SPEC.md.
func TestEachUID(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, "a": {"a"}, "a,b": {"a", "b"}, "a,,b": {"a", "", "b"}, "a, b": {"a", " b"}, ",": {"", ""},
	} {
		var got []string
		eachUID(text, func(uid string) { got = append(got, uid) })
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

package verify

import "testing"

// TestCanonical: of the texts for one value a revision may have one, and a number may be as long as the API server takes it.
func TestCanonical(t *testing.T) {
	for text, want := range map[string]bool{
		`{"spec":{"a":9223372036854775807,"b":[-1,0]}}`: true, `{"a":"\u003c1.0"}`: true,
		`{"a":1.0}`: false, `{"a":[1e3]}`: false, `{"a":-0}`: false, `{"b":1,"a":1}`: false, `{"a": 1}`: false, `{"a":"<"}`: false, `{"a":1}{}`: false, `{`: false,
	} {
		if got := canonical([]byte(text)); got != want {
			t.Errorf("%s: %t, want %t", text, got, want)
		}
	}
}

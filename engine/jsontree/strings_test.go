package jsontree

import (
	"encoding/json"
	"testing"
)

// TestStrings: every byte at every place of a string of every length, beside encoding/json.
func TestStrings(t *testing.T) {
	for _, before := range []byte{' ', 0x7f} {
		for length := range 20 {
			for at := range length {
				for c := range 256 {
					text := make([]byte, length+2)
					for i := range text {
						text[i] = before
					}
					text[0], text[length+1], text[1+at] = '"', '"', byte(c)
					checkString(t, text)
				}
			}
		}
	}
}

func checkString(t *testing.T, text []byte) {
	t.Helper()
	var want string
	wantErr := json.Unmarshal(text, &want)
	got, err := Parse(text)
	if (err != nil) != (wantErr != nil) || err == nil && got.Text != want {
		t.Fatalf("%q is %q, %v, not %q, %v", text, got.Text, err, want, wantErr)
	}
}

package jsontree

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestStringsAtTheEdge: a string is read correctly wherever its end, an escape or a bad byte meets its beginning or the end of the text.
func TestStringsAtTheEdge(t *testing.T) {
	inside := []string{"", `\n`, `\"`, `\\`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, `\q`, `\u12`, `\`, "é", "\xff", "\xc3", "\x1f", "\x7f", "😀", `"`}
	for size := range 5 {
		for _, end := range []string{`"`, ``, `\"`, `" `, `""`} {
			for _, in := range inside {
				for _, text := range []string{in + strings.Repeat("x", size) + end, strings.Repeat("x", size) + in + end} {
					text = `"` + text
					var want any
					bad := json.Unmarshal([]byte(text), &want)
					got, err := Parse([]byte(text))
					if (err != nil) != (bad != nil) {
						t.Fatalf("%d bytes, %q, %q: %v, want %v", size, in, end, err, bad)
					}
					if err == nil && got.Text != want {
						t.Fatalf("%d bytes, %q, %q: the text differs", size, in, end)
					}
				}
			}
		}
	}
}

package jsontree

import "testing"

// TestPlain: every byte at every place of a text of every length, beside the definition. The bytes before it are those that border on special ones.
func TestPlain(t *testing.T) {
	for _, before := range []byte{' ', '!', '#', '[', ']', 0x7f} {
		for length := range 20 {
			for at := range length {
				for c := range 256 {
					text := make([]byte, length)
					for i := range text {
						text[i] = before
					}
					text[at] = byte(c)
					want := length
					if c < ' ' || c >= 0x80 || c == '"' || c == '\\' {
						want = at
					}
					if got := plain(string(text)); got != want {
						t.Fatalf("%q has %d plain bytes, not %d", text, want, got)
					}
				}
			}
		}
	}
}

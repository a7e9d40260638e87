package jsontree

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestLongText: reading and writing in pieces gives the same as at once, wherever the pieces end.
func TestLongText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"x", "é", "語", "😀", `\n`, `\"`, `\\`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, `\ude00`, `\uD83D\uDE00`, "<", "\x7f", "\xc3", "\xa9"}
	for range 40 {
		var text strings.Builder
		few := parts[:1+random.IntN(len(parts))]
		few = few[random.IntN(len(few)):]
		for text.Len() < 3*bytesAtOnce {
			text.WriteString(few[random.IntN(len(few))])
		}
		raw := []byte(`"` + text.String() + `"`)
		var want string
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		got, err := Parse(raw)
		if err != nil || got.Text != want {
			t.Fatalf("of %q in some order the text differs (%v)", few, err)
		}
		again, _ := json.Marshal(want)
		if string(Append(nil, got)) != string(again) {
			t.Fatalf("of %q in some order the text is written differently", few)
		}
	}
	for _, bad := range []string{`\x`, `\u12`, "\n", `\ud8`} {
		if _, err := Parse([]byte(`"` + strings.Repeat("x", 3*bytesAtOnce) + bad + `"`)); err == nil {
			t.Errorf("%q was accepted after a long text", bad)
		}
	}
}

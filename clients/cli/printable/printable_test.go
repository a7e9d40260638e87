package printable

import (
	"strings"
	"testing"
	"unicode"
)

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "",
		"Back-off pulling image \"x:1\"": "Back-off pulling image \"x:1\"",
		"größer 大 🙂":                     "größer 大 🙂",
		"a\nb\tc\r\nd\u2028e":            "a b c  d e",
		"\x1b[2J\x07\x9b\x7f":            `\x1b[2J\a\x9b\x7f`,
		"\u009b31m":                      `\u009b31m`,
		"a\u202eb\u2066c\u200d":          `a\u202eb\u2066c\u200d`,
		"\xff\xfe":                       `\xff\xfe`,
		"back\\slash":                    "back\\slash",
	} {
		if got := Line(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestLines: text after a line break cannot be taken for our own line.
func TestLines(t *testing.T) {
	if got, want := Lines("one\nsetplan: two\x1b[1A\n\n"), "one\n  setplan: two\\x1b[1A"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWriter(t *testing.T) {
	text := "\x1b[31mred\x1b[0m\tx\n\x1b]0;title\x07\x1b[2Jy\n"
	for _, test := range []struct {
		colors bool
		want   string
	}{
		{true, "\x1b[31mred\x1b[0m\tx\n\\x1b]0;title\\a\\x1b[2Jy\n"},
		{false, "\\x1b[31mred\\x1b[0m\tx\n\\x1b]0;title\\a\\x1b[2Jy\n"},
	} {
		b := &strings.Builder{}
		if n, err := Writer(b, test.colors).Write([]byte(text)); n != len(text) || err != nil || b.String() != test.want {
			t.Errorf("colors %v: %d, %v, %q", test.colors, n, err, b.String())
		}
	}
}

// FuzzText: only printable characters, line breaks, tabs and our own colours come out, and the output comes out unchanged a
// second time.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "a\nb", "\x1b[31mx\x1b[0m", "\x1b\x1b[0m[31m", "\x1b[3\x1b[31m1m", "\xc2", "\u202e"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line := Line(text)
		for _, r := range line {
			if !unicode.IsPrint(r) {
				t.Fatalf("%q has %q", line, r)
			}
		}
		out := Text(text, true)
		if again := Text(out, true); again != out {
			t.Fatalf("%q, and then %q", out, again)
		}
		for at := range len(out) {
			if out[at] == '\x1b' && !ours.MatchString(out[at:]) {
				t.Fatalf("%q has a foreign sequence at %d", out, at)
			}
		}
	})
}

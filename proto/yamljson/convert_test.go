package yamljson_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/setplan/setplan/proto/yamljson"
)

// TestConvert: what kubectl makes of the same text, and what is refused.
func TestConvert(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "null",
		"# nothing\n":                         "null",
		"spec:\n  b: 1\n  a: [x, 'y', \"z\"]": `{"spec":{"a":["x","y","z"],"b":1}}`,
		"a: yes\nb: 'yes'\nc: off\nd: y":      `{"a":true,"b":"yes","c":false,"d":true}`,
		"a: ~\nb: null\nc:":                   `{"a":null,"b":null,"c":null}`,
		"a: 0x10\nb: 0755\nc: 1.50\nd: 1e3":   `{"a":16,"b":493,"c":1.5,"d":1000}`,
		"a: 2026-01-01\nb: 12:30:45":          `{"a":"2026-01-01","b":"12:30:45"}`,
		"a: 123456789012345678901234567890":   `{"a":1.2345678901234568e+29}`,
		"8080: x\nyes: y":                     `{"8080":"x","yes":true}`,
		"a: !!str 1\nb: !!binary aGk=":        `{"a":"1","b":"hi"}`,
		"a: |\n  x\n  y\n":                    `{"a":"x\ny\n"}`,
		"command: [sh, -c, 'rm *.tmp && x']":  `{"command":["sh","-c","rm *.tmp \u0026\u0026 x"]}`,
		`{"a": [1, 2], "b": {}}`:              `{"a":[1,2],"b":{}}`,
		"a: 1\n---\nb: 2":                     `{"a":1}`,

		"a: &x 1\nb: *x":            "line 1: it has the anchor &x; anchors are not supported",
		"b: [*x]":                   "unknown anchor 'x' referenced",
		"a: &x {b: 1}\nc: {<<: *x}": "line 1: it has the anchor &x; anchors are not supported",
		"a: {<<: {b: 1}}":           "line 1: it uses the merge key <<, which is not supported",
		"&x a: 1\n*x : 2":           "line 1: it has the anchor &x; anchors are not supported",
		"a: 1\nb: 2\na: 3":          `line 3: the key "a" is also on line 1`,
		"? [a]\n: b":                "line 1: a key is a list or a mapping",
		"a: .inf":                   `line 1: JSON has no number like ".inf"`,
		"a: !!int x":                `line 1: "x" is not a valid int`,
		"a: [":                      "line 1: did not find expected node content",
		strings.Repeat("[", 201):    "line 1: did not find expected node content",
		strings.Repeat("[", 201) + strings.Repeat("]", 201): "line 1: it is nested deeper than 200",
		strings.Repeat("[", 20001):                          "exceeded max depth of 10000",
		"a: &" + strings.Repeat("x", 99):                    "line 1: it has the anchor &" + strings.Repeat("x", 32) + "; anchors are not supported",
	} {
		got, err := yamljson.Convert([]byte(text))
		if err != nil {
			got = []byte(err.Error())
		}
		if string(got) != want {
			t.Errorf("%.60q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestTemplate: the bound of an annotation.
func TestTemplate(t *testing.T) {
	text := "a: " + strings.Repeat("x", yamljson.MaxTemplate-3)
	if _, err := yamljson.Template([]byte(text), nil); err != nil {
		t.Error(err)
	}
	if _, err := yamljson.Template([]byte(text+"x"), nil); err == nil || err.Error() != "it has 65537 bytes, but YAML may have at most 65536; JSON may have more" {
		t.Error(err)
	}
}

// FuzzConvert: whatever comes in, what comes out is JSON of bounded length, and the JSON that kubectl makes of it.
func FuzzConvert(f *testing.F) {
	for _, text := range []string{
		"spec:\n  containers:\n  - name: x\n    command: [sh, -c, \"rm *\"]\n    env: [{name: A, value: 'yes'}]\n",
		"a: &a [x]\nb: *a", "{a: 1, 'b': yes, c: 0x1F, d: 1_000, e: 0b11, f: 0o7, g: +1, h: -0}", "? a\n: b\n", "a: >-\n  x\n\n  y\n", "- - - x", "!!map {a: !!set {b}}",
		"<<: x", "a: !!float 1", "a: !!timestamp 2001-01-01", "a: !x y", "~: 1\nnull: 2",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := yamljson.Template(text, nil)
		if err != nil {
			if len(err.Error()) > 512 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		if !json.Valid(got) || len(got) > 6*len(text)+4 {
			t.Fatalf("%d bytes became %d: %.200s", len(text), len(got), got)
		}
		if err := sameAsKubectl(text, got); err != "" {
			t.Error(err)
		}
	})
}

// sameAsKubectl compares with the library of kubectl where that reads the text too. It writes the key yes as true, and knows
// more tags than a template needs.
func sameAsKubectl(text, got []byte) string {
	theirs, err := yaml.YAMLToJSONStrict(text)
	if err != nil || strings.Contains(string(text), "!") || !hasPlainKeys(got) {
		return ""
	}
	if string(theirs) != string(got) {
		return "kubectl makes " + string(theirs) + ", we make " + string(got)
	}
	return ""
}

var plainKey = regexp.MustCompile(`^[a-zA-Z_]{1,}[a-zA-Z_/-]{5,}$`)

func hasPlainKeys(text []byte) bool {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return false
	}
	var plain func(any) bool
	plain = func(value any) bool {
		switch v := value.(type) {
		case []any:
			return !slices.ContainsFunc(v, func(item any) bool { return !plain(item) })
		case map[string]any:
			for key, item := range v {
				if !plainKey.MatchString(key) || !plain(item) {
					return false
				}
			}
		}
		return true
	}
	return plain(value)
}

// TestStop: whoever is told to stop does, wherever it is.
func TestStop(t *testing.T) {
	text := []byte("[" + strings.Repeat("a,", 8<<10) + "a]")
	looks := 0
	if _, err := yamljson.Template(text, func() bool { looks++; return false }); err != nil {
		t.Fatal(err)
	}
	if looks < len(text)/1024 {
		t.Errorf("it has looked %d times", looks)
	}
	for stop := 1; stop <= looks; stop++ {
		left := stop
		if got, err := yamljson.Template(text, func() bool { left--; return left <= 0 }); !errors.Is(err, yamljson.ErrStopped) {
			t.Errorf("look %d of %d: %.20s, %v", stop, looks, got, err)
		}
		if left < -1 {
			t.Errorf("look %d of %d: it has looked %d times more", stop, looks, -left)
		}
	}
}

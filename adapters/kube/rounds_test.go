package kube

import (
	"strings"
	"testing"

	"github.com/setplan/setplan/adapters"
)

// TestRounds: namespaces take turns, and so do the sets of each.
func TestRounds(t *testing.T) {
	for given, want := range map[string]string{
		"":                                  "",
		"a/x1 a/x2 a/x3":                    "x1 x2 x3",
		"a/x1 a/x2 a/y1 a/x3 a/y2":          "x1 y1 x2 y2 x3",
		"a/x1 a/x2 a/y1 b/z1 b/z2":          "x1 z1 y1 z2 x2",
		"a/1 a/2 a/3 a/4 a/5 a/6 b/7 c/8":   "1 7 8 2 3 4 5 6",
		"a/x1 a/x2 a/x3 a/x4 b/z1 b/z2 c/w": "x1 z1 w x2 z2 x3 x4",
	} {
		var r rounds[string]
		for word := range strings.FieldsSeq(given) {
			namespace, item, _ := strings.Cut(word, "/")
			r.push(adapters.Key{Namespace: namespace, Name: item[:1]}, item)
		}
		var got []string
		for r.size > 0 {
			got = append(got, r.pop())
		}
		if strings.Join(got, " ") != want || len(r.order) != 0 || len(r.of) != 0 {
			t.Errorf("%s: got %v, want %s; left: %v", given, got, want, r)
		}
	}
}

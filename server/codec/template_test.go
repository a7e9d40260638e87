package codec

import (
	"strings"
	"testing"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestTemplateProblem: an author reads why a template is refused, in few words, however long it is.
func TestTemplateProblem(t *testing.T) {
	bomb := "x: &a " + strings.Repeat("x", 8<<10) + "\ny: [" + strings.Repeat("*a,", 8<<10) + "*a]"
	for text, want := range map[string]string{
		"":                           "",
		`{"spec":1}`:                 "",
		"spec: 1":                    "",
		bomb:                         "line 1: it has the anchor &a; write out what aliases stand for",
		strings.Repeat(bomb, 8):      "it has 262256 bytes, and YAML may have 65536; JSON may have more",
		"a: [":                       "line 1: did not find expected node content",
		"{" + strings.Repeat("*", 9): "did not find expected alphabetic or numeric character",
	} {
		if got := decodeDrain(&setplanv1.Drain{PodTemplate: []byte(text)}).TemplateProblem; got != want {
			t.Errorf("%.40q: got %q, want %q", text, got, want)
		}
	}
}

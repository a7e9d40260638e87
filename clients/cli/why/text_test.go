package why_test

import (
	"strings"
	"testing"

	"github.com/setplan/setplan/clients/cli/show"
	"github.com/setplan/setplan/clients/cli/why"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestHint: the next step comes with a hint what to do if it does not happen, also beside reasons, which may be about other pods. Only
// a reason that itself says why nobody acts makes the hint needless.
func TestHint(t *testing.T) {
	for name, test := range map[string]struct {
		build func(*scene)
		hint  bool
	}{
		"another pod waits": {func(s *scene) { s.creates("web-1") }, true},
		"nothing comes":     {func(*scene) {}, false},
		"nobody acts":       {func(s *scene) { s.creates("web-1"); s.behind(); s.undated = true }, false},
	} {
		s := newScene(setplanv1.BlockCode_BLOCK_CODE_POD_NOT_AVAILABLE)
		test.build(s)
		text := &strings.Builder{}
		if err := why.Text(text, show.Style{}, s.explain()); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text.String(), "If that does not happen, no adapter acts on the set") != test.hint {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

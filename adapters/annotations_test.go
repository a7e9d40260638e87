package adapters

import (
	"maps"
	"testing"
)

// TestOwnAnnotations: what a later release asks for is carried by an adapter of this one, and what others wrote is not.
func TestOwnAnnotations(t *testing.T) {
	got := OwnAnnotations(map[string]string{
		"setplan.io/drain-set": "web/u1", "setplan.io/of-a-later-release": "", "setplan.io/odd": "a\xff\xfeb",
		"kubectl.kubernetes.io/last-applied-configuration": "{}", "setplan.io": "x", "setplan.io.example/drain-set": "x", "drain-set": "x",
	})
	want := map[string]string{"setplan.io/drain-set": "web/u1", "setplan.io/of-a-later-release": "", "setplan.io/odd": "a\uFFFDb"}
	if !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if none := OwnAnnotations(map[string]string{"other": "x"}); none != nil {
		t.Errorf("got %q where there are none", none)
	}
}

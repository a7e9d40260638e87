package cluster

import (
	"slices"
	"strings"
	"testing"
)

// TestBuiltin: the controller runs in at most one place, whatever the flag says.
func TestBuiltin(t *testing.T) {
	const everything, theOthers, itself = "--controllers=*", "--controllers=*,-statefulset-controller", "--controllers=statefulset-controller"
	for value, want := range map[string]struct {
		manager string
		alone   bool
	}{
		"on":    {everything, false},
		"off":   {theOthers, false},
		"alone": {theOthers, true},
	} {
		i := testInstance(t)
		var err error
		if i.Builtin, err = ParseBuiltin(value); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(i.args(ControllerManager), want.manager) {
			t.Errorf("%s: the controller manager has %q, want %s", value, i.args(ControllerManager), want.manager)
		}
		if got := slices.Contains(i.Components(), StatefulSetController); got != want.alone {
			t.Errorf("%s: runs alone: %t, want %t", value, got, want.alone)
		}
		if !slices.Contains(i.args(StatefulSetController), itself) {
			t.Errorf("%s: alone it has %q, want %s", value, i.args(StatefulSetController), itself)
		}
		if want.alone {
			continue
		}
		if err := i.Start(t.Context(), StatefulSetController); err == nil || !strings.Contains(err.Error(), "not part of it") {
			t.Errorf("%s: starting one alone: %v, want a refusal", value, err)
		}
	}
	if b, err := ParseBuiltin("maybe"); err == nil {
		t.Errorf("maybe: got %q, want an error", b)
	}
}

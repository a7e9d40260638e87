package conformance

import (
	"testing"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// everyOperationHasACase walks the members of Action.operation, so that a new one cannot be forgotten here.
func everyOperationHasACase(t *testing.T, all []conformanceCase) {
	covered := map[string]bool{}
	for _, c := range all {
		covered[c.operation] = true
	}
	delete(covered, "")
	members := (&setplanv1.Action{}).ProtoReflect().Descriptor().Oneofs().ByName("operation").Fields()
	for i := range members.Len() {
		name := string(members.Get(i).Name())
		if !covered[name] {
			t.Errorf("no case is about %s", name)
		}
		delete(covered, name)
	}
	for name := range covered {
		t.Errorf("cases are about %q, which is no operation", name)
	}
}

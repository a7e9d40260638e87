package adapters_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestFenceBeforeEveryDelete: the fence is checked again before each stage that deletes anything. The contract names the
// operations that delete.
func TestFenceBeforeEveryDelete(t *testing.T) {
	operations := (&setplanv1.Action{}).ProtoReflect().Descriptor().Oneofs().ByName("operation").Fields()
	tried := 0
	for i := range operations.Len() {
		operation := operations.Get(i)
		name := string(operation.Name())
		if !strings.HasPrefix(name, "delete_") {
			continue
		}
		tried++
		example, known := map[string]func(string) *setplanv1.Action{"delete_pod": remove, "delete_claim": removeClaim, "delete_revision": removeRevision}[name]
		if !known {
			t.Fatalf("%s: this test has no example of it", name)
		}
		w := newWorld(planOf(stage(replicas, abort, step(remove("a"))), stage(scaleDown, abort, step(example(name))))).drains()
		if _, err := reconcile(t, w.loop(adapters.Options{})); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"planned", "fence", "a", "fence", name}, w.take()); diff != "" {
			t.Errorf("%s: a delete cannot be undone, so the set must be checked again:\n%s", name, diff)
		}
	}
	if tried < 3 {
		t.Errorf("the contract has %d operations that delete, want three", tried)
	}
}

// TestFenceBeforeContainersChange: containers of running pods are stopped for other images and perhaps for other resources, so the set must be checked
// again before that, too.
func TestFenceBeforeContainersChange(t *testing.T) {
	for what, w := range map[string]*world{
		"images":    newWorld(planOf(stage(replicas, abort, step(remove("a"))), stage(replicas, abort, step(setImage("b"))))).updatesInPlace(),
		"resources": newWorld(planOf(stage(replicas, abort, step(remove("a"))), stage(replicas, abort, step(resize("b"))))).onItsWay(),
	} {
		if _, err := reconcile(t, w.loop(adapters.Options{})); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"planned", "fence", "a", "fence", "b"}, w.take()); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
}

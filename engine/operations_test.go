package engine

import (
	"go/types"
	"math/bits"
	"strings"
	"testing"
)

// everyOperation has one of each operation.
var everyOperation = []Operation{CreatePod{}, DeletePod{}, PatchPod{}, AdoptPod{}, ReleasePod{}, CreateClaim{}, SetClaimOwners{}, CreateRevision{},
	RenumberRevision{}, AdoptRevision{}, DeleteRevision{}, UpdateStatus{}, PatchAnnotations{}, DeleteClaim{}, SetFinalizer{}, PatchClaim{}, EvictPod{}, UpdatePod{}, ResizePod{}}

// TestOperations: each operation has its own capability and name, and the destructive ones are those called delete, and evict-pod.
func TestOperations(t *testing.T) {
	capabilities, names := Capabilities(0), map[string]bool{}
	for _, op := range everyOperation {
		if can := op.traits().capability; bits.OnesCount64(uint64(can)) != 1 || capabilities&can != 0 || AllCapabilities&can == 0 {
			t.Errorf("%T: its capability is missing or shared", op)
		}
		if name := op.traits().name; name == "" || names[name] {
			t.Errorf("%T: its name is missing or shared", op)
		}
		if op.traits().destructive != (strings.HasPrefix(op.traits().name, "delete-") || op.traits().name == "evict-pod") {
			t.Errorf("%T is called %s, and destructive is %t", op, op.traits().name, op.traits().destructive)
		}
		capabilities, names[op.traits().name] = capabilities|op.traits().capability, true
	}
	e := readEngine(t, nil)
	operation := e.pkg.Scope().Lookup("Operation").Type().Underlying().(*types.Interface)
	implementing := 0
	for _, name := range e.pkg.Scope().Names() {
		of, isType := e.pkg.Scope().Lookup(name).(*types.TypeName)
		if isType && !types.IsInterface(of.Type()) && types.Implements(of.Type(), operation) {
			implementing++
		}
	}
	if implementing != len(everyOperation) {
		t.Errorf("%d operations, and this test has %d", implementing, len(everyOperation))
	}
}

// TestImagesOfUpdatePod: an adapter that changes labels of pods may know of no images, and a plan with many of them is long.
func TestImagesOfUpdatePod(t *testing.T) {
	image := []ContainerImage{{"web", strings.Repeat("i", 1000)}}
	for reason, op := range map[string]UpdatePod{"a container": {Containers: image}, "a sidecar": {InitContainers: image}} {
		if op.traits().capability != CanUpdateImages || sizeOfOperation(op) < 1000 {
			t.Errorf("%s: capability %b, size %d", reason, op.traits().capability, sizeOfOperation(op))
		}
	}
}

package engine

import (
	"math/bits"
	"os"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// everyOperation has one of each operation.
var everyOperation = []model.Operation{model.CreatePod{}, model.DeletePod{}, model.PatchPod{}, model.AdoptPod{}, model.ReleasePod{}, model.CreateClaim{}, model.SetClaimOwners{}, model.CreateRevision{},
	model.RenumberRevision{}, model.AdoptRevision{}, model.DeleteRevision{}, model.UpdateStatus{}, model.PatchAnnotations{}, model.DeleteClaim{}, model.SetFinalizer{}, model.PatchClaim{}, model.EvictPod{}, model.UpdatePod{}, model.ResizePod{}}

// TestOperations: each operation has its own capability and name, and the destructive ones are those called delete, and evict-pod.
func TestOperations(t *testing.T) {
	capabilities, names := model.Capabilities(0), map[string]bool{}
	for _, op := range everyOperation {
		if can := op.Traits().Capability; bits.OnesCount64(uint64(can)) != 1 || capabilities&can != 0 || model.AllCapabilities&can == 0 {
			t.Errorf("%T: its capability is missing or shared", op)
		}
		if name := op.Traits().Name; name == "" || names[name] {
			t.Errorf("%T: its name is missing or shared", op)
		}
		if op.Traits().Destructive != (strings.HasPrefix(op.Traits().Name, "delete-") || op.Traits().Name == "evict-pod") {
			t.Errorf("%T is called %s, and destructive is %t", op, op.Traits().Name, op.Traits().Destructive)
		}
		capabilities, names[op.Traits().Name] = capabilities|op.Traits().Capability, true
	}
	text, err := os.ReadFile("model/operations.go")
	if err != nil {
		t.Fatal(err)
	}
	implementing := strings.Count(string(text), ") Traits() *Traits ")
	if implementing != len(everyOperation) {
		t.Errorf("%d operations, and this test has %d", implementing, len(everyOperation))
	}
}

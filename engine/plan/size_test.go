package plan

import (
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// TestImagesOfUpdatePod: an adapter that changes labels of pods may know of no images, and a plan with many of them is long.
func TestImagesOfUpdatePod(t *testing.T) {
	image := []model.ContainerImage{{Name: "web", Image: strings.Repeat("i", 1000)}}
	for reason, op := range map[string]model.UpdatePod{"a container": {Containers: image}, "a sidecar": {InitContainers: image}} {
		if op.Traits().Capability != model.CanUpdateImages || sizeOfOperation(op) < 1000 {
			t.Errorf("%s: capability %b, size %d", reason, op.Traits().Capability, sizeOfOperation(op))
		}
	}
}

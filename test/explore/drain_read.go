package explore

import (
	"bytes"
	"fmt"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/engine/model"
)

// readDrainAction translates what only a drain plans.
func readDrainAction(w *write, a *model.Action) error {
	switch op := a.Op.(type) {
	case model.DeleteClaim:
		w.op = deleteClaim
	case model.SetFinalizer:
		w.op, w.drain.keep = setFinalizer, op.Present
		if op.Finalizer != finalizerDrain {
			return fmt.Errorf("%s is about finalizer %s", a.ID, op.Finalizer)
		}
	case model.PatchAnnotations:
		w.op = annotateClaim
		for _, set := range op.Set {
			switch set.Key {
			case adapters.AnnotationDrainSet:
				w.drain.marks = set.Value == drainMark
			case adapters.AnnotationDrainAttempts:
				w.drain.attempts = true
			case adapters.AnnotationDrainBegun: // there is no clock
			default:
				return fmt.Errorf("%s sets %s", a.ID, set.Key)
			}
		}
		for _, key := range op.Remove {
			w.drain.unmarks = w.drain.unmarks || key == adapters.AnnotationDrainSet
			w.drain.forgets = w.drain.forgets || key == adapters.AnnotationDrainAttempts
		}
	}
	return nil
}

// readDrainPod reads a drain pod's manifest.
func readDrainPod(w *write, a *model.Action, manifest []byte) {
	w.op = createDrainPod
	w.drain.owned = bytes.Contains(manifest, []byte(`"ownerReferences"`))
	w.drain.lists = bytes.Contains(manifest, []byte(`"uid-`+claimName+"-"+a.Name+`"`))
}

func isDrainPod(manifest []byte) bool {
	return bytes.Contains(manifest, []byte(adapters.AnnotationDrainSet))
}

package invariants

import (
	"bytes"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/sim"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// DeletingSetStatusOnly: an adapter that has seen that a set is being deleted writes its status and nothing else; one that
// the finalizer keeps is drained. The rules of KUBERNETES_1_36 also touch revisions.
func DeletingSetStatusOnly(c *Check) error {
	if c.View == nil || c.Event.Kind == sim.KindSet {
		return nil
	}
	if c.Event.Kind == sim.KindRevision && c.Behavior == setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36 {
		return nil
	}
	if set := c.View.Set(c.Set); set != nil && set.DeletionTimestamp != nil && !slices.Contains(set.Finalizers, FinalizerDrain) {
		return fmt.Errorf("set %s is being deleted", c.Set)
	}
	return nil
}

// OnlyItsOwn: for a set, an adapter deletes and changes only pods and revisions that the set controls; one that nobody
// controls it may adopt.
func OnlyItsOwn(c *Check) error {
	if c.View == nil || c.Event.Kind != sim.KindPod && c.Event.Kind != sim.KindRevision || c.Event.Old == nil {
		return nil
	}
	set, seen := c.View.Set(c.Set), c.View.Get(c.Event.Kind, c.Event.Name)
	switch {
	case set == nil || seen == nil:
		return fmt.Errorf("the adapter does not know it")
	case sim.ControlledBy(seen, set), c.deletes() && isDrainPodOf(seen, set):
		return nil
	case c.deletes() || metav1.GetControllerOf(seen) != nil || !sim.ControlledBy(c.Event.New, set):
		return fmt.Errorf("set %s does not control it", c.Set)
	}
	return nil
}

// isDrainPodOf tells a drain pod, which nobody controls, by the mark that it bears.
func isDrainPodOf(object sim.Object, set *sim.Set) bool {
	return object.GetAnnotations()[adapters.AnnotationDrainSet] == set.Name+"/"+string(set.UID)
}

// RevisionsOnlyGrow: the data of a revision never changes, and an adapter gives it no smaller number.
func RevisionsOnlyGrow(c *Check) error {
	if c.Event.Kind != sim.KindRevision || c.Event.Old == nil || c.Event.New == nil {
		return nil
	}
	before, after := c.Event.Old.(*appsv1.ControllerRevision), c.Event.New.(*appsv1.ControllerRevision)
	if !bytes.Equal(before.Data.Raw, after.Data.Raw) {
		return fmt.Errorf("its data has changed")
	}
	if after.Revision < before.Revision {
		return fmt.Errorf("its number went from %d to %d", before.Revision, after.Revision)
	}
	return nil
}

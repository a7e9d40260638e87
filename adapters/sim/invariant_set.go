package sim

import (
	"bytes"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// DeletingSetStatusOnly: an adapter that has seen that a set is being deleted writes its status and nothing else; one that
// the finalizer keeps is drained. The rules of KUBERNETES_1_36 also touch revisions.
func DeletingSetStatusOnly(c *Check) error {
	if c.View == nil || c.Event.Kind == KindSet {
		return nil
	}
	if c.Event.Kind == KindRevision && c.Behavior == setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36 {
		return nil
	}
	for _, name := range c.View.Names(KindSet) {
		if set := c.View.Set(name); set.DeletionTimestamp != nil && c.isFor(set) && !slices.Contains(set.Finalizers, finalizerDrain) {
			return fmt.Errorf("set %s is being deleted", name)
		}
	}
	return nil
}

// isFor reports whether a write is about a set: by name for pods and claims, by controller for all.
func (c *Check) isFor(set *Set) bool {
	object := c.Event.New
	if object == nil {
		object = c.Event.Old
	}
	if owner := metav1.GetControllerOf(object); owner != nil {
		return owner.UID == set.UID
	}
	name, ok := setOf(c.Event.Name)
	return ok && name == set.Name
}

// RevisionsOnlyGrow: the data of a revision never changes, and an adapter gives it no smaller number.
func RevisionsOnlyGrow(c *Check) error {
	if c.Event.Kind != KindRevision || c.Event.Old == nil || c.Event.New == nil {
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

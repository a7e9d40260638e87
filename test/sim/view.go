package sim

import (
	"maps"
	"reflect"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// View is what the last snapshot was made from, and the adapter's own writes since.
type View struct {
	State
	At time.Time // when, by the adapter's clock
}

func (v View) copy() View { return View{State: v.State.copy(), At: v.At} }

// learn brings an own write into the view, and nothing else: what others have done to the object meanwhile came back with
// the answer, and the plan at hand was made without it.
func (v View) learn(event Event) {
	known := v.Get(event.Kind, event.Name)
	if event.Old == nil || event.New == nil || known == nil || known.GetUID() != event.New.GetUID() {
		v.Apply(event)
		return
	}
	learned, before, after := clone(known), event.Old, event.New
	learned.SetResourceVersion(after.GetResourceVersion())
	learned.SetLabels(changed(known.GetLabels(), before.GetLabels(), after.GetLabels()))
	learned.SetAnnotations(changed(known.GetAnnotations(), before.GetAnnotations(), after.GetAnnotations()))
	if !reflect.DeepEqual(before.GetOwnerReferences(), after.GetOwnerReferences()) {
		learned.SetOwnerReferences(after.GetOwnerReferences())
	}
	if !slices.Equal(before.GetFinalizers(), after.GetFinalizers()) {
		learned.SetFinalizers(after.GetFinalizers())
	}
	if event.Verb == "delete" {
		learned.SetDeletionTimestamp(after.GetDeletionTimestamp())
		learned.SetDeletionGracePeriodSeconds(after.GetDeletionGracePeriodSeconds())
	}
	switch o := learned.(type) {
	case *Set:
		if status := after.(*Set).Status; !equality.Semantic.DeepEqual(before.(*Set).Status, status) {
			o.Status = status
		}
	case *appsv1.ControllerRevision:
		if number := after.(*appsv1.ControllerRevision).Revision; number != before.(*appsv1.ControllerRevision).Revision {
			o.Revision = number
		}
	}
	event.New = learned
	v.Apply(event)
}

// confirm notes that an object is as the adapter wanted it: the answer was that all went well, also where it was so already.
func (v View) confirm(updated Object, change func(Object)) {
	known := v.Get(kindOf(updated), updated.GetName())
	if known == nil || known.GetUID() != updated.GetUID() {
		return
	}
	learned := clone(known)
	change(learned)
	learned.SetResourceVersion(updated.GetResourceVersion())
	v.Apply(Event{Kind: kindOf(learned), Name: learned.GetName(), New: learned})
}

// going notes that an object is being deleted, also where it was so already: that is no write, and the answer is the same.
func (v View) going(live Object) {
	if live == nil {
		return
	}
	known := v.Get(kindOf(live), live.GetName())
	if known == nil || known.GetUID() != live.GetUID() || known.GetDeletionTimestamp() != nil {
		return
	}
	learned := clone(known)
	learned.SetDeletionTimestamp(live.GetDeletionTimestamp())
	learned.SetDeletionGracePeriodSeconds(live.GetDeletionGracePeriodSeconds())
	v.Apply(Event{Kind: kindOf(live), Name: live.GetName(), New: learned})
}

// found notes that an object of a wanted name is there. The adapter knows of it what it wanted and whose it is, and no
// more: a pod that another adapter has made may be at another revision, which the plan at hand could not know.
func (v View) found(wanted, existing Object) {
	learned := clone(wanted)
	learned.SetUID(existing.GetUID())
	learned.SetResourceVersion(existing.GetResourceVersion())
	learned.SetCreationTimestamp(existing.GetCreationTimestamp())
	learned.SetOwnerReferences(existing.GetOwnerReferences())
	v.Apply(Event{Kind: kindOf(learned), Name: learned.GetName(), New: learned})
}

// changed makes the changes between two maps in a third.
func changed(known, before, after map[string]string) map[string]string {
	result := maps.Clone(known)
	for key := range before {
		if _, kept := after[key]; !kept {
			delete(result, key)
		}
	}
	for key, value := range after {
		if old, was := before[key]; !was || old != value {
			if result == nil {
				result = map[string]string{}
			}
			result[key] = value
		}
	}
	return result
}

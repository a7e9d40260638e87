package kube

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/setplan/setplan/adapters"
)

// wake finds the sets whose snapshot an object is part of, or was before it changed.
type wake struct {
	kind  SetKind
	scope *scopeCache
	queue func(adapters.Key)
}

// Watch makes every change in the caches put the sets that it concerns into the queue. Call it before Start.
func (c *Caches) Watch(queue func(adapters.Key)) error {
	for _, scope := range c.scopes {
		w := &wake{kind: c.kind, scope: scope, queue: queue}
		for _, on := range []struct {
			kind    kindCache
			changed func(metav1.Object)
		}{
			{scope.sets, w.set},
			{scope.pods, w.pod},
			{scope.claims, w.claim},
			{scope.revisions, w.revision},
		} {
			if _, err := on.kind.informer.AddEventHandler(handler(on.changed)); err != nil {
				return err
			}
		}
	}
	return nil
}

// handler calls changed for an object as it is, and as it was: who lost it has to know too.
func handler(changed func(metav1.Object)) cache.ResourceEventHandlerFuncs {
	tell := func(object any) {
		if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
			object = tombstone.Obj
		}
		if accessor, err := meta.Accessor(object); err == nil {
			changed(accessor)
		}
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: tell,
		UpdateFunc: func(old, current any) {
			tell(old)
			tell(current)
		},
		DeleteFunc: tell,
	}
}

func (w *wake) set(object metav1.Object) {
	w.queue(adapters.Key{Namespace: object.GetNamespace(), Name: object.GetName()})
}

// pod wakes the pod's controller, and the set that might want a pod of this name: one that is in the way, or that can be
// adopted.
func (w *wake) pod(object metav1.Object) {
	w.controller(object)
	if base, _, ok := splitOrdinal(object.GetName()); ok {
		w.ifExists(object.GetNamespace(), base)
	}
}

// claim wakes each set that the claim's name may belong to. Claims have no controller, and a claim that goes away lets a
// pod be created.
func (w *wake) claim(object metav1.Object) {
	base, _, ok := splitOrdinal(object.GetName())
	if !ok {
		return
	}
	for _, name := range tailsAtDashes(base) {
		w.ifExists(object.GetNamespace(), name)
	}
}

// revision wakes the revision's controller, the sets that might want its name, and, for an orphan, those that select it.
func (w *wake) revision(object metav1.Object) {
	w.controller(object)
	for _, name := range headsAtDashes(object.GetName()) {
		w.ifExists(object.GetNamespace(), name)
	}
	if metav1.GetControllerOfNoCopy(object) == nil {
		w.selecting(object)
	}
}

func (w *wake) controller(object metav1.Object) {
	owner := metav1.GetControllerOfNoCopy(object)
	if owner == nil || owner.Kind != w.kind.Kind {
		return
	}
	if version, err := schema.ParseGroupVersion(owner.APIVersion); err != nil || version.Group != w.kind.Group {
		return
	}
	w.ifExists(object.GetNamespace(), owner.Name)
}

func (w *wake) ifExists(namespace, name string) {
	key := adapters.Key{Namespace: namespace, Name: name}
	if _, err := w.scope.set(key); err == nil {
		w.queue(key)
	}
}

func (w *wake) selecting(orphan metav1.Object) {
	sets, err := w.scope.sets.ByIndex(cache.NamespaceIndex, orphan.GetNamespace())
	if err != nil {
		return
	}
	for _, object := range sets {
		if set, ok := object.(*unstructured.Unstructured); ok && selects(set, orphan.GetLabels()) {
			w.set(set)
		}
	}
}

func selects(set *unstructured.Unstructured, of map[string]string) bool {
	fields, found, err := unstructured.NestedMap(set.Object, "spec", "selector")
	if err != nil || !found {
		return false
	}
	var raw metav1.LabelSelector
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, &raw); err != nil {
		return false
	}
	selector, err := metav1.LabelSelectorAsSelector(&raw)
	return err == nil && selector.Matches(labels.Set(of))
}

package kube

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// wake finds the sets whose snapshots contain an object, or did before it changed.
type wake struct {
	kind  SetKind
	scope *scopeCache
	queue func(adapters.Key, Change)
}

// Change is a change of an object, described as the write that would cause it.
type Change struct {
	adapters.Write

	bound  bool // the only change is that a claim was bound
	edited bool // of a set: see cachedSet.edited
}

// ofSet reports whether a set itself has changed.
func (c Change) ofSet() bool {
	return c.Kind != "" && c.Kind != kindPod && c.Kind != kindClaim && c.Kind != kindRevision
}

// Watch queues the sets that a change in the caches concerns. Call it before Start.
func (c *Caches) Watch(queue func(adapters.Key, Change)) error {
	for _, scope := range c.scopes {
		w := &wake{kind: c.kind, scope: scope, queue: queue}
		for _, on := range []struct {
			cache   kindCache
			kind    string
			changed func(metav1.Object, Change)
		}{
			{scope.sets, c.kind.Kind, w.set},
			{scope.pods, kindPod, w.pod},
			{scope.claims, kindClaim, w.claim},
			{scope.revisions, kindRevision, w.revision},
		} {
			if _, err := on.cache.informer.AddEventHandler(handler(on.kind, on.changed)); err != nil {
				return err
			}
		}
		if _, err := scope.sets.informer.AddEventHandler(w.comingAndGoing()); err != nil {
			return err
		}
	}
	return c.watchClasses(queue)
}

// handler calls changed for the new and the old version of an object, so that a set that lost the object wakes, too. A new version
// that differs in nothing that the caches keep is no change: most writes to the status of a pod or a claim are like that.
func handler(kind string, changed func(metav1.Object, Change)) cache.ResourceEventHandlerFuncs {
	tell := func(object any, by Change) {
		if accessor, err := meta.Accessor(object); err == nil {
			changed(accessor, by)
		}
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { tell(object, changeOf(kind, object)) },
		UpdateFunc: func(old, current any) {
			if same(old, current) {
				return
			}
			by := changeOf(kind, current)
			by.bound = bound(old, current)
			tell(old, by)
			tell(current, by)
		},
		DeleteFunc: func(object any) {
			if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
				object = tombstone.Obj
			}
			tell(object, Change{}) // a deletion is news, whoever asked for it
		},
	}
}

// changeOf returns the write that may have caused a version of an object.
func changeOf(kind string, object any) Change {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return Change{}
	}
	by := Change{Write: adapters.Write{
		Kind:            kind,
		Name:            accessor.GetName(),
		UID:             string(accessor.GetUID()),
		ResourceVersion: accessor.GetResourceVersion(),
		Deleted:         accessor.GetDeletionTimestamp() != nil,
	}}
	if set, is := object.(*cachedSet); is {
		by.edited = set.edited()
	}
	return by
}

func (w *wake) set(object metav1.Object, by Change) {
	w.queue(adapters.Key{Namespace: object.GetNamespace(), Name: object.GetName()}, by)
}

// pod wakes the pod's controller, and the set that might want a pod of this name: the pod may be in the way, or can be adopted.
func (w *wake) pod(object metav1.Object, by Change) {
	w.controller(object, by)
	if base, _, ok := snapshot.SplitOrdinal(object.GetName()); ok {
		w.ifExists(object.GetNamespace(), base, by)
	}
}

// claim wakes each set that the claim's name may belong to. Claims need have no controller, and a pod may wait for a claim to be
// gone.
func (w *wake) claim(object metav1.Object, by Change) {
	base, _, ok := snapshot.SplitOrdinal(object.GetName())
	if !ok {
		return
	}
	for _, name := range tailsAtDashes(base) {
		w.ifExists(object.GetNamespace(), name, by)
	}
}

// revision wakes the revision's controller, the sets that might want its name, and, for an orphan, those that select it.
func (w *wake) revision(object metav1.Object, by Change) {
	w.controller(object, by)
	for _, name := range headsAtDashes(object.GetName()) {
		w.ifExists(object.GetNamespace(), name, by)
	}
	if metav1.GetControllerOfNoCopy(object) == nil {
		w.selecting(object, by)
	}
}

func (w *wake) controller(object metav1.Object, by Change) {
	owner := metav1.GetControllerOfNoCopy(object)
	if owner != nil && w.kind.is(owner) {
		w.ifExists(object.GetNamespace(), owner.Name, by)
	}
}

func (w *wake) ifExists(namespace, name string, by Change) {
	key := adapters.Key{Namespace: namespace, Name: name}
	if _, err := w.scope.set(key); err == nil {
		w.queue(key, by)
	}
}

func (w *wake) selecting(orphan metav1.Object, by Change) {
	sets, err := w.scope.sets.ByIndex(cache.NamespaceIndex, orphan.GetNamespace())
	if err != nil {
		return
	}
	for _, object := range sets {
		if set, ok := object.(*cachedSet); ok && selects(set.message.GetSelector(), orphan.GetLabels()) {
			w.set(set, by)
		}
	}
}

// selects reports whether a selector matches labels. An unreadable selector matches nothing.
func selects(from *setplanv1.LabelSelector, of map[string]string) bool {
	if from == nil {
		return false
	}
	selector, err := metav1.LabelSelectorAsSelector(labelSelector(from))
	return err == nil && selector.Matches(labels.Set(of))
}

func labelSelector(from *setplanv1.LabelSelector) *metav1.LabelSelector {
	raw := &metav1.LabelSelector{MatchLabels: from.GetMatchLabels()}
	for _, r := range from.GetMatchExpressions() {
		raw.MatchExpressions = append(raw.MatchExpressions, metav1.LabelSelectorRequirement{
			Key: r.GetKey(), Operator: metav1.LabelSelectorOperator(r.GetOperator()), Values: r.GetValues(),
		})
	}
	return raw
}

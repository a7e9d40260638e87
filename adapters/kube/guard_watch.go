package kube

import (
	"k8s.io/client-go/tools/cache"

	"github.com/setplan/setplan/adapters"
)

// Watch makes the guard see every version of every set, and every new pod. Call it before the caches start. The caches must
// keep, of a set's managedFields, the entries for the status.
func (g *Guard) Watch() error {
	for _, scope := range g.caches.scopes {
		if _, err := scope.sets.informer.AddEventHandler(g.setHandler()); err != nil {
			return err
		}
		if _, err := scope.pods.informer.AddEventHandler(g.podHandler()); err != nil {
			return err
		}
	}
	return nil
}

func (g *Guard) setHandler() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) {
			if set, ok := setIn(object); ok {
				g.setChanged(nil, set)
			}
		},
		UpdateFunc: func(old, current any) {
			before, known := setIn(old)
			if set, ok := setIn(current); ok && known {
				g.setChanged(before, set)
			}
		},
		DeleteFunc: func(object any) {
			if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
				object = tombstone.Obj
			}
			if set, ok := setIn(object); ok {
				g.mu.Lock()
				defer g.mu.Unlock()
				g.forget(adapters.Key{Namespace: set.GetNamespace(), Name: set.GetName()})
			}
		},
	}
}

func (g *Guard) podHandler() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) {
			if pod, ok := object.(*cachedPod); ok {
				g.podAdded(pod)
			}
		},
		UpdateFunc: func(old, current any) {
			before, known := old.(*cachedPod)
			// After a new list the name may belong to another pod, without a deletion in between.
			if pod, ok := current.(*cachedPod); ok && known && before.UID != pod.UID {
				g.podAdded(pod)
			}
		},
	}
}

package kube

import (
	"k8s.io/client-go/tools/cache"

	"github.com/setplan/setplan/adapters"
)

// hasDrain reports whether a set has a drain policy.
func (c *Caches) hasDrain(key adapters.Key) bool {
	scope := c.of(key.Namespace)
	if scope == nil {
		return false
	}
	set, err := scope.set(key)
	return err == nil && adapters.HasDrain(set.GetAnnotations())
}

// draining lists the sets of a namespace that have a drain policy.
func (c *Caches) draining(namespace string) []adapters.Key {
	scope := c.of(namespace)
	if scope == nil {
		return nil
	}
	sets, err := scope.sets.ByIndex(cache.NamespaceIndex, namespace)
	if err != nil {
		return nil
	}
	var keys []adapters.Key
	for _, object := range sets {
		if set, ok := setIn(object); ok && adapters.HasDrain(set.GetAnnotations()) {
			keys = append(keys, adapters.Key{Namespace: namespace, Name: set.GetName()})
		}
	}
	return keys
}

package kube

import (
	"maps"
	"slices"

	"k8s.io/client-go/tools/cache"

	"github.com/setplan/setplan/adapters"
)

// Rest makes the controller ignore changes: a replica that waits for the lease has no workers, and must not collect the names of
// all sets that ever existed. Its caches have all that it needs to begin.
func (c *Controller) Rest() { c.pace.rest() }

// Wake ends the rest, and asks for a pass over all sets and those that were known before the rest. It lists the sets after that, so
// that a set created in between is listed, heard of, or both.
func (c *Controller) Wake(sets func() []adapters.Key) {
	for _, key := range append(c.pace.wake(), sets()...) {
		c.pace.changed(key, Change{})
	}
}

func (p *Pace) rest() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rests = true
}

// wake returns the sets known from before. Those that are gone by now must be forgotten.
func (p *Pace) wake() []adapters.Key {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rests = false
	return slices.Collect(maps.Keys(p.sets))
}

// keys lists the sets in the caches.
func (c *Caches) keys() []adapters.Key {
	var keys []adapters.Key
	for _, scope := range c.scopes {
		for _, name := range scope.sets.ListKeys() {
			if namespace, name, err := cache.SplitMetaNamespaceKey(name); err == nil {
				keys = append(keys, adapters.Key{Namespace: namespace, Name: name})
			}
		}
	}
	return keys
}

package kube

import (
	"maps"
	"slices"

	"k8s.io/client-go/tools/cache"

	"github.com/setplan/setplan/adapters"
)

// Rest makes the controller deaf: a replica that waits for the lease has nobody who would work on what it hears, and must
// not collect the name of every set that ever was. Its caches hold all that it needs to begin.
func (c *Controller) Rest() { c.pace.rest() }

// Wake makes it hear again, and asks for a pass over each of the sets, and over each that it knew when it went to rest. The
// sets are listed once it hears: one that comes in between is listed, heard of, or both.
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

// wake returns the sets that are known from before. Those that are gone meanwhile have to be forgotten.
func (p *Pace) wake() []adapters.Key {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rests = false
	return slices.Collect(maps.Keys(p.sets))
}

// keys are the sets in the caches.
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

package kube

import (
	"maps"
	"slices"

	"github.com/setplan/setplan/adapters"
)

// Rest makes the controller ignore changes: a replica that waits for the lease has no workers, and must not collect the names of
// all sets that ever existed. Its caches have all that it needs to begin.
func (c *Controller) Rest() { c.pace.rest() }

// Wake ends the rest, and queues all sets, and those that were known before the rest. It lists the sets after the rest has ended, so a set
// that is created in between is listed, heard of, or both.
func (c *Controller) Wake(sets func() []adapters.Key) {
	for _, key := range append(c.pace.wake(), sets()...) {
		c.Changed(key, Change{})
	}
}

func (p *Pace) rest() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rests = true
}

// wake returns the sets that were known before the rest: those that are gone by now have to be forgotten.
func (p *Pace) wake() []adapters.Key {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rests = false
	return slices.Collect(maps.Keys(p.sets))
}

// keys lists the sets in the caches, first those with an edit that no status has observed yet.
func (c *Caches) keys() []adapters.Key {
	var edited, others []adapters.Key
	for _, scope := range c.scopes {
		for _, object := range scope.sets.List() {
			set, is := object.(*cachedSet)
			if !is {
				continue
			}
			if key := (adapters.Key{Namespace: set.GetNamespace(), Name: set.GetName()}); set.edited() {
				edited = append(edited, key)
			} else {
				others = append(others, key)
			}
		}
	}
	return append(edited, others...)
}

package invariants

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters/sim"
)

// AtMostOne: no pod is created while an object of that name exists, a terminating one included. The API sees to the
// truth; the adapter must not even have tried where it could know.
func AtMostOne(c *Check) error {
	if c.Event.Kind != sim.KindPod || c.Event.Verb != "create" {
		return nil
	}
	if c.Before.Pod(c.Event.Name) != nil {
		return fmt.Errorf("a pod of that name exists")
	}
	if c.View != nil && c.View.Pod(c.Event.Name) != nil {
		return fmt.Errorf("the adapter saw a pod of that name and created one all the same")
	}
	return nil
}

// OrderedReady: an ordinal is created only when all below it are available; only the highest condemned pod goes, so that a
// second one goes when the first is gone. A lower pod that somebody else deletes does not hold it back, and a condemned pod
// that has ended may go out of turn (rule EndedPodsHoldNothing): it takes nothing away.
func OrderedReady(c *Check) error {
	r, ordinal := c.podWrite()
	if r == nil || r.parallel() || c.ofDrainPod() {
		return nil
	}
	switch {
	case c.Event.Verb == "create":
		return r.allBelowAvailable(ordinal, c)
	case c.deletes() && !r.inRange(ordinal):
		return r.mayScaleDown(ordinal, c)
	}
	return nil
}

func (r *reading) allBelowAvailable(ordinal int, c *Check) error {
	for below := r.start(); below < ordinal; below++ {
		if !r.available(r.pods[below], c.Now) {
			return fmt.Errorf("ordinal %d is not available", below)
		}
	}
	return nil
}

func (r *reading) mayScaleDown(ordinal int, c *Check) error {
	if r.pods[ordinal] == nil {
		return nil // somebody else's: OnlyItsOwn
	}
	if r.emptied() {
		return nil // DrainsInOrder
	}
	if highest := r.condemned()[0]; highest != ordinal && !sim.HasEnded(r.pods[ordinal]) {
		return fmt.Errorf("ordinal %d is higher and also outside the range", highest)
	}
	if err := r.allBelowAvailable(r.start()+r.replicas, c); err != nil {
		return err
	}
	for _, other := range r.condemned() {
		if r.hopeless(other, c) || r.hopeless(ordinal, c) {
			continue
		}
		if other < ordinal && !r.available(r.pods[other], c.Now) && !r.available(r.pods[ordinal], c.Now) {
			return fmt.Errorf("it is not available, and neither is ordinal %d below it", other)
		}
	}
	return nil
}

// podWrite is the reading of an adapter's write to a pod of a set; nil for anything else.
func (c *Check) podWrite() (*reading, int) {
	if c.View == nil || c.Event.Kind != sim.KindPod {
		return nil, 0
	}
	name, ok := setOf(c.Event.Name)
	if !ok {
		return nil, 0
	}
	r := read(c.View.State, name)
	ordinal, _ := ordinalOf(c.Event.Name, name)
	return r, ordinal
}

// deletes reports whether the write takes the object away; for one with nobody to stop it that happens at once.
func (c *Check) deletes() bool { return c.Event.Verb == "delete" || c.Event.Verb == "remove" }

// target is the pod as the adapter saw it.
func (c *Check) target() *corev1.Pod { return c.View.Pod(c.Event.Name) }

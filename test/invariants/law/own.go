package law

import (
	"errors"
	"fmt"
)

var ofRevision = of(CreateRevision, RenumberRevision, ChangeRevision, DeleteRevision)

// deletingStatusOnly: an adapter that has seen that a set is being deleted writes only its status, and releases claims that the retention policy
// keeps. A set with the drain's finalizer is drained first. Kubernetes 1.36 also touches revisions.
func deletingStatusOnly(c *Check) error {
	s := c.Seen
	if s == nil || !s.Going || s.emptied() || s.Upstream && ofRevision>>c.Write.Op&1 == 1 {
		return nil
	}
	if s.Finalizer && c.Write.Op == DeleteDrainPod {
		return nil // a set that is no longer drained loses its drain pods, and then the finalizer
	}
	if s.Finalizer && !s.Orphans && c.Write.Op == SetClaimOwners {
		return nil // while an invalid policy keeps the set, no claim is to go with it
	}
	if k := &c.Write.Claim; c.Write.Op == SetClaimOwners && !s.Orphans && !s.Upstream && (!s.WhenDeleted || s.Shares) && !k.BySetItself && !k.ByPodItself {
		return nil
	}
	return errors.New("the set is being deleted")
}

// onlyItsOwn: for a set, an adapter creates, deletes and changes only objects with the set's names that belong to the set. It may adopt
// what nobody controls.
func onlyItsOwn(c *Check) error {
	switch {
	case c.Seen == nil:
		return nil
	case c.Write.Strange:
		return errors.New("the set does not control it")
	case c.Write.Op == CreatePod && c.Write.Ordinal < 0:
		return errors.New("it has none of the set's names")
	}
	return nil
}

// revisionsOnlyGrow: the data of a revision never changes. Its number never shrinks, and is the highest when it is given. A revision in
// use stays.
func revisionsOnlyGrow(c *Check) error {
	w := &c.Write
	switch {
	case w.DataChanged:
		return errors.New("its data has changed")
	case w.Op == DeleteRevision:
		return c.inUse()
	case w.Number < w.Before:
		return fmt.Errorf("its number went from %d to %d", w.Before, w.Number)
	case c.Seen == nil || w.Op == ChangeRevision:
		return nil
	}
	for i := range c.Seen.Revisions {
		if r := &c.Seen.Revisions[i]; r.Name != w.Revision && w.Number <= r.Number {
			return fmt.Errorf("number %d is not above the %d of %s", w.Number, r.Number, r.Name)
		}
	}
	return nil
}

func (c *Check) inUse() error {
	if c.Seen == nil {
		return nil
	}
	if c.Write.Revision == c.Seen.Named || c.Write.Revision == c.Seen.Update {
		return errors.New("it is the current or the update revision")
	}
	for i := range c.Seen.Places {
		if p := &c.Seen.Places[i]; p.Pod.replica() && (p.Pod.Revision == c.Write.Revision || p.Pod.Under == c.Write.Revision) {
			return fmt.Errorf("pod %d is at it", p.Ordinal)
		}
	}
	return nil
}

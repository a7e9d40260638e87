package law

import "fmt"

// Gates are what keeps single pods from their updates, and from nothing else.
type Gates struct {
	Gated, Confirms bool // somebody has to agree before a pod is updated, and after it
}

// gatesHold: a pod is updated, in place or by its deletion, only if somebody has agreed to its update, as its writer has seen it and as it is, and to those
// before it.
func gatesHold(c *Check) error {
	s, p := c.Seen, c.place()
	if c.Write.Op == ChangePod && !c.Write.Sent && !c.Write.Restarts && (!c.Write.Relabelled || p != nil && p.Pod.Under != "") {
		return nil // what was agreed to has begun, and ends
	}
	if !s.Gated && !s.Confirms || p == nil || !s.inRange(p.Ordinal) || s.emptied() || !p.Pod.replica() || p.Pod.ended() || p.Pod.Chosen || s.Update == "" {
		return nil
	}
	if s.Gated {
		to := s.Update
		if c.Write.Cause != Updated && p.Pod.MayLeave != to {
			to = s.ComesBackAt(p.Ordinal) // perhaps a repair, or for a file system
		}
		for _, place := range []*Place{p, c.now(p.Ordinal)} {
			if place != nil && place.Pod.Exists && place.Pod.MayLeave != to {
				return fmt.Errorf("nobody has agreed that pod %d is updated to %s", p.Ordinal, to)
			}
		}
	}
	if s.Confirms && !s.Recreates && p.Pod.serves() && c.Write.Cause != Repaired && !p.Pod.Restarts {
		return s.mayGoOn(p)
	}
	return nil
}

// now is a place as it is; nil where nobody knows.
func (c *Check) now(ordinal int) *Place {
	if c.Truth == nil {
		return nil
	}
	return c.Truth.at(ordinal)
}

// mayGoOn: pods that are updated and not confirmed count as unavailable. Kubernetes 1.36 looks at those above only.
func (s *Set) mayGoOn(target *Place) error {
	absent, above := s.unavailable()+1, 0
	for i := range s.Places {
		p := &s.Places[i]
		if s.inRange(p.Ordinal) && p.Pod.replica() && p.Pod.serves() && p.Pod.Revision == s.Update && p.Pod.Confirmed != s.Update {
			absent++
			if p.Ordinal > target.Ordinal {
				above++
			}
		}
	}
	switch {
	case s.OneByOne && !s.Ranked && above > 0:
		return fmt.Errorf("%d pods above pod %d are updated and not confirmed", above, target.Ordinal)
	case (!s.OneByOne || s.Ranked) && absent > s.budget():
		return fmt.Errorf("%d pods would be unavailable or not confirmed, and %d may be", absent, s.budget())
	}
	return nil
}

package law

import (
	"fmt"
	"slices"
)

// guardKeeps: under a guard, only pods of reserved ordinals are deleted for being outside the range.
func guardKeeps(c *Check) error {
	s, p := c.Seen, c.place()
	if p != nil && p.Pod.replica() && !s.inRange(p.Ordinal) && s.keeps(p) {
		return fmt.Errorf("ordinal %d is not reserved", p.Ordinal)
	}
	return nil
}

// keeps reports whether the guard keeps a pod outside the range.
func (s *Set) keeps(p *Place) bool {
	return s.keepsOrdinal(p.Ordinal)
}

func (s *Set) keepsOrdinal(ordinal int) bool {
	return s.Guarded && !s.emptied() && !slices.Contains(s.Reserved, ordinal)
}

// pauseHolds: under a pause no running pod of the range is deleted, under HealOnly no running pod at all, and under All no pod and no
// claim is written to.
func pauseHolds(c *Check) error {
	s, p := c.Seen, c.place()
	switch {
	case s.Paused == PauseNothing || p == nil || s.Going && !s.emptied():
		return nil
	case s.Going && c.Write.Op == SetClaimOwners:
		return nil // it keeps a claim
	case s.Paused == PauseAll:
		return fmt.Errorf("all is paused, and ordinal %d is written to", p.Ordinal)
	case c.Write.Op != DeletePod || !p.Pod.Exists || p.Pod.ended():
		return nil
	case s.inRange(p.Ordinal) && !s.emptied():
		return fmt.Errorf("pod %d is in the range and has not ended", p.Ordinal)
	case s.Paused == PauseHealOnly:
		return fmt.Errorf("only missing and ended pods are recreated, and pod %d has not ended", p.Ordinal)
	}
	return nil
}

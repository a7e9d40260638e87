package law

import "fmt"

// updateWithinBudget: pods of the range are taken away for an update or by a repair. Where it is not known which, either must
// be right.
func updateWithinBudget(c *Check) error {
	p := c.place()
	if p == nil || !c.Seen.inRange(p.Ordinal) || c.Seen.emptied() || !p.Pod.Exists || p.Pod.ended() || c.Write.Cause == Repaired {
		return nil
	}
	err := c.Seen.mayUpdate(p)
	if err == nil || c.Write.Cause == Updated {
		return err
	}
	for _, why := range []error{c.Seen.mayRepair(p), c.takesNothing()} {
		if why != nil {
			return fmt.Errorf("%w, and it is no repair: %w", err, why)
		}
	}
	return nil
}

// mayUpdate: pods go for an update from the highest ordinal down to the partition, and never more of them than the budget
// allows. A pod that is not available costs nothing, and may go before a higher one. Kubernetes 1.36 has no budget unless a
// feature gate is on: there a pod must not go while one above it is not available.
func (s *Set) mayUpdate(target *Place) error {
	switch {
	case s.OnDelete:
		return fmt.Errorf("the strategy is OnDelete")
	case s.Update == "":
		return nil // somebody else's revision is used
	case target.Pod.Revision == s.Update:
		return fmt.Errorf("pod %d is at the update revision", target.Ordinal)
	case target.Ordinal-s.Start < s.Partition:
		return fmt.Errorf("pod %d is below the partition", target.Ordinal)
	}
	passedOver := 0
	for i := range s.Places {
		above := &s.Places[i]
		if above.Ordinal <= target.Ordinal || !s.inRange(above.Ordinal) {
			continue
		}
		if above.Pod.Available && above.Pod.Revision != s.Update && target.Pod.Available {
			passedOver++
		}
		if s.Upstream && !above.Pod.Available {
			return fmt.Errorf("pod %d, which is higher, is not available", above.Ordinal)
		}
	}
	switch unavailable := s.unavailable() + 1; {
	case passedOver >= s.SideBySide:
		return fmt.Errorf("%d higher pods are outdated, too", passedOver)
	case !s.Upstream && target.Pod.Available && unavailable > s.Budget:
		return fmt.Errorf("%d pods would be unavailable, and %d may be", unavailable, s.Budget)
	}
	return nil
}

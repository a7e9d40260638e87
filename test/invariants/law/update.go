package law

import "fmt"

// updateWithinBudget: pods of the range are deleted for an update or a repair. If the cause is unknown, one of the two must be right. A pod whose images
// change in place is as good as deleted.
func updateWithinBudget(c *Check) error {
	p := c.place()
	if c.Write.Op == ChangePod && !c.Write.Restarts {
		return nil
	}
	if p == nil || !c.Seen.inRange(p.Ordinal) || c.Seen.emptied() || !p.Pod.Exists || p.Pod.ended() || c.Write.Cause == Repaired {
		return nil
	}
	if p.Pod.anew() && c.Write.Op == DeletePod {
		return c.Seen.mayRecreate(p)
	}
	err := c.Seen.mayUpdate(p)
	if err == nil || c.Write.Cause == Updated {
		return err
	}
	if c.Write.Op == ChangePod {
		if c.insteadOfRepair(p) {
			return nil
		}
		return err
	}
	for _, why := range []error{c.Seen.mayRepair(p), c.takesNothing()} {
		if why != nil {
			return fmt.Errorf("%w, and it is no repair: %w", err, why)
		}
	}
	return nil
}

// mayUpdate: an update deletes pods from the highest ordinal down to the partition, within the budget. An unavailable pod costs nothing,
// and may be deleted before a higher one. Kubernetes 1.36 has no budget unless a feature gate is on: it deletes no pod while one above
// it is unavailable.
func (s *Set) mayUpdate(target *Place) error {
	switch {
	case s.OnDelete:
		return fmt.Errorf("the strategy is OnDelete")
	case s.Update == "":
		return nil // another controller's revision is used
	case target.Pod.at() == s.Update && (target.Pod.Under == "" || s.InPlace) && !target.Pod.Refused: // else nobody waits for it any more
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
		runsOn := above.Pod.RunsOn && above.Pod.at() == s.Update && (s.Parallel || above.Pod.Kept)
		if above.Pod.serves() && above.Pod.Revision != s.Update && target.Pod.serves() && !s.Ranked && !runsOn {
			passedOver++
		}
		if s.Upstream && !above.Pod.serves() && !s.Ranked {
			return fmt.Errorf("pod %d, which is higher, is not available", above.Ordinal)
		}
	}
	switch unavailable := s.unavailable() + 1; {
	case passedOver >= s.SideBySide:
		return fmt.Errorf("%d higher pods are outdated, too", passedOver)
	case (!s.Upstream || s.Ranked) && target.Pod.serves() && unavailable > s.budget():
		return fmt.Errorf("%d pods would be unavailable, and %d may be", unavailable, s.budget())
	}
	return nil
}

// mayRecreate: a pod that somebody has chosen goes within the budget, in any order. One that is unavailable costs nothing.
func (s *Set) mayRecreate(target *Place) error {
	if unavailable := s.unavailable() + 1; target.Pod.serves() && unavailable > s.budget() {
		return fmt.Errorf("%d pods would be unavailable, and %d may be", unavailable, s.budget())
	}
	return nil
}

// budget is how many pods an update may leave unavailable. Kubernetes 1.36 knows no other number than 1.
func (s *Set) budget() int {
	if s.Upstream {
		return 1
	}
	return s.Budget
}

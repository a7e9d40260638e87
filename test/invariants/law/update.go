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

// mayUpdate: an update deletes pods from the highest ordinal down to the partition, within the budget. An unavailable pod may be deleted before
// a higher one. Kubernetes 1.36 has no budget unless a feature gate is on: it deletes no pod while one above
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
	if s.Recreates {
		return s.allMayGo()
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
		if s.OneByOne && !above.Pod.serves() && !s.Ranked {
			return fmt.Errorf("pod %d, which is higher, is not available", above.Ordinal)
		}
	}
	switch {
	case passedOver >= s.SideBySide:
		return fmt.Errorf("%d higher pods are outdated, too", passedOver)
	case s.Unready && !target.Pod.serves() && !s.Ranked:
		return nil
	case !s.OneByOne || s.Ranked:
		return s.mayTake(target)
	}
	return nil
}

// allMayGo: under Recreate all outdated pods go, or none does. Whether this one may, other laws say.
func (s *Set) allMayGo() error {
	for i := range s.Places {
		switch p := &s.Places[i]; {
		case !p.Pod.replica() || p.Pod.Going || p.Pod.Revision == s.Update:
		case s.Gated && s.inRange(p.Ordinal) && !p.Pod.ended() && p.Pod.MayLeave != s.Update:
			return fmt.Errorf("nobody has agreed that pod %d is updated, and all go or none does", p.Ordinal)
		case !s.inRange(p.Ordinal) && (s.keeps(p) || s.Drains || s.Asks):
			return fmt.Errorf("pod %d stays outside the range, and all go or none does", p.Ordinal)
		}
	}
	return nil
}

// mayRecreate: a pod that somebody has chosen goes within the budget, in any order.
func (s *Set) mayRecreate(target *Place) error { return s.mayTake(target) }

// mayTake: by our own doing no more pods are unavailable than the budget allows, those included that were ready a moment ago. Outside it goes only what
// has been shown to be broken, and only while no other pod of the range is on its way.
func (s *Set) mayTake(target *Place) error {
	unavailable := s.unavailable() + 1
	if !target.Pod.serves() {
		unavailable = s.away(target) + 1
	}
	if unavailable <= s.budget() {
		return nil
	}
	if target.Pod.member() {
		return fmt.Errorf("%d pods would be unavailable, and %d may be", unavailable, s.budget())
	}
	for i := range s.Places {
		if p := &s.Places[i]; p != target && s.inRange(p.Ordinal) && s.onItsWay(p) {
			return fmt.Errorf("%d pods would be unavailable, %d may be, and pod %d is on its way", unavailable, s.budget(), p.Ordinal)
		}
	}
	return nil
}

// onItsWay reports whether a pod is about to become ready, or to make room for one that will be. A broken one that would be recreated is neither.
func (s *Set) onItsWay(p *Place) bool {
	return p.Pod.replica() && (p.Pod.Going || p.Pod.Starting && (p.Pod.member() || p.Pod.at() == s.ComesBackAt(p.Ordinal)))
}

// away counts the other ordinals of the range without an available pod, and those whose pods start again for this update. One that is available, and on
// its way to another revision, is to leave that way itself.
func (s *Set) away(target *Place) int {
	n := 0
	for i := range s.Places {
		p := &s.Places[i]
		if p != target && s.inRange(p.Ordinal) && (!p.Pod.Available || !p.Pod.serves() && p.Pod.at() == s.Update) {
			n++
		}
	}
	return n
}

// budget is how many pods an update may leave unavailable. Kubernetes 1.36 knows no other number than 1.
func (s *Set) budget() int {
	if s.OneByOne {
		return 1
	}
	return s.Budget
}

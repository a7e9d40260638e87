package law

import "fmt"

// atMostOne: no pod is created while a pod of its name exists, terminating included.
func atMostOne(c *Check) error {
	if p := c.place(); p != nil && p.Pod.Exists {
		return fmt.Errorf("pod %d exists", p.Ordinal)
	}
	return nil
}

// orderedReady: an ordinal is created only when all below it are available. Only the highest pod outside the range is deleted, and the
// next one only after it is gone.
func orderedReady(c *Check) error {
	s, ordinal := c.Seen, c.Write.Ordinal
	switch {
	case s.Parallel || ordinal < 0:
		return nil
	case c.Write.Op == CreatePod:
		return s.allAvailable(ordinal)
	case s.inRange(ordinal) || s.emptied(): // drainsInOrder
		return nil
	}
	if p := c.place(); s.Recreates && p != nil && p.Pod.Revision != s.Update && s.allMayGo() == nil {
		return nil
	}
	return s.mayScaleDown(ordinal)
}

func (s *Set) allAvailable(below int) error {
	for i := range s.Places {
		if p := &s.Places[i]; s.inRange(p.Ordinal) && p.Ordinal < below && !p.Pod.Available {
			return fmt.Errorf("pod %d is not available", p.Ordinal)
		}
	}
	return nil
}

// mayScaleDown: a lower pod that somebody else deletes holds back no pod. A pod that has ended may be deleted out of turn (rule
// EndedPodsHoldNothing), because it serves nobody. What the guard keeps holds back nobody either.
func (s *Set) mayScaleDown(ordinal int) error {
	target := s.at(ordinal)
	if target == nil || !target.Pod.replica() {
		return nil // somebody else's: onlyItsOwn
	}
	for i := range s.Places {
		p := &s.Places[i]
		if p.Ordinal > ordinal && !s.inRange(p.Ordinal) && !s.keeps(p) && p.Pod.replica() && !target.Pod.ended() {
			return fmt.Errorf("pod %d is higher and outside the range, too", p.Ordinal)
		}
	}
	if err := s.allAvailable(s.end()); err != nil {
		return err
	}
	for i := range s.Places {
		p := &s.Places[i]
		if p.Ordinal >= ordinal || s.inRange(p.Ordinal) || s.keeps(p) || !p.Pod.replica() || s.hopeless(&p.Pod) || s.hopeless(&target.Pod) {
			continue
		}
		if !p.Pod.Available && !target.Pod.Available {
			return fmt.Errorf("it is not available, and neither is pod %d below it", p.Ordinal)
		}
	}
	return nil
}

// scaleUpWithinLimit: a pod of a Parallel set is created only while fewer pods than the limit are not ready.
func scaleUpWithinLimit(c *Check) error {
	s, starting := c.Seen, 1
	if !s.Parallel || s.ScaleUpLimit == 0 {
		return nil
	}
	for i := range s.Places {
		if p := &s.Places[i].Pod; s.inRange(s.Places[i].Ordinal) && p.replica() && !p.Ready && !p.Going && !p.ended() {
			starting++
		}
	}
	if starting > s.ScaleUpLimit {
		return fmt.Errorf("%d pods would be starting, and %d may be", starting, s.ScaleUpLimit)
	}
	return nil
}

// belowPartition: a pod created below the partition has the current revision, and above it the newest. If the current revision does not
// exist, Kubernetes takes another one; we must create no pod from another.
func belowPartition(c *Check) error {
	s := c.Seen
	want, old := s.Update, c.Write.Ordinal-s.Start < s.Partition
	if s.Recreates && s.anyOutdated() {
		want, old = s.heldTo(), false // the old revision and the new one never run side by side
	} else if s.Paused != PauseNothing && !old {
		return nil // it comes back at what it was, which the view does not know
	}
	if s.Unpartitioned && !s.OnDelete && !s.Recreates && !s.Ranked { // by ranks, the updated pods are not the highest ones
		old = s.slot(c.Write.Ordinal) < s.CountedCurrent-s.leavingCurrent()
	}
	if old {
		want = s.heldTo()
	}
	if c.Write.Revision != want && want != "" {
		return fmt.Errorf("pod %d is made at %s instead of %s", c.Write.Ordinal, c.Write.Revision, want)
	}
	return nil
}

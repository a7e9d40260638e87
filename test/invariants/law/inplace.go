package law

import (
	"errors"
	"fmt"
)

// inPlaceIsRight: a pod that goes to another revision in place runs what that revision says, its set asks for it, and it was its turn. A set that
// keeps its pods loses none to an update or a repair.
func inPlaceIsRight(c *Check) error {
	s, p := c.Seen, c.place()
	if p == nil || !s.inRange(p.Ordinal) || s.emptied() || !p.Pod.replica() || p.Pod.ended() {
		return nil
	}
	switch {
	case c.Write.Op == DeletePod && s.KeepsPods && !p.Pod.Chosen:
		return errors.New("the set keeps its pods")
	case !c.Write.Relabelled:
		return nil
	case !s.InPlace:
		return errors.New("the set does not ask for updates in place")
	case c.Write.Differs != "":
		return fmt.Errorf("%s differs", c.Write.Differs)
	case p.Pod.Revision == c.Write.Revision:
		return errors.New("it has the revision already")
	case s.Paused >= PauseUpdates:
		return errors.New("updates are paused")
	}
	if now := c.now(p.Ordinal); now != nil && now.Pod.Revision != p.Pod.Revision {
		return fmt.Errorf("the pod is at %s, and was at %s when this was decided", now.Pod.Revision, p.Pod.Revision)
	}
	why := s.mayUpdateInPlace(p, c.Write.Revision)
	if why != nil && s.KeepsPods && c.Write.Revision == s.ComesBackAt(p.Ordinal) && s.needsRepair(p) == nil {
		return nil // instead of a repair
	}
	return why
}

// mayUpdateInPlace: pods are updated from the highest ordinal down to the partition. Nothing counts against the budget. One that is unavailable
// comes first, as it does where pods are recreated.
func (s *Set) mayUpdateInPlace(target *Place, revision string) error {
	switch {
	case s.OnDelete:
		return errors.New("the strategy is OnDelete")
	case s.Update == "":
		return nil // another controller's revision is used
	case revision != s.Update:
		return fmt.Errorf("the update revision is %s", s.Update)
	case target.Ordinal-s.Start < s.Partition:
		return fmt.Errorf("pod %d is below the partition", target.Ordinal)
	}
	for i := range s.Places {
		above := &s.Places[i]
		if above.Ordinal <= target.Ordinal || s.Ranked {
			continue
		}
		if s.waitsForUpdate(above) && above.Pod.Available && (target.Pod.Available || s.Upstream) {
			return fmt.Errorf("pod %d, which is higher, is outdated, too", above.Ordinal)
		}
		if s.Upstream && s.inRange(above.Ordinal) && !above.Pod.Available {
			return fmt.Errorf("pod %d, which is higher, is not available", above.Ordinal)
		}
	}
	return nil
}

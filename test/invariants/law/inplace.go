package law

import (
	"errors"
	"fmt"
)

// inPlaceIsRight: a pod that goes to another revision in place gets what that revision says, its set asks for it, and it was its turn. Where its images
// change it is on its way until its label says where it is, and that is nobody's turn. A set that keeps its pods loses none to an update or a repair.
func inPlaceIsRight(c *Check) error {
	s, p := c.Seen, c.place()
	if p == nil || !s.inRange(p.Ordinal) || s.emptied() || !p.Pod.replica() || p.Pod.ended() {
		return nil
	}
	switch {
	case c.Write.Op == DeletePod && s.KeepsPods && !p.Pod.Chosen:
		return errors.New("the set keeps its pods")
	case c.Write.Resized != "":
		return errors.New(c.Write.Resized)
	case !c.Write.Relabelled && !c.Write.Sent && !c.Write.Restarts:
		return nil
	case s.Paused >= PauseUpdates:
		return errors.New("updates are paused")
	case !c.Write.Sent && !c.Write.Restarts && p.Pod.Under != "":
		return c.endsAt(p.Pod.Under)
	case !s.InPlace:
		return errors.New("the set does not ask for updates in place")
	case c.Write.Differs != "":
		return fmt.Errorf("%s differs", c.Write.Differs)
	case p.Pod.at() == c.Write.Revision:
		return errors.New("it has the revision already")
	}
	if now := c.now(p.Ordinal); now != nil && now.Pod.at() != p.Pod.at() {
		return fmt.Errorf("the pod is at %s, and was at %s when this was decided", now.Pod.at(), p.Pod.at())
	}
	why := s.mayUpdateInPlace(p, c.Write.Revision)
	if why != nil && c.insteadOfRepair(p) {
		return nil
	}
	return why
}

// endsAt: a pod that is on its way to a revision gets to that one.
func (c *Check) endsAt(under string) error {
	if c.Write.Revision != under {
		return fmt.Errorf("it is on its way to %s, and is said to be at %s", under, c.Write.Revision)
	}
	return nil
}

// insteadOfRepair reports whether a set updates a pod in place that it would otherwise repair: it keeps its pods, or the pod served before it was
// brought on its way. One that serves is not repaired; to take it for one costs nothing where nothing starts again.
func (c *Check) insteadOfRepair(p *Place) bool {
	s := c.Seen
	return (s.KeepsPods || p.Pod.Under != "" && p.Pod.WasReady) && c.Write.Revision == s.ComesBackAt(p.Ordinal) && s.needsRepair(p) == nil && (!c.Write.Restarts || !p.Pod.serves())
}

// labelsAreTrue: no label names a revision that the pod's containers do not run.
func labelsAreTrue(c *Check) error {
	if c.Write.Relabelled && c.Write.Unproven != "" {
		return fmt.Errorf("it is said to be at %s, and %s", c.Write.Revision, c.Write.Unproven)
	}
	return nil
}

// mayUpdateInPlace: pods are updated from the highest ordinal down to the partition. Nothing counts against the budget, but where images change. One that
// is unavailable comes first, as it does where pods are recreated.
func (s *Set) mayUpdateInPlace(target *Place, revision string) error {
	switch {
	case s.OnDelete:
		return errors.New("the strategy is OnDelete")
	case s.Recreates:
		return errors.New("the strategy is Recreate")
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
		if s.waitsForUpdate(above) && above.Pod.serves() && (target.Pod.serves() || s.OneByOne) {
			return fmt.Errorf("pod %d, which is higher, is outdated, too", above.Ordinal)
		}
		if !s.Parallel && s.inRange(above.Ordinal) && above.Pod.at() == s.Update && above.Pod.Lacks && !above.Pod.Kept && target.Pod.serves() {
			return fmt.Errorf("pod %d, which is higher, has not got its resources", above.Ordinal)
		}
		if s.OneByOne && s.inRange(above.Ordinal) && !above.Pod.serves() {
			return fmt.Errorf("pod %d, which is higher, is not available", above.Ordinal)
		}
	}
	return nil
}

package law

import (
	"errors"
	"fmt"
)

// repairIsRight: a repair replaces one pod of the range that would come back at another revision, as far as the adapter can know.
func repairIsRight(c *Check) error {
	p := c.place()
	switch {
	case c.Write.Cause != Repaired || p == nil || !p.Pod.Exists:
		return nil
	case !c.Seen.inRange(p.Ordinal):
		return fmt.Errorf("pod %d is outside the range", p.Ordinal)
	}
	return c.Seen.mayRepair(p)
}

func (s *Set) mayRepair(target *Place) error {
	switch err := s.needsRepair(target); {
	case err != nil:
		return err
	case target.Pod.Young:
		return fmt.Errorf("pod %d is too young", target.Ordinal)
	case target.Pod.Lately && target.Pod.Under == "":
		return fmt.Errorf("pod %d was ready a moment ago", target.Ordinal)
	}
	for i := range s.Places {
		if p := &s.Places[i]; s.inRange(p.Ordinal) && p.Ordinal != target.Ordinal && p.Pod.replica() && p.Pod.Going {
			return fmt.Errorf("pod %d is going", p.Ordinal)
		}
	}
	return s.mayTake(target)
}

// needsRepair: a repair would replace the pod, now or later. That is enough where a pod is updated in place instead, which takes nothing away.
func (s *Set) needsRepair(target *Place) error {
	switch {
	case s.Repair == RepairNever:
		return errors.New("there is no repair policy")
	case s.OnDelete:
		return errors.New("the strategy is OnDelete")
	case target.Pod.at() == s.ComesBackAt(target.Ordinal):
		return fmt.Errorf("pod %d comes back at the same revision %s", target.Ordinal, target.Pod.at())
	}
	return nil
}

// repairTakesNothing: a repair deletes only a pod that is not ready, and that never was unless the policy allows that. The write's
// precondition ensures this, however old the view is. What a pod was before its images changed in place does not count.
func repairTakesNothing(c *Check) error {
	if c.Write.Cause != Repaired {
		return nil
	}
	return c.takesNothing()
}

func (c *Check) takesNothing() error {
	if c.Truth == nil {
		return nil
	}
	p := c.Truth.at(c.Write.Ordinal)
	switch {
	case p == nil || !p.Pod.Exists:
		return nil
	case p.Pod.Ready:
		return fmt.Errorf("pod %d is ready", p.Ordinal)
	case p.Pod.WasReady && p.Pod.Under == "" && c.Truth.Repair != RepairUnready:
		return fmt.Errorf("pod %d has been ready", p.Ordinal)
	}
	return nil
}

// hopeless reports whether a pod outside the range would be repaired if it were inside: nobody waits for it to become available.
func (s *Set) hopeless(p *Pod) bool {
	return p.Exists && !p.Ready && !p.Going && !p.ended() && p.at() != s.Update && (s.Repair == RepairUnready || s.Repair == RepairNeverReady && (!p.WasReady || p.Under != ""))
}

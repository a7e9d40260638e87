package law

import "fmt"

// leaderComesLast: a set that is updated by ranks loses its leader after all others, and nobody who may be the leader while that is not
// clear. A pod is only deleted, or its images changed, with the rank that its writer has seen.
func leaderComesLast(c *Check) error {
	s, p := c.Seen, c.place()
	switch {
	case !s.Ranked || c.Write.Op == ChangePod && !c.Write.Restarts || p == nil || !s.inRange(p.Ordinal) || s.emptied() || !p.Pod.replica() || p.Pod.ended() || c.Write.Cause == Repaired:
		return nil
	case c.Write.Cause == Untold && !p.Pod.Ready:
		return nil // perhaps a repair
	}
	if c.Truth != nil && c.Truth.Ranked { // else somebody has asked for no ranks, or others, since
		if is := c.Truth.at(p.Ordinal); is != nil && is.Pod.Exists && is.Pod.Rank != p.Pod.Rank {
			return fmt.Errorf("pod %d has rank %d, and had rank %d when this was decided", p.Ordinal, is.Pod.Rank, p.Pod.Rank)
		}
	}
	leader, clear := s.leader()
	if p.Pod.anew() && c.Write.Op == DeletePod {
		return s.mayRecreateLeader(p, clear && p == leader || !clear && p.Pod.Rank != 0)
	}
	switch {
	case s.Recreates && !clear: // they all go
		return nil
	case !clear && (p.Pod.serves() || p.Pod.Ready || p.Pod.Lately || p.Pod.Rank != 0):
		return fmt.Errorf("pod %d may be the leader: it is not clear who is", p.Ordinal)
	case clear && p != leader && !p.Pod.serves():
		return nil // it comes first
	}
	for i := range s.Places {
		other := &s.Places[i]
		if other == p || !s.waitsForUpdate(other) || !clear {
			continue
		}
		switch {
		case p == leader:
			return fmt.Errorf("pod %d leads, and pod %d is outdated, too", p.Ordinal, other.Ordinal)
		case other == leader || s.Recreates:
		case !other.Pod.serves() && !other.Pod.Ready:
			return fmt.Errorf("pod %d is outdated and unavailable", other.Ordinal)
		case other.Pod.Rank < p.Pod.Rank, other.Pod.Rank == p.Pod.Rank && other.Ordinal > p.Ordinal:
			return fmt.Errorf("pod %d is outdated, and comes before pod %d", other.Ordinal, p.Ordinal)
		}
	}
	return nil
}

// mayRecreateLeader: a pod that somebody has chosen and that leads, or may, goes while every other pod is available.
func (s *Set) mayRecreateLeader(p *Place, leads bool) error {
	for i := range s.Places {
		if other := &s.Places[i]; leads && other != p && s.inRange(other.Ordinal) && !other.Pod.serves() {
			return fmt.Errorf("pod %d leads, and pod %d is not available", p.Ordinal, other.Ordinal)
		}
	}
	return nil
}

// waitsForUpdate reports whether a pod is to be updated.
func (s *Set) waitsForUpdate(p *Place) bool {
	return s.inRange(p.Ordinal) && p.Ordinal-s.Start >= s.Partition && p.Pod.replica() && !p.Pod.Going && !p.Pod.ended() &&
		s.Update != "" && p.Pod.at() != s.Update
}

// leader is the place of the pod with the highest rank. It is clear if there is one such pod, and every rank can be read.
func (s *Set) leader() (leader *Place, clear bool) {
	for i := range s.Places {
		p := &s.Places[i]
		switch {
		case !p.Pod.replica() || p.Pod.Going || p.Pod.ended():
		case p.Pod.Rank < 0:
			return nil, false
		case leader == nil || p.Pod.Rank > leader.Pod.Rank:
			leader, clear = p, p.Pod.Rank > 0
		case p.Pod.Rank == leader.Pod.Rank:
			clear = false
		}
	}
	return leader, clear
}

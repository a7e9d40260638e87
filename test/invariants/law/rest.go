package law

import (
	"fmt"
	"slices"
)

// RestInvariant is a rule for a set that has come to rest as its spec wants it.
type RestInvariant struct {
	Name  string
	Holds func(*Set) error
}

// The names of the invariants of rest.
const (
	PodsAreThere      = "PodsAreThere"
	PodsAreUpToDate   = "PodsAreUpToDate"
	ClaimsAreAsWanted = "ClaimsAreAsWanted"
	NothingIsDraining = "NothingIsDraining"
)

// AtRest are the invariants of every set that is in the desired state.
var AtRest = []RestInvariant{
	{PodsAreThere, podsAreThere},
	{PodsAreUpToDate, podsAreUpToDate},
	{ClaimsAreAsWanted, claimsAreAsWanted},
	{NothingIsDraining, nothingIsDraining},
}

// podsAreThere: the set has exactly the pods of its range, and all are available.
func podsAreThere(s *Set) error {
	for i := range s.Places {
		switch p := &s.Places[i]; {
		case s.inRange(p.Ordinal) && !p.Pod.Available:
			return fmt.Errorf("ordinal %d has no pod that is available", p.Ordinal)
		case !s.inRange(p.Ordinal) && p.Pod.replica() && s.Paused < PauseHealOnly:
			return fmt.Errorf("pod %d is the set's, and outside its range", p.Ordinal)
		}
	}
	return nil
}

// podsAreUpToDate: above the partition each pod is at the update revision. None is on its way to any, but where nobody updates it and its set no longer
// does so in place.
func podsAreUpToDate(s *Set) error {
	for i := range s.Places {
		p := &s.Places[i]
		held := p.Ordinal-s.Start < s.Partition || s.OnDelete || s.Paused != PauseNothing
		if p.Pod.replica() && p.Pod.Under != "" && s.Paused == PauseNothing && !(held && (p.Pod.Under == Unreadable || !s.InPlace)) {
			return fmt.Errorf("pod %d is on its way to %s", p.Ordinal, p.Pod.Under)
		}
		if p.Pod.replica() && !held && p.Pod.Revision != s.Update {
			return fmt.Errorf("pod %d is at %s, and the template is %s", p.Ordinal, p.Pod.Revision, s.Update)
		}
	}
	return nil
}

// claimsAreAsWanted: each pod of the range has its claims, and they belong to whom the table of the retention policy says. Outside
// the range no claim belongs to a set with which the policy keeps it.
func claimsAreAsWanted(s *Set) error {
	for i := range s.Places {
		p := &s.Places[i]
		if !s.inRange(p.Ordinal) {
			if err := s.leftoversStay(p); err != nil {
				return err
			}
			continue
		}
		for j := range p.Claims {
			k := &p.Claims[j]
			bySet, byPod := s.WantedOwner(p.Ordinal)
			without := p.Pod.Exists && slices.Contains(k.WithoutIt, s.revisionOf(&p.Pod))
			switch {
			case without && (!k.Exists || !k.BySet && !k.ByPod): // what its pod does not have gains no owner: it may be somebody else's
			case !p.Pod.Exists || !k.Exists:
				return fmt.Errorf("claim %s, or its pod, is missing", k.Name)
			case k.Going: // somebody has deleted it, and its pod keeps it
			case k.Uncontrolled:
				return fmt.Errorf("the owner of claim %s is not its controller", k.Name)
			default:
				if err := k.owned(bySet, byPod); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// revisionOf is whose claims a pod has: one of a revision that is not the set's is like the set's new pods.
func (s *Set) revisionOf(p *Pod) string {
	if slices.ContainsFunc(s.Revisions, func(r Revision) bool { return r.Name == p.Revision }) {
		return p.Revision
	}
	return s.Update
}

// leftoversStay: no step comes to a claim without a pod, so a wrong reference would stay until the claim is deleted with the set.
func (s *Set) leftoversStay(p *Place) error {
	for i := range p.Claims {
		if k := &p.Claims[i]; k.Exists && !k.Going && k.BySetItself && !s.goWithSet() && !s.Upstream {
			return fmt.Errorf("claim %s is left over and belongs to the set, with which the policy keeps it", k.Name)
		}
	}
	return nil
}

// nothingIsDraining: no drain is left to do. With a policy the claims of the range have the set's mark, and no claim outside has it.
// Without a policy nothing of a drain is left. Another set's marks do not count.
func nothingIsDraining(s *Set) error {
	for i := range s.Places {
		p := &s.Places[i]
		switch {
		case p.Pod.Drain:
			return fmt.Errorf("drain pod %d is there", p.Ordinal)
		case s.inRange(p.Ordinal) && p.Pod.Asked:
			return fmt.Errorf("pod %d stays, and is asked whether it may go", p.Ordinal)
		}
		for j := range p.Claims {
			k := &p.Claims[j]
			if !k.Exists || k.Going || k.Mark == Others {
				continue
			}
			if err := s.markIsRight(k, s.inRange(p.Ordinal)); err != nil {
				return err
			}
		}
	}
	if s.Finalizer != s.DrainsOnDelete {
		return fmt.Errorf("the set has the finalizer of the drain: %t", s.Finalizer)
	}
	return nil
}

func (s *Set) markIsRight(k *Claim, inRange bool) error {
	switch {
	case !s.Drains && k.Mark != Unmarked:
		return fmt.Errorf("claim %s is marked, and there is no drain policy", k.Name)
	case !s.Drains:
	case inRange && k.Mark != Ours:
		return fmt.Errorf("claim %s is not marked", k.Name)
	case inRange && k.Attempted:
		return fmt.Errorf("claim %s counts drain pods, and its ordinal is back", k.Name)
	case !inRange && k.Mark == Ours:
		return fmt.Errorf("claim %s is outside the range, and not drained", k.Name)
	case !inRange && s.Leftovers:
		return fmt.Errorf("claim %s is left over, and not drained", k.Name)
	}
	return nil
}

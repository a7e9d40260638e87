package law

import (
	"errors"
	"fmt"
	"slices"
)

// dataIsDrained: a claim that a drain policy covers begins to go only when a drain pod of this very claim has succeeded,
// whoever deletes it. An adapter must have seen that, and the claim must be marked as that set's. The garbage collector must
// find nothing to delete where the set, or the pod, was deleted when it might be (docs/invariants.md lists what is excepted).
func dataIsDrained(c *Check) error {
	if c.Write.Op == CollectClaim {
		return c.goesUndrained()
	}
	p := c.place()
	if p == nil || p.claim(c.Write.Claim.Name) == nil {
		return errors.New("who deletes it has not seen this claim")
	}
	switch k := p.claim(c.Write.Claim.Name); {
	case k.Mark != Ours:
		return fmt.Errorf("claim %s is not marked", k.Name)
	case !k.Drained:
		return fmt.Errorf("no drain pod that has succeeded has drained claim %s", k.Name)
	}
	if c.Truth == nil {
		return nil
	}
	if p := c.Truth.at(c.Write.Ordinal); p != nil {
		if k := p.claim(c.Write.Claim.Name); k != nil && (k.Mark != Ours || !k.Empty) {
			return fmt.Errorf("claim %s has not been drained, or is not marked", k.Name)
		}
	}
	return nil
}

// goesUndrained is about a claim that the garbage collector deletes because its owner goes, or is gone.
func (c *Check) goesUndrained() error {
	p := c.Truth.at(c.Write.Ordinal)
	if !c.Write.Promised || p == nil {
		return nil
	}
	if k := p.claim(c.Write.Claim.Name); k != nil && !k.Empty && c.Truth.covers(p, k) {
		return fmt.Errorf("claim %s has not been drained, and goes with what might be deleted", k.Name)
	}
	return nil
}

// covers reports whether the policy of the set is about a claim.
func (s *Set) covers(p *Place, k *Claim) bool {
	switch {
	case s.Gone:
		return k.Mark == Ours
	case !s.Drains || s.Going && !s.DrainsOnDelete:
		return false
	}
	return k.Mark == Ours || s.Leftovers || s.inRange(p.Ordinal) || p.Pod.replica()
}

// drainsInOrder: under OrderedReady nothing of a lower ordinal outside the range is touched, neither its replica nor its
// data, while a higher one has a replica, a drain pod or marked data. A replica that has ended may go out of turn, and an
// ordinal that is back in the range is drained beside the others.
func drainsInOrder(c *Check) error {
	s, p := c.Seen, c.place()
	if p == nil || s.Parallel || !s.Drains || !s.leaves(p.Ordinal) {
		return nil
	}
	if c.Write.Op == DeletePod && (!p.Pod.replica() || p.Pod.ended() || c.Write.Unsigned) {
		return nil
	}
	for i := range s.Places {
		if above := &s.Places[i]; above.Ordinal > p.Ordinal && s.leaves(above.Ordinal) && above.hasData() {
			return fmt.Errorf("ordinal %d is higher and not drained", above.Ordinal)
		}
	}
	return nil
}

// hasData reports whether a place has a replica, a drain pod, or a marked claim that is not going.
func (p *Place) hasData() bool {
	return p.Pod.Drain || p.Pod.replica() && p.Pod.Selected ||
		slices.ContainsFunc(p.Claims, func(k Claim) bool { return k.Exists && !k.Going && k.Mark == Ours })
}

// onlyMarkedIsDrained: a drain pod is made only on claims that bear the set's mark, so that what was left behind before
// there was a policy, or belongs to another set, is never drained.
func onlyMarkedIsDrained(c *Check) error {
	p := c.place()
	if p == nil {
		return nil
	}
	for i := range p.Claims {
		mounted := c.Write.Claims == nil || slices.Contains(c.Write.Claims, p.Claims[i].Name)
		if k := &p.Claims[i]; mounted && (!k.Exists || k.Mark != Ours) {
			return fmt.Errorf("claim %s is not marked", k.Name)
		}
	}
	return nil
}

// drainPodsFinish: a drain pod goes when nothing is left for it to do, when it has failed, or when nobody wants it any more.
func drainPodsFinish(c *Check) error {
	s, p := c.Seen, c.place()
	if p == nil || !p.Pod.Exists || p.Pod.Failed {
		return nil
	}
	if s.Going && !s.emptied() {
		return nil // the set is deleted without a drain, by now: a drain pod would outlive it
	}
	unwanted := !s.Drains || s.CancelsDrain && !s.leaves(p.Ordinal)
	for i := range p.Claims {
		k := &p.Claims[i]
		switch {
		case !k.Exists || !k.Listed || !p.Pod.Succeeded && unwanted:
		case p.Pod.Succeeded && (k.Going || k.Mark != Ours || !s.Drains):
		default:
			return fmt.Errorf("the drain pod %d is not done with claim %s", p.Ordinal, k.Name)
		}
	}
	return nil
}

// finalizerComesLast: the finalizer of the drain says that the set may be deleted, so it is put on only when no claim
// belongs to the set any more.
func finalizerComesLast(c *Check) error {
	for i := range c.Seen.Places {
		for j := range c.Seen.Places[i].Claims {
			if k := &c.Seen.Places[i].Claims[j]; k.Exists && !k.Going && !k.Empty && k.BySetItself {
				return fmt.Errorf("claim %s still belongs to the set", k.Name)
			}
		}
	}
	return nil
}

// staysUntilDrained: the finalizer of a set that is deleted and drained goes last.
func staysUntilDrained(c *Check) error {
	if !c.Seen.emptied() {
		return nil
	}
	for i := range c.Seen.Places {
		if p := &c.Seen.Places[i]; p.hasData() {
			return fmt.Errorf("ordinal %d is not drained", p.Ordinal)
		}
	}
	return nil
}

// neighboursKeepTheirs: what another set of the namespace calls its own is not drained. Who has seen that set neither makes
// a drain pod on such a claim nor deletes it, whatever its marks say: that set may have no drain policy, and then marks
// nothing.
func neighboursKeepTheirs(c *Check) error {
	p := c.place()
	if p == nil {
		return nil
	}
	for i := range p.Claims {
		k := &p.Claims[i]
		touched := c.Write.Op == DeleteClaim && k.Name == c.Write.Claim.Name ||
			c.Write.Op == CreateDrainPod && (c.Write.Claims == nil || slices.Contains(c.Write.Claims, k.Name))
		if touched && k.SharedWith != "" {
			return fmt.Errorf("claim %s is set %s's as well", k.Name, k.SharedWith)
		}
	}
	return nil
}

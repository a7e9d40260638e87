package law

import (
	"errors"
	"fmt"
	"slices"
)

// dataIsDrained: a claim that a drain policy covers is deleted, by anybody, only after a drain pod of this very claim has succeeded. An
// adapter must have seen that, and the claim must have the set's mark. The garbage collector must find nothing to delete if the set or
// the pod was deleted at an allowed moment (test/invariants/README.md lists the exceptions).
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

// goesUndrained checks a claim that the garbage collector deletes with its owner.
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

// covers reports whether the set's drain policy covers a claim.
func (s *Set) covers(p *Place, k *Claim) bool {
	switch {
	case s.Gone:
		return k.Mark == Ours
	case !s.Drains || s.Going && !s.DrainsOnDelete:
		return false
	}
	return k.Mark == Ours || s.Leftovers || s.inRange(p.Ordinal) || p.Pod.replica()
}

// drainsInOrder: under OrderedReady neither replica nor data of an ordinal outside the range is touched while a higher one has a
// replica, a drain pod or marked data. A replica that has ended may be deleted out of turn, and an ordinal that is back in the range is
// drained beside the others.
func drainsInOrder(c *Check) error {
	s, p := c.Seen, c.place()
	if p == nil || s.Parallel || !s.Drains || !s.leaves(p.Ordinal) {
		return nil
	}
	if c.Write.Op == DeletePod && (!p.Pod.replica() || p.Pod.ended() || c.Write.Unsigned) {
		return nil
	}
	for i := range s.Places {
		if above := &s.Places[i]; above.Ordinal > p.Ordinal && s.leaves(above.Ordinal) && !s.keeps(above) && above.hasData() {
			return fmt.Errorf("ordinal %d is higher and not drained", above.Ordinal)
		}
	}
	return nil
}

// hasData reports whether a place has a replica, a drain pod, or a marked claim that is not being deleted.
func (p *Place) hasData() bool {
	return p.Pod.Drain || p.Pod.replica() && p.Pod.Selected ||
		slices.ContainsFunc(p.Claims, func(k Claim) bool { return k.Exists && !k.Going && k.Mark == Ours })
}

// onlyMarkedIsDrained: a drain pod is created only on claims with the set's mark. So claims from before the policy, and other sets'
// claims, are never drained.
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

// drainPodsFinish: a drain pod is deleted only when it has nothing left to do, has failed, or is no longer wanted.
func drainPodsFinish(c *Check) error {
	s, p := c.Seen, c.place()
	if p == nil || !p.Pod.Exists || p.Pod.Failed {
		return nil
	}
	if s.Going && !s.emptied() {
		return nil // the set is now deleted without a drain, and a drain pod would outlive it
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

// finalizerComesLast: the drain's finalizer says that the set may be deleted, so it is added only when no claim belongs to the set.
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

// staysUntilDrained: the finalizer of a set that is drained for its deletion is removed last.
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

// neighboursKeepTheirs: claims with names that another set of the namespace uses, too, are not drained. An adapter that has seen that
// set neither creates a drain pod on such a claim nor deletes it, whatever its mark: without a drain policy that set marks nothing.
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

package law

import (
	"errors"
	"fmt"
	"slices"
)

// claimsBeforePods: a pod is created only after its claims exist, and none of them is being deleted or belongs to an earlier pod or
// set of that name: the garbage collector is about to delete such a claim.
func claimsBeforePods(c *Check) error {
	p := c.place()
	if p == nil {
		return nil
	}
	for i := range p.Claims {
		switch k := &p.Claims[i]; {
		case slices.Contains(k.WithoutIt, c.Write.Revision):
			// The pod has nothing of it.
		case !k.Exists:
			return fmt.Errorf("claim %s does not exist", k.Name)
		case k.Going:
			return fmt.Errorf("claim %s is going away", k.Name)
		case k.ByPod && !c.Seen.Upstream:
			return fmt.Errorf("claim %s belongs to an earlier pod", k.Name)
		case k.BySet && !k.BySetItself && !c.Seen.Upstream:
			return fmt.Errorf("claim %s belongs to an earlier set", k.Name)
		}
	}
	return nil
}

// podsHaveTheirClaims: a created pod has the claims of its revision, and no others. As revisions in use stay, a pod can always be made again as it
// was.
func podsHaveTheirClaims(c *Check) error {
	p := c.place()
	if p == nil || c.Write.Claims == nil {
		return nil
	}
	for i := range p.Claims {
		k := &p.Claims[i]
		switch has, wants := slices.Contains(c.Write.Claims, k.Name), !slices.Contains(k.WithoutIt, c.Write.Revision); {
		case has && !wants:
			return fmt.Errorf("claim %s is not for pods of revision %s", k.Name, c.Write.Revision)
		case wants && !has:
			return fmt.Errorf("it is without claim %s, which pods of revision %s have", k.Name, c.Write.Revision)
		}
	}
	return nil
}

// claimsFollowRetention: an adapter that writes a claim's owners leaves others' references alone, and makes ours follow the table of
// the retention policy.
func claimsFollowRetention(c *Check) error {
	after := &c.Write.Claim
	switch {
	case c.Write.Ordinal < 0:
		return nil
	case c.Write.Intruded:
		return errors.New("owners that are not ours have changed")
	case c.Seen.Going && !c.Seen.emptied():
		return nil // see deletingStatusOnly
	case after.Uncontrolled:
		return errors.New("the reference to the set or the pod is no controller reference")
	}
	bySet, byPod := c.Seen.WantedOwner(c.Write.Ordinal)
	if p := c.place(); byPod && p != nil && !p.Pod.replica() {
		byPod = after.ByPod // it was handed to its pod before that went, or else to nobody
	}
	if after.Managed {
		bySet, byPod = false, false
	}
	return after.owned(bySet, byPod)
}

func (k *Claim) owned(bySet, byPod bool) error {
	if k.BySet != bySet || k.ByPod != byPod {
		return fmt.Errorf("claim %s is owned by the set: %t instead of %t, by the pod: %t instead of %t", k.Name, k.BySet, bySet, k.ByPod, byPod)
	}
	return nil
}

// wantedClaimsStay: no pod is deleted, for whatever cause, if the garbage collector would then delete a claim that the retention policy
// keeps (rule WantedClaimsStay). The claim is released first, and the adapter must know that this succeeded.
func wantedClaimsStay(c *Check) error {
	s, p := c.Seen, c.place()
	if s.Upstream || p == nil || !p.Pod.replica() {
		return nil
	}
	if _, byPod := s.WantedOwner(p.Ordinal); byPod {
		return nil // the policy asks for it
	}
	for i := range p.Claims {
		if k := &p.Claims[i]; k.Exists && !k.Going && k.ByPodItself && !k.Empty {
			return fmt.Errorf("claim %s goes with it, and is to stay", k.Name)
		}
	}
	return nil
}

// volumesGrowOnce: a claim never asks for anything else while its volume grows, and never for less than its volume has.
func volumesGrowOnce(c *Check) error {
	if c.Write.Twice {
		return fmt.Errorf("the volume of claim %s is growing already", c.Write.Claim.Name)
	}
	return nil
}

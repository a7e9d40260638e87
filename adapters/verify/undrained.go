package verify

import (
	"fmt"
	"slices"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Deleting the owner of a claim deletes the claim: the garbage collector knows no drain. So under a drain template nothing that owns an
// undrained claim may be deleted.

// undrained returns an undrained claim of the set that would be deleted with an owner; nil if there is none.
func (v *Verifier) undrained(owner string) *setplanv1.Claim {
	if v.belongings == nil {
		v.belongings = map[string][]*setplanv1.Claim{}
		for _, claim := range v.snapshot.GetClaims() {
			if _, ours := v.claimOf(claim.GetName()); !ours || claim.GetDeletionUnixMs() != 0 {
				continue
			}
			for _, o := range v.owners(claim.GetOwnerSetIndex()) {
				v.belongings[o.GetUid()] = append(v.belongings[o.GetUid()], claim)
			}
		}
	}
	for _, claim := range v.belongings[owner] {
		if !v.released[claim.GetUid()+" "+owner] && !v.isDrained(claim) {
			return claim
		}
	}
	return nil
}

func (v *Verifier) isDrained(claim *setplanv1.Claim) bool {
	return slices.ContainsFunc(v.snapshot.GetPods(), func(pod *setplanv1.Pod) bool {
		return v.drainPod(pod) && v.hasDrained(pod) && v.lists(pod, claim)
	})
}

// releases remembers which owners an earlier stage of the plan has removed from a claim.
func (s *subject) releases() {
	for _, was := range s.owners(s.claim.GetOwnerSetIndex()) {
		stays := func(o *setplanv1.OwnerReference) bool { return o.GetUid() == was.GetUid() }
		s.released[s.claim.GetUid()+" "+was.GetUid()] = !slices.ContainsFunc(s.action.GetSetClaimOwners().GetOwners(), stays)
	}
}

// undrainedFault: no replica is deleted or evicted that owns an undrained claim, and no set that owns one is made ready for deletion.
func undrainedFault(s *subject) string {
	owner := s.pod.GetUid()
	if s.operation == setFinalizer {
		owner = s.set.GetUid()
	}
	if claim := s.undrained(owner); claim != nil {
		return fmt.Sprintf("the claim %s has not been drained and would be deleted with it", quote(claim.GetName()))
	}
	return ""
}

// takesClaims selects actions that delete an owner under a drain template, or allow its deletion.
func takesClaims(s *subject) bool {
	return s.draining() && (s.operation == deletePod || s.operation == evictPod || s.action.GetSetFinalizer().GetPresent())
}

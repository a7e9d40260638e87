package verify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The checks of changes to claims, which hold the data.

// drainedFault is rule D1 of SPEC.md: a claim is deleted only after a drain pod of that very claim has succeeded.
func drainedFault(s *subject) string {
	switch {
	case !s.draining():
		return "the set has no drain policy"
	case s.markOf(s.claim) != s.mark():
		return "the claim does not carry the set's mark"
	case s.shared():
		return "another set uses the same claim name"
	}
	for _, pod := range s.snapshot.GetPods() {
		if s.drainPod(pod) && s.hasDrained(pod) && pod.GetDeletionUnixMs() == 0 && s.lists(pod, s.claim) {
			return ""
		}
	}
	return "no drain pod of the claim has succeeded"
}

// shared reports whether another set of the namespace uses the same claim names, so that nobody can tell whose claims they are.
func (v *Verifier) shared() bool { return len(v.snapshot.GetClaimNeighbours()) > 0 }

// ownersKeptFault: references to other owners stay as they are.
func ownersKeptFault(s *subject) string {
	for _, owner := range s.owners(s.claim.GetOwnerSetIndex()) {
		if !s.ours(owner) && !hasOwner(s.action.GetSetClaimOwners().GetOwners(), owner) {
			return "an owner that is neither the set nor a pod of it would change"
		}
	}
	return ""
}

// ownersAddedFault: a claim is deleted with its owners, so only references that the retention policy asks for are added.
func ownersAddedFault(s *subject) string {
	now, owners := s.owners(s.claim.GetOwnerSetIndex()), s.action.GetSetClaimOwners().GetOwners()
	if len(owners) > len(now)+2 {
		return "more is added than the set and the claim's pod"
	}
	ordinal, _ := s.claimOf(s.name())
	for _, owner := range owners {
		pod, retention, may := s.pods[owner.GetName()], s.set.GetClaimRetention(), false
		switch {
		case hasOwner(now, owner):
			continue
		case s.deleting() || alone(s) || s.unheld():
		case proto.Equal(owner, s.owner()):
			may = retention.GetWhenDeleted() == "Delete" && !(s.draining() && s.policy().onDelete)
		case pod != nil && s.member(pod) && proto.Equal(owner, podOwner(pod)):
			may = retention.GetWhenScaled() == "Delete" && !s.draining() && !s.inRange(ordinal) && podOrdinal(pod) == ordinal
		}
		if !may {
			return fmt.Sprintf("the claim would be deleted with %s, against its retention or the drain policy, or because no pod has it", quote(owner.GetName()))
		}
	}
	return ""
}

func podOwner(pod *setplanv1.Pod) *setplanv1.OwnerReference {
	return &setplanv1.OwnerReference{ApiVersion: "v1", Kind: kindPod, Name: pod.GetName(), Uid: pod.GetUid(), Controller: true, BlockOwnerDeletion: true}
}

func hasOwner(owners []*setplanv1.OwnerReference, owner *setplanv1.OwnerReference) bool {
	return slices.ContainsFunc(owners, func(o *setplanv1.OwnerReference) bool { return proto.Equal(o, owner) })
}

// unheld reports whether a claim is of a template that is none of the set's own, and that neither its pod has nor those that are made.
func (s *subject) unheld() bool {
	ordinal, _ := s.claimOf(s.name())
	suffix := fmt.Sprintf("-%s-%d", s.set.GetName(), ordinal)
	template := strings.TrimSuffix(s.name(), suffix)
	volumes := at(s.snapshot.GetTables().GetVolumeSets(), s.pods[suffix[1:]].GetVolumeSetIndex()).GetVolumes()
	held := func(t *claimTemplate) bool {
		return t.name == template && (t.own || slices.Contains(volumes, template) || s.asksFor(template) || s.hasClaim(s.set.GetStatus().GetCurrentRevision(), t))
	}
	return !slices.ContainsFunc(s.claimTemplates(), held)
}

// ours reports whether a reference is to the set or to a pod of it, by name or by uid. Such a one may be taken off.
func (s *subject) ours(owner *setplanv1.OwnerReference) bool {
	if owner.GetKind() == kindPod && owner.GetApiVersion() == "v1" {
		return isMember(owner.GetName(), s.set.GetName()) || slices.ContainsFunc(s.snapshot.GetPods(), func(pod *setplanv1.Pod) bool {
			return pod.GetUid() == owner.GetUid() && isMember(pod.GetName(), s.set.GetName())
		})
	}
	return owner.GetUid() == s.set.GetUid() ||
		owner.GetApiVersion() == s.set.GetApiVersion() && owner.GetKind() == s.set.GetKind() && owner.GetName() == s.set.GetName()
}

// podOrdinal is that of a pod's name, which may have leading zeros.
func podOrdinal(pod *setplanv1.Pod) int64 {
	ordinal, _ := strconv.ParseInt(trailingDigits(pod.GetName()), 10, 64)
	return ordinal
}

// marksClaim reports whether an action changes the mark that says whose drain covers a claim.
func (s *subject) marksClaim() bool {
	patch := s.action.GetPatchAnnotations()
	_, marks := patch.GetSet()[noteDrainSet]
	return s.claim != nil && (marks || slices.Contains(patch.GetRemove(), noteDrainSet))
}

// markFault: a claim is marked for this set, under its policy, and not taken from another set. Attempts are counted only where a drain may begin, or has:
// from then on it may go on although the ordinal comes back.
func markFault(s *subject) string {
	mark, marks := s.action.GetPatchAnnotations().GetSet()[noteDrainSet]
	_, counts := s.action.GetPatchAnnotations().GetSet()[noteDrainAttempts]
	ordinal, _ := s.claimOf(s.name())
	switch {
	case s.markOf(s.claim) != "" && !s.ofSameName(s.markOf(s.claim)):
		return "the claim is marked for another set"
	case marks && (mark != s.mark() || !s.draining()):
		return "the mark is not what the set's drain policy makes"
	case marks && s.markOf(s.claim) == "" && s.unheld():
		return "no pod has the claim and nobody asks for it, so it may be somebody else's"
	case marks && !s.covers(ordinal):
		return "the claim was outside the range before the policy could cover it"
	case counts && !s.mayDrain(ordinal):
		return "the ordinal is in the range, and no drain of it was begun"
	}
	return ""
}

// covers reports whether the drain policy covers an ordinal: it is in the range, has a replica or a marked claim, or the policy
// includes leftovers.
func (s *subject) covers(ordinal int64) bool {
	if s.policy().leftovers || s.inRange(ordinal) && !s.emptying() {
		return true
	}
	return slices.ContainsFunc(s.claimsOf(ordinal), func(c *setplanv1.Claim) bool {
		return s.markOf(c) == s.mark() && c.GetDeletionUnixMs() == 0
	}) || slices.ContainsFunc(s.snapshot.GetPods(), func(p *setplanv1.Pod) bool {
		return podOrdinal(p) == ordinal && s.member(p)
	})
}

// begun reports whether a claim has a count of drain pods, whatever its text.
func (s *subject) begun(c *setplanv1.Claim) bool {
	_, noted := at(s.snapshot.GetTables().GetAnnotationSets(), c.GetAnnotationSetIndex()).GetAnnotations()[noteDrainAttempts]
	return noted
}

// mayDrain reports whether an ordinal may be drained, or could be when its drain began.
func (s *subject) mayDrain(ordinal int64) bool {
	if !s.draining() {
		return false
	}
	if !s.inRange(ordinal) || s.emptying() {
		return true
	}
	if pod := s.pods[s.set.GetName()+"-"+strconv.FormatInt(ordinal, 10)]; pod != nil && s.drainPod(pod) {
		return true
	}
	return slices.ContainsFunc(s.claimsOf(ordinal), func(c *setplanv1.Claim) bool {
		return s.markOf(c) == s.mark() && s.begun(c)
	})
}

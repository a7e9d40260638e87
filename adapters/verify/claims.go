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

func claimOwnFault(s *subject) string {
	if _, ok := s.claimOf(s.name()); !ok {
		return "the name is not one of the set's claims'"
	}
	return ""
}

// claimWantedFault: a claim is created only for an ordinal in the range, and not for a set that is being deleted.
func claimWantedFault(s *subject) string {
	ordinal, ok := s.claimOf(s.name())
	if !ok || s.deleting() || !s.inRange(ordinal) {
		return "no ordinal of the range has this claim"
	}
	return ""
}

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
	kept := s.othersOf(s.owners(s.claim.GetOwnerSetIndex()))
	if !slices.EqualFunc(kept, s.othersOf(s.action.GetSetClaimOwners().GetOwners()), sameOwner) {
		return "an owner that is neither the set nor the claim's pod would change"
	}
	return ""
}

// ownersAddedFault: a claim is deleted with its owners, so only references that the retention policy asks for are added.
func ownersAddedFault(s *subject) string {
	if s.deleting() && !s.onlyReleases() {
		return "the set is being deleted"
	}
	now := s.owners(s.claim.GetOwnerSetIndex())
	if len(s.action.GetSetClaimOwners().GetOwners()) > len(now)+2 {
		return "more is added than the set and the claim's pod"
	}
	for _, owner := range s.action.GetSetClaimOwners().GetOwners() {
		adds := !slices.ContainsFunc(now, func(o *setplanv1.OwnerReference) bool { return o.GetUid() == owner.GetUid() })
		switch {
		case adds && s.unheld():
			return "no pod has the claim"
		case !s.refersToSet(owner) && slices.ContainsFunc(now, func(o *setplanv1.OwnerReference) bool { return sameOwner(o, owner) }):
			// It was there before.
		case s.ourUID(owner) && !s.refersToSet(owner) && !s.refersToPod(owner):
			return "the reference is to the set or a pod of it, by another name"
		case s.refersToSet(owner):
			if why := s.setOwnerFault(owner); why != "" {
				return why
			}
		case s.refersToPod(owner):
			if why := s.podOwnerFault(owner); why != "" {
				return why
			}
		}
	}
	return ""
}

// unheld reports whether a claim is of a template that is none of the set's own, and that neither its pod has nor those that are made.
func (s *subject) unheld() bool {
	ordinal, _ := s.claimOf(s.name())
	suffix := fmt.Sprintf("-%s-%d", s.set.GetName(), ordinal)
	template := strings.TrimSuffix(s.name(), suffix)
	volumes := at(s.snapshot.GetTables().GetVolumeSets(), s.podNamed(suffix[1:]).GetVolumeSetIndex()).GetVolumes()
	current := s.removedAt(s.set.GetStatus().GetCurrentRevision()).get(template)
	return !slices.Contains(s.ownTemplates(), template) && !slices.Contains(volumes, template) && !s.asksFor(template) && (current == nil || current.kind != '{')
}

// onlyReleases reports whether the action adds no owner.
func (s *subject) onlyReleases() bool {
	now := s.owners(s.claim.GetOwnerSetIndex())
	for _, owner := range s.action.GetSetClaimOwners().GetOwners() {
		if !slices.ContainsFunc(now, func(o *setplanv1.OwnerReference) bool { return sameOwner(o, owner) }) {
			return false
		}
	}
	return true
}

func (s *subject) setOwnerFault(owner *setplanv1.OwnerReference) string {
	switch {
	case s.set.GetClaimRetention().GetWhenDeleted() != "Delete" || s.draining() && s.policy().onDelete:
		return "the claim would be deleted with the set, against whenDeleted or the drain policy"
	case !sameOwner(owner, s.owner()):
		return "the reference is to another set"
	}
	return ""
}

func (s *subject) podOwnerFault(owner *setplanv1.OwnerReference) string {
	ordinal, _ := s.claimOf(s.name())
	pod := s.podNamed(owner.GetName())
	wanted := &setplanv1.OwnerReference{ApiVersion: "v1", Kind: kindPod, Name: owner.GetName(), Uid: pod.GetUid(), Controller: true, BlockOwnerDeletion: true}
	switch {
	case s.set.GetClaimRetention().GetWhenScaled() != "Delete" || s.draining() || s.inRange(ordinal):
		return "the claim would be deleted with its pod, against whenScaled or the drain policy"
	case pod == nil || !s.member(pod) || !sameOwner(owner, wanted):
		return "the reference is to a pod that is not the set's"
	}
	return ""
}

// othersOf leaves out the references to the set's name and to the name of the claim's pod, whatever their uid.
func (s *subject) othersOf(owners []*setplanv1.OwnerReference) []*setplanv1.OwnerReference {
	var others []*setplanv1.OwnerReference
	for _, owner := range owners {
		if !s.refersToSet(owner) && !s.refersToPod(owner) && !s.ourUID(owner) {
			others = append(others, owner)
		}
	}
	return others
}

// ourUID reports whether a reference has the uid of the set or a pod of it. Such a reference may be removed, whatever its name.
func (s *subject) ourUID(owner *setplanv1.OwnerReference) bool {
	return owner.GetUid() == s.set.GetUid() || owner.GetKind() == kindPod && s.ourPods()[owner.GetUid()]
}

// ourPods are the pods of the snapshot with the set's name, by uid: claims are deleted with a released pod, too.
func (s *subject) ourPods() map[string]bool {
	if s.Verifier.podUIDs == nil {
		s.Verifier.podUIDs = map[string]bool{}
		for _, pod := range s.snapshot.GetPods() {
			s.Verifier.podUIDs[pod.GetUid()] = isMember(pod.GetName(), s.set.GetName())
		}
	}
	return s.Verifier.podUIDs
}

func (s *subject) refersToSet(owner *setplanv1.OwnerReference) bool {
	return owner.GetApiVersion() == s.set.GetApiVersion() && owner.GetKind() == s.set.GetKind() && owner.GetName() == s.set.GetName()
}

// refersToPod reports whether a reference is to the pod of the claim's ordinal, with or without leading zeros.
func (s *subject) refersToPod(owner *setplanv1.OwnerReference) bool {
	if owner.GetApiVersion() != "v1" || owner.GetKind() != kindPod || !isMember(owner.GetName(), s.set.GetName()) {
		return false
	}
	of, ok := s.claimOf(s.name())
	return ok && trimZeros(trailingDigits(owner.GetName())) == fmt.Sprint(of)
}

func trimZeros(digits string) string {
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	return digits
}

func sameOwner(a, b *setplanv1.OwnerReference) bool { return proto.Equal(a, b) }

// marksClaim reports whether an action changes the mark that says whose drain covers a claim.
func (s *subject) marksClaim() bool {
	patch := s.action.GetPatchAnnotations()
	_, marks := patch.GetSet()[noteDrainSet]
	return s.claim != nil && (marks || slices.Contains(patch.GetRemove(), noteDrainSet))
}

// claimNotesFault: only the planner's own annotations of a claim change.
func claimNotesFault(s *subject) string {
	patch := s.action.GetPatchAnnotations()
	for key, value := range patch.GetSet() {
		switch {
		case key == noteDrainSet: // see markFault
		case key == noteDrainAttempts && aNumber.MatchString(value):
		case key == noteDrainBegun && s.begunAt(value):
		default:
			return fmt.Sprintf("the annotation %s is not the planner's, or not to be set to this", quote(key))
		}
	}
	for _, key := range patch.GetRemove() {
		if key != noteDrainSet && key != noteDrainAttempts && key != noteDrainBegun {
			return fmt.Sprintf("the annotation %s is not the planner's", quote(key))
		}
	}
	return ""
}

// markFault: a claim is marked for this set, under its policy, and not taken from another set.
func markFault(s *subject) string {
	mark, marks := s.action.GetPatchAnnotations().GetSet()[noteDrainSet]
	ordinal, known := s.claimOf(s.name())
	switch {
	case s.markOf(s.claim) != "" && !s.ofSameName(s.markOf(s.claim)):
		return "the claim is marked for another set"
	case marks && (mark != s.mark() || !s.draining()):
		return "the mark is not what the set's drain policy makes"
	case marks && known && s.markOf(s.claim) == "" && s.unheld():
		return "no pod has the claim and nobody asks for it, so it may be somebody else's"
	case marks && !s.covers(ordinal):
		return "the claim was outside the range before the policy could cover it"
	}
	return ""
}

// covers reports whether the drain policy covers an ordinal: it is in the range, has a replica or a marked claim, or the policy
// includes leftovers.
func (s *subject) covers(ordinal int64) bool {
	if s.policy().leftovers || s.inRange(ordinal) && !s.emptying() {
		return true
	}
	of := strconv.FormatInt(ordinal, 10)
	return slices.ContainsFunc(s.claimsOf(ordinal), func(c *setplanv1.Claim) bool {
		return s.markOf(c) == s.mark() && c.GetDeletionUnixMs() == 0
	}) || slices.ContainsFunc(s.snapshot.GetPods(), func(p *setplanv1.Pod) bool {
		return trimZeros(trailingDigits(p.GetName())) == of && s.member(p)
	})
}

// begunFault: a drain begins only for an ordinal outside the range. A drain that has begun may go on if the ordinal comes back.
func begunFault(s *subject) string {
	if _, counts := s.action.GetPatchAnnotations().GetSet()[noteDrainAttempts]; !counts {
		return ""
	}
	if ordinal, _ := s.claimOf(s.name()); !s.mayDrain(ordinal) {
		return "the ordinal is in the range, and no drain of it was begun"
	}
	return ""
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
	if pod := s.podNamed(s.set.GetName() + "-" + strconv.FormatInt(ordinal, 10)); pod != nil && s.drainPod(pod) {
		return true
	}
	return slices.ContainsFunc(s.claimsOf(ordinal), func(c *setplanv1.Claim) bool {
		return s.markOf(c) == s.mark() && s.begun(c)
	})
}

package verify

import (
	"fmt"

	"google.golang.org/protobuf/proto"
)

// The checks of ownership and adoption.

func podOwnFault(s *subject) string {
	if s.member(s.pod) || s.operation == deletePod && s.drainPod(s.pod) {
		return ""
	}
	return "the pod is not the set's"
}

func revisionOwnFault(s *subject) string {
	if !s.ownRevision(s.revision) {
		return "the revision is not the set's"
	}
	return ""
}

func claimOwnFault(s *subject) string {
	if _, ok := s.claimOf(s.name()); !ok {
		return "the name is not one of the set's claims'"
	}
	return ""
}

// orphanFault: only an object that nobody controls and that is not being deleted is adopted, and only by a set that stays: the garbage collector would
// delete the object with it.
func orphanFault(s *subject) string {
	_, orphan := s.whose(s.owners(s.pod.GetOwnerSetIndex()))
	if s.operation == adoptRevision {
		_, orphan = s.whose(s.owners(s.revision.GetOwnerSetIndex()))
	}
	switch {
	case !orphan || s.pod.GetDeletionUnixMs() != 0 || s.pod != nil && s.drainPod(s.pod):
		return "it is not one that the set may adopt"
	case s.deleting() || !s.stage.GetRequiresLiveSet():
		return "the set is being deleted, or the stage does not ask whether it is"
	}
	return ""
}

// adopterFault: the owner that is added is this set, and so is the one that is taken off.
func adopterFault(s *subject) string {
	owner := s.action.GetAdoptPod().GetOwner()
	switch s.operation {
	case releasePod:
		if s.action.GetReleasePod().GetOwnerUid() != s.set.GetUid() {
			return "another owner than the set would be removed"
		}
		return ""
	case adoptRevision:
		owner = s.action.GetAdoptRevision().GetOwner()
	}
	if !proto.Equal(owner, s.owner()) {
		return "the new owner is not this set as its controller"
	}
	return ""
}

// podPatchFault: a pod gets only the labels of its identity, and its volumes are bound to the claims of its ordinal.
func podPatchFault(s *subject) string {
	identity := s.identityLabels()
	for key, value := range s.action.GetPatchPod().GetLabels() {
		if wanted, known := identity[key]; !known || value != wanted {
			return fmt.Sprintf("the label %s is not part of the pod's identity", quote(key))
		}
	}
	claimed := map[string]bool{}
	for _, t := range s.claimTemplates() {
		claimed[t.name] = true
	}
	for _, binding := range s.action.GetPatchPod().GetClaims() {
		if !claimed[binding.GetVolume()] || binding.GetClaim() != binding.GetVolume()+"-"+s.name() {
			return fmt.Sprintf("the volume %s would not be bound to the claim of its ordinal", quote(binding.GetVolume()))
		}
	}
	return ""
}

func finalizerFault(s *subject) string {
	change := s.action.GetSetFinalizer()
	switch {
	case change.GetFinalizer() != finalizerDrain:
		return "the finalizer is not the planner's"
	case change.GetPresent() && (s.deleting() || !s.draining() || !s.policy().onDelete):
		return "the set does not ask to be kept until it is drained"
	}
	return ""
}

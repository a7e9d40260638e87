package verify

import (
	"fmt"
	"math"

	"google.golang.org/protobuf/proto"
)

// The checks of ownership and adoption.

func podOwnFault(s *subject) string {
	if s.member(s.pod) || s.operation == deletePod && s.drainPod(s.pod) {
		return ""
	}
	return "the pod is not the set's"
}

// releaseFault: only a pod that the set controls and no longer matches is released.
func releaseFault(s *subject) string {
	ours, _ := s.whose(s.owners(s.pod.GetOwnerSetIndex()))
	_, canonical := ordinalOf(s.pod.GetName(), s.set.GetName())
	switch {
	case s.action.GetReleasePod().GetOwnerUid() != s.set.GetUid():
		return "another owner than the set would be removed"
	case !ours:
		return "the set does not control the pod"
	case canonical && s.matches(s.pod):
		return "the pod has the set's labels and name"
	}
	return ""
}

// orphanFault: only an object that nobody controls and that is not being deleted is adopted.
func orphanFault(s *subject) string {
	switch s.operation {
	case adoptPod:
		_, orphan := s.whose(s.owners(s.pod.GetOwnerSetIndex()))
		if !orphan || !s.member(s.pod) || s.drainPod(s.pod) || s.pod.GetDeletionUnixMs() != 0 {
			return "the pod is not one that the set may adopt"
		}
	case adoptRevision:
		if _, orphan := s.whose(s.owners(s.revision.GetOwnerSetIndex())); !orphan || !s.ownRevision(s.revision) {
			return "the revision is not one that the set may adopt"
		}
	}
	return ""
}

// adopterFault: the new owner is this set.
func adopterFault(s *subject) string {
	owner := s.action.GetAdoptPod().GetOwner()
	if s.operation == adoptRevision {
		owner = s.action.GetAdoptRevision().GetOwner()
	}
	if !proto.Equal(owner, s.owner()) {
		return "the new owner is not this set as its controller"
	}
	return ""
}

// liveFault: only a set that is not being deleted adopts, and the stage checks that again: the garbage collector would delete the
// object with its new owner.
func liveFault(s *subject) string {
	switch {
	case s.deleting():
		return "the set is being deleted"
	case !s.stage.GetRequiresLiveSet():
		return "the stage does not require the live set"
	}
	return ""
}

func revisionOwnFault(s *subject) string {
	if !s.ownRevision(s.revision) {
		return "the revision is not the set's"
	}
	return ""
}

// inUseFault: a revision of a pod, or one at which pods come back, is kept.
func inUseFault(s *subject) string {
	name := s.name()
	if name == s.set.GetStatus().GetCurrentRevision() {
		return "it is the set's current revision"
	}
	for _, pod := range s.snapshot.GetPods() {
		if _, orphan := s.whose(s.owners(pod.GetOwnerSetIndex())); orphan && pod.GetDeletionUnixMs() != 0 {
			continue // it is not adopted any more
		}
		if (s.labelledRevision(pod) == name || s.runs(pod) == name) && s.member(pod) && s.matches(pod) {
			return fmt.Sprintf("pod %s has it", pod.GetName())
		}
	}
	return ""
}

// podLabelsFault: a pod gets only the labels of its identity.
func podLabelsFault(s *subject) string {
	for key, value := range s.action.GetPatchPod().GetLabels() {
		switch {
		case key == labelPodName && value == s.pod.GetName():
		case key == labelPodIndex && value == trailingDigits(s.pod.GetName()):
		default:
			return fmt.Sprintf("the label %s is not part of the pod's identity", quote(key))
		}
	}
	return ""
}

// podVolumesFault: the volumes of a pod are bound to the claims of its ordinal.
func podVolumesFault(s *subject) string {
	claimed := map[string]bool{}
	for _, template := range s.claimTemplates() {
		claimed[template] = true
	}
	for _, binding := range s.action.GetPatchPod().GetClaims() {
		if !claimed[binding.GetVolume()] || binding.GetClaim() != binding.GetVolume()+"-"+s.pod.GetName() {
			return fmt.Sprintf("the volume %s would not be bound to the claim of its ordinal", quote(binding.GetVolume()))
		}
	}
	return ""
}

// podNotesFault: only the question of a drain is asked or withdrawn, whose answer is the pod's, and a pod is marked for updates of its images.
func podNotesFault(s *subject) string {
	patch := s.action.GetPatchAnnotations()
	if s.marksPod() {
		return markFaultOfPod(s)
	}
	for key, value := range patch.GetSet() {
		if key != noteDrainRequest || !aQuestion.MatchString(value) {
			return fmt.Sprintf("the annotation %s is not the planner's to set on a pod, or not to this", quote(key))
		}
	}
	for _, key := range patch.GetRemove() {
		if key != noteDrainRequest && key != noteDrainAnswer {
			return fmt.Sprintf("the annotation %s is not the planner's to remove from a pod", quote(key))
		}
	}
	return ""
}

func generationFault(s *subject) string {
	status := s.action.GetUpdateStatus().GetStatus()
	switch {
	case status == nil:
		return "there is no status"
	case status.GetObservedGeneration() > s.set.GetGeneration():
		return "the observed generation is newer than the set's"
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

// numberFault: the newest revision has the next number, and no number is left out. After the highest there is none, and the number is the same.
func numberFault(s *subject) string {
	last := int64(0)
	for _, revision := range s.snapshot.GetRevisions() {
		if s.ownRevision(revision) {
			last = max(last, revision.GetNumber())
		}
	}
	number := s.action.GetRenumberRevision().GetNumber()
	if s.operation == createRevision {
		number = s.manifest.integer("revision")
	}
	if next := min(last, math.MaxInt64-1) + 1; number != next {
		return fmt.Sprintf("the number is %d, the next one is %d", number, next)
	}
	return ""
}

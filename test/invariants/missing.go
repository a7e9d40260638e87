package invariants

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/sim"
)

// BorneOut checks a block of a set at rest: the object that it names exists, and is held up by something that neither the planner nor a
// healthy cluster can mend. Any other wait is an error.
func BorneOut(state sim.State, behavior setplanv1.Behavior, setName string, block *setplanv1.Block) error {
	r := read(state, setName)
	if r == nil {
		return fmt.Errorf("the set does not exist, or has no spec")
	}
	name := block.GetSubject().GetName()
	pod, claim := state.Pod(name), state.Claim(name)
	holds := false
	switch block.GetCode() {
	case setplanv1.BlockCode_BLOCK_CODE_SET_DELETING:
		holds = r.set.DeletionTimestamp != nil && (!r.keptForDrain() || r.hasUndrained() || r.policyIsOdd())
	case setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY, setplanv1.BlockCode_BLOCK_CODE_UPDATE_WAITS_FOR_POD:
		holds = r.owns(pod) && (r.neverReady(pod) && (!r.isRepaired(pod, behavior) || r.keepsPods()) || r.staysEnded(pod) || r.claimsAil(pod))
	case setplanv1.BlockCode_BLOCK_CODE_SCALE_DOWN_WAITS_FOR_POD:
		holds = r.owns(pod) && (r.neverReady(pod) && !r.isRepaired(pod, behavior) || isHeldBack(pod) || r.claimsAil(pod))
	case setplanv1.BlockCode_BLOCK_CODE_POD_TERMINATING, setplanv1.BlockCode_BLOCK_CODE_POD_ENDED:
		holds = r.owns(pod) && isHeldBack(pod)
	case setplanv1.BlockCode_BLOCK_CODE_POD_NAME_TAKEN:
		holds = pod != nil && (!r.owns(pod) || !r.selects(pod))
	case setplanv1.BlockCode_BLOCK_CODE_IDENTITY_MISMATCH:
		holds = r.owns(pod) && slices.ContainsFunc(r.templateNames(), func(template string) bool {
			return !slices.Contains(sim.ClaimsOf(pod), template+"-"+name)
		})
	case setplanv1.BlockCode_BLOCK_CODE_CLAIM_TERMINATING:
		holds = claim != nil && claim.DeletionTimestamp != nil && r.isHeld(claim)
	case setplanv1.BlockCode_BLOCK_CODE_CLAIM_STALE:
		holds = claim != nil && (claim.DeletionTimestamp != nil && r.isHeld(claim) && len(claim.OwnerReferences) > 0 || r.isOfStranger(claim) ||
			(r.set.DeletionTimestamp != nil || r.paused() == law.PauseAll) && r.isOurs(claim))
	case setplanv1.BlockCode_BLOCK_CODE_CLAIM_FOREIGN_CONTROLLER:
		holds = claim != nil && r.isForeign(claim, false)
	case setplanv1.BlockCode_BLOCK_CODE_CLAIM_LOST:
		holds = r.lacks(name)
	case setplanv1.BlockCode_BLOCK_CODE_RECREATE_WAITS:
		holds = r.recreates() && name == r.set.Name || r.owns(pod) && (r.chosen(pod) || r.startsForFileSystem(pod)) && (r.someoneAils() || r.claimsAil(pod))
	case setplanv1.BlockCode_BLOCK_CODE_UPDATE_GATED:
		holds = r.owns(pod) && r.set.Annotations[annotationBefore]+r.set.Annotations[annotationAfter] != ""
	case setplanv1.BlockCode_BLOCK_CODE_DISRUPTION_BUDGET:
		holds = r.owns(pod) && r.respectsBudgets() && sim.IsReady(pod) && r.budgetIsSpent(pod)
	case setplanv1.BlockCode_BLOCK_CODE_UPDATE_NOT_IN_PLACE:
		holds = r.owns(pod) && r.keepsPods()
	case setplanv1.BlockCode_BLOCK_CODE_SCALE_UP_LIMITED:
		holds = r.scaleUpLimit() > 0 && !r.owns(pod) && r.someoneAils()
	case setplanv1.BlockCode_BLOCK_CODE_LEADER_UNCLEAR:
		holds = r.ranked() && r.leaderIsUnclear()
	case setplanv1.BlockCode_BLOCK_CODE_UPDATE_BUDGET, setplanv1.BlockCode_BLOCK_CODE_LEADER_WAITS:
		holds = r.someoneAils()
	case setplanv1.BlockCode_BLOCK_CODE_REPAIR_WAITS:
		holds = r.owns(pod) && !sim.IsReady(pod) && (r.someoneIsHeld() || r.set.Annotations[annotationBefore] != "" || r.claimsAil(pod))
	case setplanv1.BlockCode_BLOCK_CODE_INVALID_SPEC:
		holds = len(r.set.Status.UpdateRevision) > 63
	case setplanv1.BlockCode_BLOCK_CODE_INVALID_REVISION:
		holds = name == r.set.Status.CurrentRevision && !slices.Contains(r.revisions(), name)
	case setplanv1.BlockCode_BLOCK_CODE_INVALID_POLICY:
		holds = r.policyIsOdd() || r.ordinalsAreOdd() || r.paceIsOdd() || r.inPlaceIsOdd() || r.growthIsOdd()
	case setplanv1.BlockCode_BLOCK_CODE_CLAIM_CHANGES, setplanv1.BlockCode_BLOCK_CODE_CLAIM_CHANGE_FAILED, setplanv1.BlockCode_BLOCK_CODE_FILE_SYSTEM_RESIZE:
		holds = claim != nil && len(claim.Status.Conditions) > 0
	case setplanv1.BlockCode_BLOCK_CODE_CLAIM_CHANGE_WAITS:
		holds = claim != nil && (claim.Status.Phase != corev1.ClaimBound || r.isForeign(claim, true) || r.hasNeighbour() || claim.Spec.Resources.Requests == nil || r.volumeAils())
	case setplanv1.BlockCode_BLOCK_CODE_CLAIM_SHRINKS:
		holds = r.set.Annotations[claimTemplates] != "" || r.set.Annotations[claimPolicy] != ""
	case setplanv1.BlockCode_BLOCK_CODE_PAUSED:
		holds = r.paused() != law.PauseNothing
	case setplanv1.BlockCode_BLOCK_CODE_SCALE_IN_GUARDED:
		holds = r.guardKeepsOne()
	default:
		holds = r.drainWaits(block)
	}
	if !holds {
		return fmt.Errorf("%s %s is not borne out by the cluster: %s",
			strings.TrimPrefix(block.GetCode().String(), "BLOCK_CODE_"), name, block.GetMessage())
	}
	return nil
}

// isHeldBack: the pod is being deleted, and a finalizer keeps it.
func isHeldBack(pod *corev1.Pod) bool { return pod.DeletionTimestamp != nil && len(pod.Finalizers) > 0 }

func (r *reading) owns(pod *corev1.Pod) bool { return pod != nil && sim.ControlledBy(pod, r.set) }

// neverReady: no kubelet will make this pod ready.
func (r *reading) neverReady(pod *corev1.Pod) bool {
	if sim.IsReady(pod) || sim.HasEnded(pod) {
		return false
	}
	if sim.HasImage(pod, "bad") || sim.HasImage(pod, "crash") {
		return true
	}
	return pod.Status.Phase == corev1.PodPending && r.claimsAil(pod)
}

// lacks: there is no claim of the name, or no volume of it.
func (r *reading) lacks(name string) bool {
	claim := r.state.Claim(name)
	return claim == nil || claim.Status.Phase == corev1.ClaimLost
}

// claimsAil: a new pod would lack one of the pod's claims, or the claim goes with the pod.
func (r *reading) claimsAil(pod *corev1.Pod) bool {
	return slices.ContainsFunc(sim.ClaimsOf(pod), func(name string) bool {
		return r.lacks(name) || r.state.Claim(name).DeletionTimestamp != nil
	})
}

// isHeld: a pod on a node mounts the claim, or it has somebody's finalizer.
func (r *reading) isHeld(claim *corev1.PersistentVolumeClaim) bool {
	if slices.ContainsFunc(claim.Finalizers, func(f string) bool { return f != sim.FinalizerProtection }) {
		return true
	}
	return slices.ContainsFunc(r.state.Names(sim.KindPod), func(name string) bool {
		pod := r.state.Pod(name)
		return pod.Spec.NodeName != "" && slices.Contains(sim.ClaimsOf(pod), claim.Name)
	})
}

// isOfStranger: the claim belongs to a pod that is no longer the set's.
func (r *reading) isOfStranger(claim *corev1.PersistentVolumeClaim) bool {
	return slices.ContainsFunc(claim.OwnerReferences, func(ref metav1.OwnerReference) bool {
		pod := r.state.Pod(ref.Name)
		return ref.Kind == sim.KindPod && pod != nil && pod.UID == ref.UID && !r.owns(pod)
	})
}

// isOurs: the set, or a pod with one of its names, owns the claim.
func (r *reading) isOurs(claim *corev1.PersistentVolumeClaim) bool {
	return slices.ContainsFunc(claim.OwnerReferences, r.refersToUs)
}

func (r *reading) refersToUs(ref metav1.OwnerReference) bool {
	_, named := ordinalOf(ref.Name, r.set.Name)
	return named && ref.Kind == sim.KindPod || ref.UID == r.set.UID
}

// isForeign: something else owns the claim, or controls it.
func (r *reading) isForeign(claim *corev1.PersistentVolumeClaim, controls bool) bool {
	return slices.ContainsFunc(claim.OwnerReferences, func(ref metav1.OwnerReference) bool {
		return !r.refersToUs(ref) && (!controls || ref.Controller != nil && *ref.Controller)
	})
}

// isRepaired: the repair replaces such a pod, so nobody waits for it. One for whose repair nobody has agreed holds back those below it.
func (r *reading) isRepaired(pod *corev1.Pod, behavior setplanv1.Behavior) bool {
	ordinal, _ := ordinalOf(pod.Name, r.set.Name)
	if !r.needsRepair(pod, behavior) {
		return false
	}
	for other, higher := range r.pods {
		if other >= ordinal && r.needsRepair(higher, behavior) && r.set.Annotations[annotationBefore] != "" &&
			higher.Annotations[annotationBefore] != r.comesBackAt(other, behavior) {
			return false
		}
	}
	return true
}

func (r *reading) comesBackAt(ordinal int, behavior setplanv1.Behavior) string {
	return (&viewer{behavior: behavior}).show(r, time.Time{}).ComesBackAt(ordinal)
}

// needsRepair: the policy wants the pod replaced, and nothing but an answer may be lacking.
func (r *reading) needsRepair(pod *corev1.Pod, behavior setplanv1.Behavior) bool {
	ordinal, ok := ordinalOf(pod.Name, r.set.Name)
	back := r.comesBackAt(ordinal, behavior)
	switch {
	case r.paused() != law.PauseNothing:
		return false
	case !ok || !r.inRange(ordinal) || r.spec.UpdateStrategy.Type == "OnDelete" || r.someoneIsHeld():
		return false
	case back == "" || revisionAt(pod) == back || pod.DeletionTimestamp != nil:
		return false
	case back == r.set.Status.CurrentRevision && !slices.Contains(r.revisions(), back):
		return false // it could not be recreated
	case sim.IsReady(pod) || sim.HasEnded(pod):
		return false
	}
	ready, policy := sim.ReadyCondition(pod), r.repairPolicy(behavior)
	never := ready == nil && pod.Status.StartTime == nil || ready != nil && ready.LastTransitionTime.Equal(pod.Status.StartTime)
	return policy == "Unready" || policy == "NeverReady" && (never || underWay(pod) != "")
}

// someoneIsHeld: a pod of the range is being deleted, and a finalizer keeps it.
func (r *reading) someoneIsHeld() bool {
	for ordinal, pod := range r.pods {
		if r.inRange(ordinal) && isHeldBack(pod) {
			return true
		}
	}
	return false
}

func (r *reading) someoneAils() bool {
	for _, ordinal := range r.wanted() {
		if pod := r.pods[ordinal]; pod == nil || pod.DeletionTimestamp != nil || !sim.IsReady(pod) {
			return true
		}
	}
	return false
}

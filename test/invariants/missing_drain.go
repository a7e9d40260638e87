package invariants

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/sim"
)

// drainWaits reports whether a block about a drain is true for a set at rest. A failed drain pod is no such block: another one follows
// by itself.
func (r *reading) drainWaits(block *setplanv1.Block) bool {
	name := block.GetSubject().GetName()
	pod, claim := r.state.Pod(name), r.state.Claim(name)
	switch block.GetCode() {
	case setplanv1.BlockCode_BLOCK_CODE_DRAINING:
		return pod != nil && isDrainPodOf(pod, r.set) && r.neverEnds(pod)
	case setplanv1.BlockCode_BLOCK_CODE_DRAIN_WAITS:
		return r.waitsForOther(name)
	case setplanv1.BlockCode_BLOCK_CODE_DRAIN_CLAIM_MISSING:
		return r.isClaim(name) && (claim == nil || claim.DeletionTimestamp != nil && r.isHeld(claim) || r.isOfAnother(claim))
	case setplanv1.BlockCode_BLOCK_CODE_DRAIN_UNPROTECTED:
		return r.set.DeletionTimestamp != nil && !r.keptForDrain() && claim != nil && len(claim.OwnerReferences) > 0 // too late for its policy
	case setplanv1.BlockCode_BLOCK_CODE_DRAIN_ASKED:
		return r.owns(pod) && !sim.HasEnded(pod) && pod.Annotations[adapters.AnnotationDrainRequest] != "" && isAskedItself(pod) &&
			pod.Annotations[adapters.AnnotationDrainRequest] != pod.Annotations[adapters.AnnotationDrainAnswer]
	}
	return false
}

// isAskedItself reports whether a pod's question is its own: it ends in a hash of the uid.
func isAskedItself(pod *corev1.Pod) bool {
	h := fnv.New64a()
	h.Write([]byte(pod.UID))
	return strings.HasSuffix(pod.Annotations[adapters.AnnotationDrainRequest], "-"+strconv.FormatUint(h.Sum64(), 36))
}

// neverEnds: the drain pod keeps running, cannot start, or is held by a finalizer, until somebody acts.
func (r *reading) neverEnds(pod *corev1.Pod) bool {
	if pod.DeletionTimestamp != nil {
		return isHeldBack(pod)
	}
	return !sim.HasEnded(pod) && (!sim.HasImage(pod, "completes") && !sim.HasImage(pod, "fails") || r.neverReady(pod))
}

// waitsForOther: another leaving ordinal is not drained yet; under OrderedReady a higher one.
func (r *reading) waitsForOther(pod string) bool {
	ordinal, ok := ordinalOf(pod, r.set.Name)
	return ok && (r.takesLeftovers() || slices.ContainsFunc(r.withData(), func(other int) bool {
		return (r.emptied() || !r.inRange(other)) && (other > ordinal || r.parallel() && other != ordinal)
	}))
}

func (r *reading) isOfAnother(claim *corev1.PersistentVolumeClaim) bool {
	mark := claim.Annotations[adapters.AnnotationDrainSet]
	return mark != "" && !strings.HasPrefix(mark, r.set.Name+"/")
}

// hasUndrained: a set that is drained for its deletion has something left.
func (r *reading) hasUndrained() bool { return r.takesLeftovers() || len(r.withData()) > 0 }

// setAnnotations are our annotations that a set may have.
var setAnnotations = []string{adapters.AnnotationRepair, adapters.AnnotationDrainTemplate, adapters.AnnotationDrainScaleUp,
	adapters.AnnotationDrainMaxParallel, adapters.AnnotationDrainLeftovers, adapters.AnnotationDrainOnDelete, adapters.AnnotationDrainAsk,
	adapters.AnnotationDrainProof, "setplan.io/taken-over-at", claimTemplates, claimPolicy, "setplan.io/claim-update-limit", "setplan.io/claim-update-cooldown"}

// policyIsOdd: an annotation of a policy is unknown or has an invalid value, or a drain or the retention policy would touch another
// set's claims.
func (r *reading) policyIsOdd() bool {
	deletes := r.spec.Retention != nil && (r.spec.Retention.WhenScaled == "Delete" || r.spec.Retention.WhenDeleted == "Delete")
	if (r.drains() || deletes) && r.hasNeighbour() {
		return true
	}
	for annotation := range r.set.Annotations {
		if strings.HasPrefix(annotation, "setplan.io/") && !slices.Contains(setAnnotations, annotation) {
			return true
		}
	}
	for annotation, known := range map[string][]string{
		adapters.AnnotationRepair:       {"", "Never", "NeverReady", "Unready"},
		adapters.AnnotationDrainScaleUp: {"", "Finish", "Cancel"},
		adapters.AnnotationDrainProof:   {"", "Token"},
	} {
		if !slices.Contains(known, r.set.Annotations[annotation]) {
			return true
		}
	}
	return false
}

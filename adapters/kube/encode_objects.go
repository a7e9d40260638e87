package kube

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The identity labels of a pod, which have fields of their own in the contract.
const (
	labelPodName  = appsv1.StatefulSetPodNameLabel
	labelPodIndex = appsv1.PodIndexLabel
	labelRevision = appsv1.ControllerRevisionHashLabelKey
)

// encodePod writes a pod flat, without the indexes of what it shares with others.
func encodePod(pod *corev1.Pod) (*setplanv1.Pod, shared) {
	out := &setplanv1.Pod{
		Name:            pod.Name,
		Uid:             string(pod.UID),
		ResourceVersion: pod.ResourceVersion,
		Phase:           podPhase(pod.Status.Phase),
		DeletionUnixMs:  millisOf(pod.DeletionTimestamp),
		CreatedUnixMs:   millis(pod.CreationTimestamp),
	}
	for i := range pod.Status.Conditions {
		if condition := &pod.Status.Conditions[i]; condition.Type == corev1.PodReady {
			out.Ready = condition.Status == corev1.ConditionTrue
			out.ReadyChangedUnixMs = millis(condition.LastTransitionTime)
		}
	}
	if !out.Ready {
		out.StartedUnixMs = millisOf(pod.Status.StartTime)
	}
	out.Disrupted, out.TerminationMessages = disrupted(pod), terminationMessages(pod)
	common := shared{owners: ownersText(pod.OwnerReferences), annotations: annotationsText(pod.Annotations)}
	encodeLabels(pod, out, &common)
	encodeVolumes(pod, out, &common)
	return out, common
}

// encodeLabels takes the identity labels out of the label set, but only where their fields say the same.
func encodeLabels(pod *corev1.Pod, out *setplanv1.Pod, common *shared) {
	_, digits, hasOrdinal := splitOrdinal(pod.Name)
	rest := make(map[string]string, len(pod.Labels))
	for name, value := range pod.Labels {
		switch {
		case name == labelPodName && value == pod.Name:
			out.PodNameLabel = true
		case name == labelPodIndex && hasOrdinal && value == digits:
			out.PodIndexLabel = true
		case name == labelRevision:
			common.revision = revisionText(value)
		default:
			rest[name] = value
		}
	}
	common.labels = labelsText(rest)
}

// encodeVolumes splits the bound volumes into those with the name that the set would choose and the others.
func encodeVolumes(pod *corev1.Pod, out *setplanv1.Pod, common *shared) {
	var own []string
	for i := range pod.Spec.Volumes {
		volume := &pod.Spec.Volumes[i]
		switch {
		case volume.PersistentVolumeClaim == nil:
		case volume.PersistentVolumeClaim.ClaimName == volume.Name+"-"+pod.Name:
			own = append(own, volume.Name)
		default:
			out.OtherClaims = append(out.OtherClaims, &setplanv1.ClaimBinding{
				Volume: volume.Name,
				Claim:  volume.PersistentVolumeClaim.ClaimName,
			})
		}
	}
	common.volumes = volumesText(own)
}

// encodeClaim does the same for a claim.
func encodeClaim(claim *corev1.PersistentVolumeClaim) (*setplanv1.Claim, shared) {
	out := &setplanv1.Claim{
		Name:            claim.Name,
		Uid:             string(claim.UID),
		ResourceVersion: claim.ResourceVersion,
		DeletionUnixMs:  millisOf(claim.DeletionTimestamp),
		Phase:           claimPhase(claim.Status.Phase),
	}
	return out, shared{owners: ownersText(claim.OwnerReferences), annotations: annotationsText(claim.Annotations)}
}

func encodeRevision(t *tables, revision *appsv1.ControllerRevision) *setplanv1.Revision {
	return &setplanv1.Revision{
		Name:            revision.Name,
		Uid:             string(revision.UID),
		ResourceVersion: revision.ResourceVersion,
		Number:          revision.Revision,
		OwnerSetIndex:   t.ownerSet(ownersText(revision.OwnerReferences)),
		Labels:          revision.Labels,
		CreatedUnixMs:   millis(revision.CreationTimestamp),
		Data:            revision.Data.Raw,
	}
}

func podPhase(phase corev1.PodPhase) setplanv1.PodPhase {
	switch phase {
	case corev1.PodPending:
		return setplanv1.PodPhase_POD_PHASE_PENDING
	case corev1.PodRunning:
		return setplanv1.PodPhase_POD_PHASE_RUNNING
	case corev1.PodSucceeded:
		return setplanv1.PodPhase_POD_PHASE_SUCCEEDED
	case corev1.PodFailed:
		return setplanv1.PodPhase_POD_PHASE_FAILED
	case corev1.PodUnknown:
		return setplanv1.PodPhase_POD_PHASE_UNKNOWN
	default:
		return setplanv1.PodPhase_POD_PHASE_UNSPECIFIED
	}
}

func claimPhase(phase corev1.PersistentVolumeClaimPhase) setplanv1.ClaimPhase {
	switch phase {
	case corev1.ClaimPending:
		return setplanv1.ClaimPhase_CLAIM_PHASE_PENDING
	case corev1.ClaimBound:
		return setplanv1.ClaimPhase_CLAIM_PHASE_BOUND
	case corev1.ClaimLost:
		return setplanv1.ClaimPhase_CLAIM_PHASE_LOST
	default:
		return setplanv1.ClaimPhase_CLAIM_PHASE_UNSPECIFIED
	}
}

// millis is a time as the contract has it; the zero time is 0.
func millis(at metav1.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

func millisOf(at *metav1.Time) int64 {
	if at == nil {
		return 0
	}
	return millis(*at)
}

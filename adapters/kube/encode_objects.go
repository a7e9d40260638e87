package kube

import (
	"maps"

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

// encodePods writes pods flat; what they share goes into the tables. One allocation holds them all.
func encodePods(t *tables, pods []*corev1.Pod) []*setplanv1.Pod {
	values, out := make([]setplanv1.Pod, len(pods)), make([]*setplanv1.Pod, len(pods))
	var own []string
	for i, pod := range pods {
		out[i] = &values[i]
		own = encodePod(t, pod, out[i], own[:0])
	}
	return out
}

// encodePod uses own for the names of volumes and gives it back.
func encodePod(t *tables, pod *corev1.Pod, out *setplanv1.Pod, own []string) []string {
	out.Name = pod.Name
	out.Uid = string(pod.UID)
	out.ResourceVersion = pod.ResourceVersion
	out.Phase = podPhase(pod.Status.Phase)
	out.DeletionUnixMs = millisOf(pod.DeletionTimestamp)
	out.CreatedUnixMs = millis(pod.CreationTimestamp)
	out.OwnerSet = t.ownerSet(pod.OwnerReferences)
	for i := range pod.Status.Conditions {
		if condition := &pod.Status.Conditions[i]; condition.Type == corev1.PodReady {
			out.Ready = condition.Status == corev1.ConditionTrue
			out.ReadyChangedUnixMs = millis(condition.LastTransitionTime)
		}
	}
	encodeLabels(t, pod, out)
	return encodeVolumes(t, pod, out, own)
}

// encodeLabels takes the identity labels out of the label set, but only where their fields say the same.
func encodeLabels(t *tables, pod *corev1.Pod, out *setplanv1.Pod) {
	_, digits, hasOrdinal := splitOrdinal(pod.Name)
	others, same := 0, 0 // labels beside those, and how many of them the pod before had too
	for name, value := range pod.Labels {
		switch {
		case name == labelPodName && value == pod.Name:
			out.PodNameLabel = true
		case name == labelPodIndex && hasOrdinal && value == digits:
			out.PodIndexLabel = true
		case name == labelRevision:
			out.Revision = t.revision(value)
		default:
			others++
			if before, ok := t.lastLabels.value[name]; ok && before == value {
				same++
			}
		}
	}
	if others == same && others == len(t.lastLabels.value) {
		out.LabelSet = t.lastLabels.index
		return
	}
	rest := maps.Clone(pod.Labels)
	delete(rest, labelRevision)
	if out.PodNameLabel {
		delete(rest, labelPodName)
	}
	if out.PodIndexLabel {
		delete(rest, labelPodIndex)
	}
	out.LabelSet = t.labelSet(rest)
}

// encodeVolumes splits the bound volumes into those with the name that the set would choose and the others.
func encodeVolumes(t *tables, pod *corev1.Pod, out *setplanv1.Pod, own []string) []string {
	for i := range pod.Spec.Volumes {
		volume := &pod.Spec.Volumes[i]
		switch {
		case volume.PersistentVolumeClaim == nil:
		case isOwnClaim(volume.PersistentVolumeClaim.ClaimName, volume.Name, pod.Name):
			own = append(own, volume.Name)
		default:
			out.OtherClaims = append(out.OtherClaims, &setplanv1.ClaimBinding{
				Volume: volume.Name,
				Claim:  volume.PersistentVolumeClaim.ClaimName,
			})
		}
	}
	out.VolumeSet = t.volumeSet(own)
	return own
}

// isOwnClaim reports whether a claim is named "<volume>-<pod>".
func isOwnClaim(claim, volume, pod string) bool {
	return len(claim) == len(volume)+1+len(pod) &&
		claim[:len(volume)] == volume && claim[len(volume)] == '-' && claim[len(volume)+1:] == pod
}

// encodeClaims is encodePods for claims.
func encodeClaims(t *tables, claims []*corev1.PersistentVolumeClaim) []*setplanv1.Claim {
	values, out := make([]setplanv1.Claim, len(claims)), make([]*setplanv1.Claim, len(claims))
	for i, claim := range claims {
		c := &values[i]
		c.Name = claim.Name
		c.Uid = string(claim.UID)
		c.ResourceVersion = claim.ResourceVersion
		c.OwnerSet = t.ownerSet(claim.OwnerReferences)
		c.DeletionUnixMs = millisOf(claim.DeletionTimestamp)
		c.Phase = claimPhase(claim.Status.Phase)
		out[i] = c
	}
	return out
}

func encodeRevision(t *tables, revision *appsv1.ControllerRevision) *setplanv1.Revision {
	return &setplanv1.Revision{
		Name:            revision.Name,
		Uid:             string(revision.UID),
		ResourceVersion: revision.ResourceVersion,
		Number:          revision.Revision,
		OwnerSet:        t.ownerSet(revision.OwnerReferences),
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

package snapshot

import (
	"slices"
	"unique"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The identity labels of a pod, which have their own fields in the contract.
const (
	labelPodName  = appsv1.StatefulSetPodNameLabel
	labelPodIndex = appsv1.PodIndexLabel
	labelRevision = appsv1.ControllerRevisionHashLabelKey
)

// Pod returns a pod in the contract's form, without the indexes of what it shares with others: see Tables.Pod.
func Pod(pod *corev1.Pod) (*setplanv1.Pod, Shared) {
	out := &setplanv1.Pod{
		Name:                pod.Name,
		Uid:                 string(pod.UID),
		ResourceVersion:     pod.ResourceVersion,
		Phase:               podPhase(pod.Status.Phase),
		DeletionUnixMs:      millis(pod.DeletionTimestamp),
		CreatedUnixMs:       millis(&pod.CreationTimestamp),
		Disrupted:           disrupted(pod),
		TerminationMessages: terminationMessages(pod),
		Containers:          podContainers(pod),
	}
	if pod.DeletionTimestamp != nil {
		out.DeletionGraceSeconds = pod.DeletionGracePeriodSeconds
	}
	for i := range pod.Status.Conditions {
		if condition := &pod.Status.Conditions[i]; condition.Type == corev1.PodReady {
			out.Ready = condition.Status == corev1.ConditionTrue
			out.ReadyChangedUnixMs = millis(&condition.LastTransitionTime)
		}
	}
	if !out.Ready {
		out.StartedUnixMs = millis(pod.Status.StartTime)
		out.NodeLost = nodeLost(pod)
	}
	for _, gate := range pod.Spec.SchedulingGates[:min(len(pod.Spec.SchedulingGates), maxGates)] {
		out.SchedulingGates = append(out.SchedulingGates, gate.Name)
	}
	common := shared{owners: ownersText(pod.OwnerReferences), annotations: annotationsText(pod.Annotations)}
	common.base, _, _ = splitDigits(pod.Name)
	encodeLabels(pod, out, &common)
	encodeVolumes(pod, out, &common)
	return out, Shared{unique.Make(common)}
}

// maxGates is how many scheduling gates of a pod are sent.
const maxGates = 16

// nodeLost reports whether it is not the kubelet that says that a pod is not ready. A kubelet gives a reason, also where a readiness gate is not True;
// the node controller gives none.
func nodeLost(pod *corev1.Pod) bool {
	is := make(map[corev1.PodConditionType]corev1.PodCondition, len(pod.Status.Conditions))
	for _, condition := range pod.Status.Conditions {
		is[condition.Type] = condition
	}
	ready := is[corev1.PodReady]
	open := !slices.ContainsFunc(pod.Spec.ReadinessGates, func(gate corev1.PodReadinessGate) bool {
		return is[gate.ConditionType].Status != corev1.ConditionTrue
	})
	return ready.Status == corev1.ConditionFalse && is[corev1.ContainersReady].Status == corev1.ConditionTrue && (open || ready.Reason == "")
}

// encodeLabels takes an identity label out of the label set if its field says the same.
func encodeLabels(pod *corev1.Pod, out *setplanv1.Pod, common *shared) {
	_, digits, hasOrdinal := splitDigits(pod.Name)
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

// encodeVolumes splits the bound volumes into those with the claim name that the set would choose, and the others.
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

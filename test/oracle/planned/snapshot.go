// Package planned asks the engine for a plan for a world and carries it out as the contract tells adapters to, against an API
// that records.
package planned

import (
	"encoding/json"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/oracle/world"
)

// Snapshot is the world as an adapter sends it. Upstream's nil becomes the contract's default.
func Snapshot(w *world.World, rules model.Rules) *model.Snapshot {
	out := &model.Snapshot{
		ObservedAt:   w.Now,
		Coverage:     model.Coverage{Pods: true, Claims: true, Revisions: true},
		Set:          setOf(w.Set),
		Rules:        rules,
		Capabilities: model.AllCapabilities,
	}
	for _, pod := range w.Pods {
		out.Pods = append(out.Pods, podOf(pod))
	}
	for _, claim := range w.Claims {
		out.Claims = append(out.Claims, model.Claim{Name: claim.Name, UID: string(claim.UID), ResourceVersion: claim.ResourceVersion,
			Owners: ownersOf(claim.OwnerReferences), DeletedAt: timeOf(claim.DeletionTimestamp), Phase: claimPhases[claim.Status.Phase]})
	}
	for _, revision := range w.Revisions {
		out.Revisions = append(out.Revisions, model.Revision{Name: revision.Name, UID: string(revision.UID),
			ResourceVersion: revision.ResourceVersion, Number: revision.Revision, Owners: ownersOf(revision.OwnerReferences),
			Labels: revision.Labels, CreatedAt: revision.CreationTimestamp.Time, Data: revision.Data.Raw})
	}
	return out
}

func setOf(set *appsv1.StatefulSet) model.Set {
	spec, status := &set.Spec, &set.Status
	out := model.Set{
		Object: model.Object{APIVersion: "apps/v1", Kind: "StatefulSet", Namespace: set.Namespace, Name: set.Name, UID: string(set.UID),
			Generation: set.Generation, ResourceVersion: set.ResourceVersion, DeletedAt: timeOf(set.DeletionTimestamp), Finalizers: set.Finalizers,
			Annotations: set.Annotations}, Spec: model.Spec{Replicas: *spec.Replicas, ServiceName: spec.ServiceName,
			PodManagementPolicy: string(spec.PodManagementPolicy), StrategyType: string(spec.UpdateStrategy.Type),
			MinReadySeconds: spec.MinReadySeconds, RevisionHistoryLimit: *spec.RevisionHistoryLimit},
		PodTemplate: encode(spec.Template),
		Status: model.Status{ObservedGeneration: status.ObservedGeneration, Replicas: status.Replicas,
			ReadyReplicas: status.ReadyReplicas, AvailableReplicas: status.AvailableReplicas,
			CurrentReplicas: status.CurrentReplicas, UpdatedReplicas: status.UpdatedReplicas,
			CurrentRevision: status.CurrentRevision, UpdateRevision: status.UpdateRevision, CollisionCount: status.CollisionCount},
	}
	for _, c := range status.Conditions {
		out.Status.Conditions = append(out.Status.Conditions, model.Condition{Type: string(c.Type), Status: string(c.Status), Reason: c.Reason, Message: c.Message,
			ChangedAt: c.LastTransitionTime.Time})
	}
	if spec.Ordinals != nil {
		out.OrdinalsStart = spec.Ordinals.Start
	}
	out.Selector.MatchLabels = spec.Selector.MatchLabels
	for _, e := range spec.Selector.MatchExpressions {
		out.Selector.Expressions = append(out.Selector.Expressions,
			model.Requirement{Key: e.Key, Operator: string(e.Operator), Values: e.Values})
	}
	if rolling := spec.UpdateStrategy.RollingUpdate; rolling != nil {
		out.RollingUpdate = &model.RollingUpdate{MaxUnavailable: intOrPercent(rolling.MaxUnavailable)}
		if rolling.Partition != nil {
			out.RollingUpdate.Partition = *rolling.Partition
		}
	}
	if policy := spec.PersistentVolumeClaimRetentionPolicy; policy != nil {
		out.WhenDeleted, out.WhenScaled = string(policy.WhenDeleted), string(policy.WhenScaled)
	}
	for i := range spec.VolumeClaimTemplates {
		out.ClaimTemplates = append(out.ClaimTemplates, encode(spec.VolumeClaimTemplates[i]))
	}
	return out
}

func intOrPercent(value *intstr.IntOrString) *model.IntOrPercent {
	switch {
	case value == nil:
		return nil
	case value.Type == intstr.Int:
		return &model.IntOrPercent{Count: value.IntVal}
	default:
		return &model.IntOrPercent{Percent: value.StrVal}
	}
}

var podPhases = map[corev1.PodPhase]model.PodPhase{corev1.PodPending: model.PodPending, corev1.PodRunning: model.PodRunning,
	corev1.PodSucceeded: model.PodSucceeded, corev1.PodFailed: model.PodFailed, corev1.PodUnknown: model.PodUnknown}

var claimPhases = map[corev1.PersistentVolumeClaimPhase]model.ClaimPhase{corev1.ClaimPending: model.ClaimPending,
	corev1.ClaimBound: model.ClaimBound, corev1.ClaimLost: model.ClaimLost}

func podOf(pod *corev1.Pod) model.Pod {
	out := model.Pod{
		Name: pod.Name, UID: string(pod.UID), ResourceVersion: pod.ResourceVersion, PodStatus: model.PodStatus{Phase: podPhases[pod.Status.Phase],
			StartedAt: timeOf(pod.Status.StartTime)}, DeletedAt: timeOf(pod.DeletionTimestamp), CreatedAt: pod.CreationTimestamp.Time, Owners: ownersOf(pod.OwnerReferences),
	}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady {
			out.Ready = condition.Status == corev1.ConditionTrue
			out.ReadyChangedAt = condition.LastTransitionTime.Time
		}
	}
	rest := map[string]string{}
	digits := pod.Name[len(strings.TrimRight(pod.Name, "0123456789")):]
	for key, value := range pod.Labels {
		switch {
		case key == appsv1.StatefulSetPodNameLabel && value == pod.Name:
			out.PodNameLabel = true
		case key == appsv1.PodIndexLabel && value == digits && strings.HasSuffix(pod.Name, "-"+digits):
			out.PodIndexLabel = true
		case key == appsv1.ControllerRevisionHashLabelKey:
			out.Revision = value
		default:
			rest[key] = value
		}
	}
	out.Labels = &model.Labels{Values: rest}
	for _, volume := range pod.Spec.Volumes {
		switch claim := volume.PersistentVolumeClaim; {
		case claim == nil:
		case claim.ClaimName == volume.Name+"-"+pod.Name:
			out.Volumes = append(out.Volumes, volume.Name)
		default:
			out.OtherClaims = append(out.OtherClaims, model.ClaimBinding{Volume: volume.Name, Claim: claim.ClaimName})
		}
	}
	return out
}

func ownersOf(refs []metav1.OwnerReference) []model.Owner {
	var out []model.Owner
	for _, ref := range refs {
		out = append(out, model.Owner{APIVersion: ref.APIVersion, Kind: ref.Kind, Name: ref.Name, UID: string(ref.UID),
			Controller:         ref.Controller != nil && *ref.Controller,
			BlockOwnerDeletion: ref.BlockOwnerDeletion != nil && *ref.BlockOwnerDeletion})
	}
	return out
}

func encode(object any) []byte {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err) // API types always encode
	}
	return text
}

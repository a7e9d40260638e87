package planned

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/engine/model"
)

func refOf(owner model.Owner) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: owner.APIVersion, Kind: owner.Kind, Name: owner.Name, UID: types.UID(owner.UID),
		Controller: &owner.Controller, BlockOwnerDeletion: &owner.BlockOwnerDeletion}
}

func refsOf(owners []model.Owner) []metav1.OwnerReference {
	var out []metav1.OwnerReference
	for _, owner := range owners {
		out = append(out, refOf(owner))
	}
	return out
}

// withOwner does what a patch that adds an owner does: references are identified by uid.
func withOwner(refs []metav1.OwnerReference, owner model.Owner) []metav1.OwnerReference {
	for i := range refs {
		if refs[i].UID == types.UID(owner.UID) {
			refs[i] = refOf(owner)
			return refs
		}
	}
	return append(refs, refOf(owner))
}

func withoutOwner(refs []metav1.OwnerReference, uid string) []metav1.OwnerReference {
	var out []metav1.OwnerReference
	for _, ref := range refs {
		if ref.UID != types.UID(uid) {
			out = append(out, ref)
		}
	}
	return out
}

func statusOf(status *model.Status) *appsv1.StatefulSetStatus {
	out := &appsv1.StatefulSetStatus{ObservedGeneration: status.ObservedGeneration, Replicas: status.Replicas,
		ReadyReplicas: status.ReadyReplicas, AvailableReplicas: status.AvailableReplicas,
		CurrentReplicas: status.CurrentReplicas, UpdatedReplicas: status.UpdatedReplicas,
		CurrentRevision: status.CurrentRevision, UpdateRevision: status.UpdateRevision, CollisionCount: status.CollisionCount}
	for _, c := range status.Conditions {
		out.Conditions = append(out.Conditions, appsv1.StatefulSetCondition{Type: appsv1.StatefulSetConditionType(c.Type),
			Status: corev1.ConditionStatus(c.Status), Reason: c.Reason, Message: c.Message, LastTransitionTime: metav1.NewTime(c.ChangedAt)})
	}
	return out
}

package sim

import (
	"bytes"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// What the operations change of an object.

func patchPod(pod *corev1.Pod, patch *setplanv1.PatchPod) {
	for key, value := range patch.GetLabels() {
		if pod.Labels == nil {
			pod.Labels = map[string]string{}
		}
		pod.Labels[key] = value
	}
	for _, binding := range patch.GetClaims() {
		volume := corev1.Volume{Name: binding.GetVolume(), VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: binding.GetClaim()}}}
		i := slices.IndexFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == volume.Name })
		if i < 0 {
			pod.Spec.Volumes = append(pod.Spec.Volumes, volume)
		} else {
			pod.Spec.Volumes[i] = volume
		}
	}
}

// updatePod changes labels, annotations and images in one write.
func updatePod(pod *corev1.Pod, update *setplanv1.UpdatePod) {
	pod.Labels = merged(pod.Labels, update.GetLabels(), update.GetRemoveLabels())
	pod.Annotations = merged(pod.Annotations, update.GetAnnotations(), update.GetRemoveAnnotations())
	pod.Spec.Containers = withImages(pod.Spec.Containers, update.GetContainers())
	pod.Spec.InitContainers = withImages(pod.Spec.InitContainers, update.GetInitContainers())
}

// withImages sets images of containers. As in a strategic merge patch, one that is not there is added, which the API server refuses.
func withImages(containers []corev1.Container, images []*setplanv1.ContainerImage) []corev1.Container {
	for _, image := range images {
		i := slices.IndexFunc(containers, func(c corev1.Container) bool { return c.Name == image.GetName() })
		if i < 0 {
			containers = append(containers, corev1.Container{Name: image.GetName(), Image: image.GetImage()})
			continue
		}
		containers[i].Image = image.GetImage()
	}
	return containers
}

func patchAnnotations(object Object, patch *setplanv1.PatchAnnotations) {
	object.SetAnnotations(merged(object.GetAnnotations(), patch.GetSet(), patch.GetRemove()))
}

// merged is a copy of labels or annotations in which some are set and others removed.
func merged(values, set map[string]string, remove []string) map[string]string {
	out := maps.Clone(values)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, set)
	for _, key := range remove {
		delete(out, key)
	}
	return out
}

func setFinalizer(object Object, finalizer string, present bool) {
	finalizers := slices.DeleteFunc(slices.Clone(object.GetFinalizers()), func(f string) bool { return f == finalizer })
	if present {
		finalizers = append(finalizers, finalizer)
	}
	object.SetFinalizers(finalizers)
}

// adopt adds an owner. One that is there already is replaced, so that doing it twice is doing it once.
func adopt(object Object, owner *setplanv1.OwnerReference) {
	refs := slices.DeleteFunc(object.GetOwnerReferences(), func(ref metav1.OwnerReference) bool {
		return ref.UID == types.UID(owner.GetUid())
	})
	object.SetOwnerReferences(append(refs, ownerReferences([]*setplanv1.OwnerReference{owner})...))
}

func renumber(object Object, number int64) {
	object.(*appsv1.ControllerRevision).Revision = number
}

// setStatus writes the fields that are set, zeros included, and leaves the others.
func setStatus(object Object, wanted *setplanv1.StatefulSetStatus) {
	if wanted == nil {
		return
	}
	status := &object.(*Set).Status
	write(&status.ObservedGeneration, wanted.ObservedGeneration)
	write(&status.Replicas, wanted.Replicas)
	write(&status.ReadyReplicas, wanted.ReadyReplicas)
	write(&status.AvailableReplicas, wanted.AvailableReplicas)
	write(&status.CurrentReplicas, wanted.CurrentReplicas)
	write(&status.UpdatedReplicas, wanted.UpdatedReplicas)
	write(&status.CurrentRevision, wanted.CurrentRevision)
	write(&status.UpdateRevision, wanted.UpdateRevision)
	if wanted.CollisionCount != nil {
		status.CollisionCount = wanted.CollisionCount
	}
	for _, condition := range wanted.GetConditions() {
		stored := appsv1.StatefulSetCondition{
			Type:    appsv1.StatefulSetConditionType(condition.GetType()),
			Status:  corev1.ConditionStatus(condition.GetStatus()),
			Reason:  condition.GetReason(),
			Message: condition.GetMessage(),
		}
		if at := condition.GetLastTransitionTime(); at != nil {
			stored.LastTransitionTime = metav1.NewTime(at.AsTime())
		}
		setCondition(status, stored)
	}
}

// WithStatus is a set once the status of a plan is written; the set itself if the plan writes none.
func WithStatus(set *Set, plan *setplanv1.Plan) *Set {
	for _, stage := range plan.GetStages() {
		for _, step := range stage.GetSteps() {
			for _, action := range step.GetActions() {
				if wanted := action.GetUpdateStatus().GetStatus(); wanted != nil {
					set = clone(set).(*Set)
					setStatus(set, wanted)
				}
			}
		}
	}
	return set
}

// write stores a value that is set.
func write[T any](stored, wanted *T) {
	if wanted != nil {
		*stored = *wanted
	}
}

// setCondition replaces the condition of that type, or adds it.
func setCondition(status *appsv1.StatefulSetStatus, condition appsv1.StatefulSetCondition) {
	for i := range status.Conditions {
		if status.Conditions[i].Type == condition.Type {
			status.Conditions[i] = condition
			return
		}
	}
	status.Conditions = append(status.Conditions, condition)
}

func ownerReferences(owners []*setplanv1.OwnerReference) []metav1.OwnerReference {
	var refs []metav1.OwnerReference
	for _, owner := range owners {
		ref := metav1.OwnerReference{APIVersion: owner.GetApiVersion(), Kind: owner.GetKind(), Name: owner.GetName(),
			UID: types.UID(owner.GetUid())}
		if owner.GetController() {
			ref.Controller = &owner.Controller
		}
		if owner.GetBlockOwnerDeletion() {
			ref.BlockOwnerDeletion = &owner.BlockOwnerDeletion
		}
		refs = append(refs, ref)
	}
	return refs
}

func sameData(a, b Object) bool {
	return bytes.Equal(a.(*appsv1.ControllerRevision).Data.Raw, b.(*appsv1.ControllerRevision).Data.Raw)
}

package kube

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// object is JSON on its way into a patch.
type object = map[string]any

// patch changes exactly the object that the planner saw. If it is gone, that is a conflict.
func (e *Executor) patch(ctx context.Context, in resource, action *setplanv1.Action, kind types.PatchType, body object) adapters.Result {
	return e.patchPart(ctx, in, action, "", kind, body)
}

// patchPart is patch for a subresource. That the API server does not have it is no conflict.
func (e *Executor) patchPart(ctx context.Context, in resource, action *setplanv1.Action, subresource string, kind types.PatchType, body object) adapters.Result {
	if action.GetPrecondition().GetUid() == "" {
		return refuse(errNoUID)
	}
	changed, err := e.api.patch(ctx, in, action.GetTarget().GetName(), subresource, kind, body)
	if apierrors.IsNotFound(err) && !noSuchPath(err) {
		return conflict(err)
	}
	if err != nil {
		return failed(err)
	}
	return written(in, changed)
}

// release removes an owner. If the pod is gone, was replaced, or has no such owner, there is nothing to do.
func (e *Executor) release(ctx context.Context, in resource, action *setplanv1.Action, release *setplanv1.ReleasePod) adapters.Result {
	metadata := identity(action)
	metadata["ownerReferences"] = []object{{"$patch": "delete", "uid": release.GetOwnerUid()}}
	result := e.patch(ctx, in, action, types.StrategicMergePatchType, object{"metadata": metadata})
	if apierrors.IsNotFound(result.Err) || apierrors.IsInvalid(result.Err) {
		return adapters.Result{}
	}
	return result
}

// identity is the metadata by which the API server checks the precondition: it refuses another uid as the change of an immutable
// field, and another resource version as a conflict.
func identity(action *setplanv1.Action) object {
	metadata := object{"uid": action.GetPrecondition().GetUid()}
	if version := action.GetPrecondition().GetResourceVersion(); version != "" {
		metadata["resourceVersion"] = version
	}
	return metadata
}

func podPatch(action *setplanv1.Action, patch *setplanv1.PatchPod) object {
	metadata := identity(action)
	if len(patch.GetLabels()) > 0 {
		metadata["labels"] = patch.GetLabels()
	}
	body := object{"metadata": metadata}
	var volumes []object
	for _, binding := range patch.GetClaims() {
		volumes = append(volumes, object{
			"name":                  binding.GetVolume(),
			"persistentVolumeClaim": object{"claimName": binding.GetClaim()},
		})
	}
	if len(volumes) > 0 {
		body["spec"] = object{"volumes": volumes}
	}
	return body
}

// updatePatch sets labels, annotations and images, and removes labels and annotations, in one write. All others stay as they are. Only a
// strategic merge patch finds containers by their names; a null in a map removes a key in both.
func updatePatch(action *setplanv1.Action, update *setplanv1.UpdatePod) (types.PatchType, object) {
	metadata, spec := identity(action), object{}
	metadata["labels"] = merging(update.GetLabels(), update.GetRemoveLabels())
	metadata["annotations"] = merging(update.GetAnnotations(), update.GetRemoveAnnotations())
	putImages(spec, "containers", update.GetContainers())
	putImages(spec, "initContainers", update.GetInitContainers())
	if len(spec) == 0 {
		return types.MergePatchType, object{"metadata": metadata}
	}
	return types.StrategicMergePatchType, object{"metadata": metadata, "spec": spec}
}

// putImages sets the images of a list of containers. Their order is part of the patch: a pod whose containers change places is invalid.
func putImages(spec object, list string, images []*setplanv1.ContainerImage) {
	var names, containers []object
	for _, c := range images {
		names = append(names, object{"name": c.GetName()})
		containers = append(containers, object{"name": c.GetName(), "image": c.GetImage()})
	}
	if len(containers) > 0 {
		spec["$setElementOrder/"+list], spec[list] = names, containers
	}
}

// merging is the part of a merge patch that sets and removes members of an object.
func merging(set map[string]string, remove []string) object {
	members := object{}
	for key, value := range set {
		members[key] = value
	}
	for _, key := range remove {
		members[key] = nil
	}
	return members
}

// adoptPatch adds an owner and keeps the others: a strategic merge patch tells owners apart by uid.
func adoptPatch(action *setplanv1.Action, owner *setplanv1.OwnerReference) object {
	metadata := identity(action)
	metadata["ownerReferences"] = []metav1.OwnerReference{decodeOwner(owner)}
	return object{"metadata": metadata}
}

// ownersPatch replaces the list, as merge patches do.
func ownersPatch(action *setplanv1.Action, set *setplanv1.SetClaimOwners) object {
	owners := make([]metav1.OwnerReference, 0, len(set.GetOwners()))
	for _, owner := range set.GetOwners() {
		owners = append(owners, decodeOwner(owner))
	}
	metadata := identity(action)
	metadata["ownerReferences"] = owners
	return object{"metadata": metadata}
}

// claimPatch sets what a claim asks for, and labels and annotations; everything else stays as it is.
func claimPatch(action *setplanv1.Action, patch *setplanv1.PatchClaim) object {
	metadata, spec := identity(action), object{}
	if len(patch.GetLabels()) > 0 {
		metadata["labels"] = patch.GetLabels()
	}
	if len(patch.GetAnnotations()) > 0 {
		metadata["annotations"] = patch.GetAnnotations()
	}
	if patch.GetRequest() != "" {
		spec["resources"] = object{"requests": object{"storage": patch.GetRequest()}}
	}
	if patch.GetAttributesClass() != "" {
		spec["volumeAttributesClassName"] = patch.GetAttributesClass()
	}
	body := object{"metadata": metadata}
	if len(spec) > 0 {
		body["spec"] = spec
	}
	return body
}

func numberPatch(action *setplanv1.Action, renumber *setplanv1.RenumberRevision) object {
	return object{"metadata": identity(action), "revision": renumber.GetNumber()}
}

// statusPatch has the fields that are set, zeros included.
func statusPatch(status *setplanv1.StatefulSetStatus) object {
	fields := object{}
	if status == nil {
		return fields
	}
	put(fields, "observedGeneration", status.ObservedGeneration)
	put(fields, "replicas", status.Replicas)
	put(fields, "readyReplicas", status.ReadyReplicas)
	put(fields, "availableReplicas", status.AvailableReplicas)
	put(fields, "currentReplicas", status.CurrentReplicas)
	put(fields, "updatedReplicas", status.UpdatedReplicas)
	put(fields, "currentRevision", status.CurrentRevision)
	put(fields, "updateRevision", status.UpdateRevision)
	put(fields, "collisionCount", status.CollisionCount)
	return fields
}

// put adds a field that is set.
func put[T any](fields object, name string, value *T) {
	if value != nil {
		fields[name] = *value
	}
}

func decodeOwner(owner *setplanv1.OwnerReference) metav1.OwnerReference {
	out := metav1.OwnerReference{
		APIVersion: owner.GetApiVersion(),
		Kind:       owner.GetKind(),
		Name:       owner.GetName(),
		UID:        types.UID(owner.GetUid()),
	}
	// Absent and false mean the same, and most writers leave the field out.
	if owner.GetController() {
		out.Controller = &owner.Controller
	}
	if owner.GetBlockOwnerDeletion() {
		out.BlockOwnerDeletion = &owner.BlockOwnerDeletion
	}
	return out
}

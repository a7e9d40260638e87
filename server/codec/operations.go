package codec

import (
	"fmt"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// operation sets the operation of an action. An operation without a case is a bug: no adapter understands an action without
// an operation. It panics, and the server answers INTERNAL.
func (e *encoder) operation(op model.Operation, out *setplanv1.Action) {
	switch op := op.(type) {
	case model.CreatePod:
		out.Operation = &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{Manifest: op.Manifest}}
	case model.DeletePod:
		out.Operation = &setplanv1.Action_DeletePod{DeletePod: &setplanv1.DeletePod{}}
	case model.EvictPod:
		out.Operation = &setplanv1.Action_EvictPod{EvictPod: &setplanv1.EvictPod{}}
	case model.PatchPod:
		out.Operation = &setplanv1.Action_PatchPod{PatchPod: encodePatchPod(op)}
	case model.UpdatePod:
		out.Operation = &setplanv1.Action_UpdatePod{UpdatePod: encodeUpdatePod(op)}
	case model.ResizePod:
		out.Operation = &setplanv1.Action_ResizePod{ResizePod: &setplanv1.ResizePod{Containers: encodeResizes(op.Containers), InitContainers: encodeResizes(op.InitContainers)}}
	case model.AdoptPod:
		out.Operation = &setplanv1.Action_AdoptPod{AdoptPod: &setplanv1.AdoptPod{Owner: encodeOwner(op.Owner)}}
	case model.ReleasePod:
		out.Operation = &setplanv1.Action_ReleasePod{ReleasePod: &setplanv1.ReleasePod{OwnerUid: op.OwnerUID}}
	case model.CreateClaim:
		out.Operation = &setplanv1.Action_CreateClaim{CreateClaim: &setplanv1.CreateClaim{Manifest: op.Manifest}}
	case model.SetClaimOwners:
		out.Operation = &setplanv1.Action_SetClaimOwners{SetClaimOwners: e.claimOwners(op)}
	case model.CreateRevision:
		out.Operation = &setplanv1.Action_CreateRevision{CreateRevision: &setplanv1.CreateRevision{Manifest: op.Manifest}}
	case model.RenumberRevision:
		out.Operation = &setplanv1.Action_RenumberRevision{RenumberRevision: &setplanv1.RenumberRevision{Number: op.Number}}
	case model.AdoptRevision:
		out.Operation = &setplanv1.Action_AdoptRevision{AdoptRevision: &setplanv1.AdoptRevision{Owner: encodeOwner(op.Owner)}}
	case model.DeleteRevision:
		out.Operation = &setplanv1.Action_DeleteRevision{DeleteRevision: &setplanv1.DeleteRevision{}}
	case model.UpdateStatus:
		out.Operation = &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: encodeStatus(op.Status)}}
	case model.PatchAnnotations:
		out.Operation = &setplanv1.Action_PatchAnnotations{PatchAnnotations: encodePatchAnnotations(op)}
	case model.DeleteClaim:
		out.Operation = &setplanv1.Action_DeleteClaim{DeleteClaim: &setplanv1.DeleteClaim{}}
	case model.PatchClaim:
		out.Operation = &setplanv1.Action_PatchClaim{PatchClaim: encodePatchClaim(op)}
	case model.SetFinalizer:
		out.Operation = &setplanv1.Action_SetFinalizer{SetFinalizer: &setplanv1.SetFinalizer{Finalizer: op.Finalizer, Present: op.Present}}
	default:
		panic(fmt.Sprintf("codec: no encoding for %T", op))
	}
}

func encodePatchPod(op model.PatchPod) *setplanv1.PatchPod {
	out := &setplanv1.PatchPod{Labels: mapOf(op.Labels)}
	for _, b := range op.Claims {
		out.Claims = append(out.Claims, &setplanv1.ClaimBinding{Volume: b.Volume, Claim: b.Claim})
	}
	return out
}

func encodeUpdatePod(op model.UpdatePod) *setplanv1.UpdatePod {
	return &setplanv1.UpdatePod{Labels: mapOf(op.Labels), RemoveLabels: op.RemoveLabels, Annotations: mapOf(op.Annotations), RemoveAnnotations: op.RemoveAnnotations,
		Containers: encodeImages(op.Containers), InitContainers: encodeImages(op.InitContainers)}
}

func encodePatchAnnotations(op model.PatchAnnotations) *setplanv1.PatchAnnotations {
	return &setplanv1.PatchAnnotations{Set: mapOf(op.Set), Remove: op.Remove}
}

func encodePatchClaim(op model.PatchClaim) *setplanv1.PatchClaim {
	return &setplanv1.PatchClaim{Request: op.Request, AttributesClass: op.AttributesClass, Labels: mapOf(op.Labels), Annotations: mapOf(op.Annotations)}
}

func mapOf(list []model.KeyValue) map[string]string {
	if len(list) == 0 {
		return nil
	}
	out := make(map[string]string, len(list))
	for _, entry := range list {
		out[entry.Key] = entry.Value
	}
	return out
}

func (e *encoder) claimOwners(op model.SetClaimOwners) *setplanv1.SetClaimOwners {
	owners := make([]setplanv1.OwnerReference, len(op.Owners)) // there may be very many
	out := &setplanv1.SetClaimOwners{Owners: make([]*setplanv1.OwnerReference, len(op.Owners))}
	for i := range op.Owners {
		if e.over() {
			return nil
		}
		encodeOwnerInto(&owners[i], &op.Owners[i])
		out.Owners[i] = &owners[i]
	}
	return out
}

func encodeOwner(o model.Owner) *setplanv1.OwnerReference {
	out := &setplanv1.OwnerReference{}
	encodeOwnerInto(out, &o)
	return out
}

func encodeOwnerInto(out *setplanv1.OwnerReference, o *model.Owner) {
	out.ApiVersion, out.Kind, out.Name, out.Uid = o.APIVersion, o.Kind, o.Name, o.UID
	out.Controller, out.BlockOwnerDeletion = o.Controller, o.BlockOwnerDeletion
}

// encodeStatus sets every field: zeros must be written, too, so they must not look like fields that stay as they are. The
// message points into its own copy of the status.
func encodeStatus(s model.Status) *setplanv1.StatefulSetStatus {
	out := &setplanv1.StatefulSetStatus{
		ObservedGeneration: &s.ObservedGeneration,
		Replicas:           &s.Replicas,
		ReadyReplicas:      &s.ReadyReplicas,
		AvailableReplicas:  &s.AvailableReplicas,
		CurrentReplicas:    &s.CurrentReplicas,
		UpdatedReplicas:    &s.UpdatedReplicas,
		CurrentRevision:    &s.CurrentRevision,
		UpdateRevision:     &s.UpdateRevision,
		CollisionCount:     s.CollisionCount,
	}
	for _, c := range s.Conditions {
		out.Conditions = append(out.Conditions, &setplanv1.Condition{Type: c.Type, Status: c.Status, Reason: c.Reason,
			Message: c.Message, LastTransitionTime: encodeTime(c.ChangedAt)})
	}
	return out
}

package codec

import (
	"fmt"
	"maps"

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
		out.Operation = &setplanv1.Action_PatchPod{PatchPod: &setplanv1.PatchPod{Labels: mapOf(op.Labels), Claims: listOf(&e.waiting, op.Claims, encodeBinding)}}
	case model.UpdatePod:
		out.Operation = &setplanv1.Action_UpdatePod{UpdatePod: &setplanv1.UpdatePod{
			Labels: mapOf(op.Labels), RemoveLabels: op.RemoveLabels, Annotations: mapOf(op.Annotations), RemoveAnnotations: op.RemoveAnnotations,
			Containers: listOf(&e.waiting, op.Containers, encodeImage), InitContainers: listOf(&e.waiting, op.InitContainers, encodeImage)}}
	case model.ResizePod:
		out.Operation = &setplanv1.Action_ResizePod{ResizePod: &setplanv1.ResizePod{Containers: listOf(&e.waiting, op.Containers, encodeResize), InitContainers: listOf(&e.waiting, op.InitContainers, encodeResize)}}
	case model.AdoptPod:
		out.Operation = &setplanv1.Action_AdoptPod{AdoptPod: &setplanv1.AdoptPod{Owner: encodeOwner(op.Owner)}}
	case model.ReleasePod:
		out.Operation = &setplanv1.Action_ReleasePod{ReleasePod: &setplanv1.ReleasePod{OwnerUid: op.OwnerUID}}
	case model.CreateClaim:
		out.Operation = &setplanv1.Action_CreateClaim{CreateClaim: &setplanv1.CreateClaim{Manifest: op.Manifest}}
	case model.SetClaimOwners:
		out.Operation = &setplanv1.Action_SetClaimOwners{SetClaimOwners: &setplanv1.SetClaimOwners{Owners: listOf(&e.waiting, op.Owners, encodeOwner)}}
	case model.CreateRevision:
		out.Operation = &setplanv1.Action_CreateRevision{CreateRevision: &setplanv1.CreateRevision{Manifest: op.Manifest}}
	case model.RenumberRevision:
		out.Operation = &setplanv1.Action_RenumberRevision{RenumberRevision: &setplanv1.RenumberRevision{Number: op.Number}}
	case model.AdoptRevision:
		out.Operation = &setplanv1.Action_AdoptRevision{AdoptRevision: &setplanv1.AdoptRevision{Owner: encodeOwner(op.Owner)}}
	case model.DeleteRevision:
		out.Operation = &setplanv1.Action_DeleteRevision{DeleteRevision: &setplanv1.DeleteRevision{}}
	case model.UpdateStatus:
		out.Operation = &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: e.status(op.Status)}}
	case model.PatchAnnotations:
		out.Operation = &setplanv1.Action_PatchAnnotations{PatchAnnotations: &setplanv1.PatchAnnotations{Set: mapOf(op.Set), Remove: op.Remove}}
	case model.DeleteClaim:
		out.Operation = &setplanv1.Action_DeleteClaim{DeleteClaim: &setplanv1.DeleteClaim{}}
	case model.PatchClaim:
		out.Operation = &setplanv1.Action_PatchClaim{PatchClaim: &setplanv1.PatchClaim{
			Request: op.Request, AttributesClass: op.AttributesClass, Labels: mapOf(op.Labels), Annotations: mapOf(op.Annotations)}}
	case model.SetFinalizer:
		out.Operation = &setplanv1.Action_SetFinalizer{SetFinalizer: &setplanv1.SetFinalizer{Finalizer: op.Finalizer, Present: op.Present}}
	default:
		panic(fmt.Sprintf("codec: no encoding for %T", op))
	}
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

func encodeResize(c model.ContainerResize) *setplanv1.ContainerResize {
	return &setplanv1.ContainerResize{Name: c.Name, Requests: encodeAmounts(c.Requests), Limits: encodeAmounts(c.Limits)}
}

// encodeAmounts leaves out what is empty: it does not change.
func encodeAmounts(in model.Amounts) map[string]string {
	out := map[string]string{cpu: in.CPU, memory: in.Memory}
	maps.DeleteFunc(out, func(_, quantity string) bool { return quantity == "" })
	return out
}

func encodeImage(c model.ContainerImage) *setplanv1.ContainerImage {
	return &setplanv1.ContainerImage{Name: c.Name, Image: c.Image}
}

func encodeBinding(b model.ClaimBinding) *setplanv1.ClaimBinding {
	return &setplanv1.ClaimBinding{Volume: b.Volume, Claim: b.Claim}
}

func encodeOwner(o model.Owner) *setplanv1.OwnerReference {
	return &setplanv1.OwnerReference{ApiVersion: o.APIVersion, Kind: o.Kind, Name: o.Name, Uid: o.UID, Controller: o.Controller, BlockOwnerDeletion: o.BlockOwnerDeletion}
}

// status sets every field: zeros must be written, too, so they must not look like fields that stay as they are. The
// message points into its own copy of the status.
func (e *encoder) status(s model.Status) *setplanv1.StatefulSetStatus {
	return &setplanv1.StatefulSetStatus{
		ObservedGeneration: &s.ObservedGeneration,
		Replicas:           &s.Replicas,
		ReadyReplicas:      &s.ReadyReplicas,
		AvailableReplicas:  &s.AvailableReplicas,
		CurrentReplicas:    &s.CurrentReplicas,
		UpdatedReplicas:    &s.UpdatedReplicas,
		CurrentRevision:    &s.CurrentRevision,
		UpdateRevision:     &s.UpdateRevision,
		CollisionCount:     s.CollisionCount,
		Conditions:         listOf(&e.waiting, s.Conditions, encodeCondition),
	}
}

func encodeCondition(c model.Condition) *setplanv1.Condition {
	return &setplanv1.Condition{Type: c.Type, Status: c.Status, Reason: c.Reason, Message: c.Message, LastTransitionTime: encodeTime(c.ChangedAt)}
}

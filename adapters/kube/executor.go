package kube

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Executor carries out actions through the API server. Preconditions travel with the write, so that the API server checks them
// with it; nothing is read first and trusted.
type Executor struct {
	kind       SetKind
	api        *API
	conditions Conditions

	patchesOnly atomic.Bool // a PUT of the status was forbidden once
}

var _ adapters.Executor = (*Executor)(nil)

// NewExecutor makes an executor. conditions are the stored conditions of sets.
func NewExecutor(kind SetKind, api *API, conditions Conditions) *Executor {
	return &Executor{kind: kind, api: api, conditions: conditions}
}

// Apply implements adapters.Executor.
func (e *Executor) Apply(ctx context.Context, key adapters.Key, action *setplanv1.Action) adapters.Result {
	target := action.GetTarget()
	if target.GetNamespace() != key.Namespace {
		return refuse(fmt.Errorf("the target is in namespace %q, the set in %q", target.GetNamespace(), key.Namespace))
	}
	namespace := key.Namespace
	switch operation := action.GetOperation().(type) {
	case *setplanv1.Action_CreatePod:
		return e.createPod(ctx, pods(namespace), action, operation.CreatePod.GetManifest())
	case *setplanv1.Action_CreateClaim:
		return e.create(ctx, claims(namespace), operation.CreateClaim.GetManifest())
	case *setplanv1.Action_CreateRevision:
		return e.createRevision(ctx, revisions(namespace), action, operation.CreateRevision.GetManifest())
	case *setplanv1.Action_DeletePod:
		return e.delete(ctx, pods(namespace), action)
	case *setplanv1.Action_EvictPod:
		return e.evict(ctx, pods(namespace), action)
	case *setplanv1.Action_DeleteRevision:
		return e.delete(ctx, revisions(namespace), action)
	case *setplanv1.Action_PatchPod:
		return e.patch(ctx, pods(namespace), action, types.StrategicMergePatchType, podPatch(action, operation.PatchPod))
	case *setplanv1.Action_UpdatePod:
		kind, body := updatePatch(action, operation.UpdatePod)
		return e.patch(ctx, pods(namespace), action, kind, body)
	case *setplanv1.Action_ResizePod:
		return e.resize(ctx, pods(namespace), action, operation.ResizePod)
	case *setplanv1.Action_AdoptPod:
		return e.patch(ctx, pods(namespace), action, types.StrategicMergePatchType, adoptPatch(action, operation.AdoptPod.GetOwner()))
	case *setplanv1.Action_AdoptRevision:
		return e.patch(ctx, revisions(namespace), action, types.StrategicMergePatchType, adoptPatch(action, operation.AdoptRevision.GetOwner()))
	case *setplanv1.Action_ReleasePod:
		return e.release(ctx, pods(namespace), action, operation.ReleasePod)
	case *setplanv1.Action_SetClaimOwners:
		return e.patch(ctx, claims(namespace), action, types.MergePatchType, ownersPatch(action, operation.SetClaimOwners))
	case *setplanv1.Action_RenumberRevision:
		return e.patch(ctx, revisions(namespace), action, types.MergePatchType, numberPatch(action, operation.RenumberRevision))
	case *setplanv1.Action_PatchAnnotations:
		return e.patchAnnotations(ctx, namespace, action, operation.PatchAnnotations)
	case *setplanv1.Action_PatchClaim:
		return e.patch(ctx, claims(namespace), action, types.MergePatchType, claimPatch(action, operation.PatchClaim))
	case *setplanv1.Action_DeleteClaim:
		return e.delete(ctx, claims(namespace), action)
	case *setplanv1.Action_SetFinalizer:
		return e.setFinalizer(ctx, e.kind.in(namespace), action, operation.SetFinalizer)
	case *setplanv1.Action_UpdateStatus:
		return e.updateStatus(ctx, key, action, operation.UpdateStatus)
	default:
		return refuse(adapters.ErrUnknownOperation)
	}
}

// refuse is the result of an action that is wrong in itself: nothing was sent.
func refuse(err error) adapters.Result {
	return adapters.Result{Err: err, Outcome: setplanv1.OutcomeResult_OUTCOME_RESULT_ERROR}
}

// failed is the result of an error of the API server.
func failed(err error) adapters.Result {
	return adapters.Result{Err: err, Outcome: outcomeOf(err)}
}

// conflict is the result of a precondition that did not hold.
func conflict(err error) adapters.Result {
	return adapters.Result{Err: err, Outcome: setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT}
}

// written is the result of a write that the caches must show.
func written(in resource, object *metav1.PartialObjectMetadata) adapters.Result {
	return adapters.Result{Write: &adapters.Write{
		Kind:            in.kind,
		Name:            object.Name,
		UID:             string(object.UID),
		ResourceVersion: object.ResourceVersion,
	}}
}

var (
	// errNoUID refuses a write to an existing object without a uid: every delete and every change names one.
	errNoUID = errors.New("the action names no uid")
	// errNoStatus refuses an update of the status that sets no field.
	errNoStatus = errors.New("the action sets nothing in the status")
)

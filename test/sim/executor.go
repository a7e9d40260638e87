package sim

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Apply implements adapters.Executor: one action, at most one write.
func (a *Adapter) Apply(_ context.Context, key adapters.Key, action *setplanv1.Action) adapters.Result {
	if a.faults.crashed {
		return failed(errCrashed)
	}
	a.ActFor(key.Name)
	kind, name := action.GetTarget().GetKind(), action.GetTarget().GetName()
	fault := a.faults.take(adapters.OperationName(action))
	if fault != "" && fault != FaultLost {
		return failed(fault.err(kind, name))
	}
	before := a.world.version
	result := a.do(key, action)
	if a.world.version != before {
		a.faults.wrote()
	}
	if fault == FaultLost {
		return failed(fault.err(kind, name))
	}
	return result
}

func (a *Adapter) do(key adapters.Key, action *setplanv1.Action) adapters.Result {
	switch op := action.GetOperation().(type) {
	case *setplanv1.Action_CreatePod:
		return a.create(key, action, op.CreatePod.GetManifest())
	case *setplanv1.Action_CreateClaim:
		return a.create(key, action, op.CreateClaim.GetManifest())
	case *setplanv1.Action_CreateRevision:
		return a.create(key, action, op.CreateRevision.GetManifest())
	case *setplanv1.Action_DeletePod, *setplanv1.Action_DeleteRevision, *setplanv1.Action_DeleteClaim:
		return a.delete(action)
	case *setplanv1.Action_EvictPod:
		return a.gone(action, a.world.Evict(a.name, action.GetTarget().GetName(), preconditions(action)))
	case *setplanv1.Action_PatchPod:
		return a.update(action, func(o Object) { patchPod(o.(*corev1.Pod), op.PatchPod) })
	case *setplanv1.Action_UpdatePod:
		return a.update(action, func(o Object) { updatePod(o.(*corev1.Pod), op.UpdatePod) })
	case *setplanv1.Action_ResizePod:
		if name := action.GetTarget().GetName(); a.world.state.TooSmall(name) {
			err := apierrors.NewForbidden(corev1.Resource("pods"), name, errors.New("node didn't have enough allocatable resources"))
			err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: nodeCapacity}}
			return failed(err)
		}
		a.world.resizing = true
		return a.update(action, func(o Object) { resizePod(o.(*corev1.Pod), op.ResizePod) })
	case *setplanv1.Action_AdoptPod:
		return a.update(action, func(o Object) { adopt(o, op.AdoptPod.GetOwner()) })
	case *setplanv1.Action_AdoptRevision:
		return a.update(action, func(o Object) { adopt(o, op.AdoptRevision.GetOwner()) })
	case *setplanv1.Action_ReleasePod:
		return a.release(action, op.ReleasePod.GetOwnerUid())
	case *setplanv1.Action_SetClaimOwners:
		return a.update(action, func(o Object) { o.SetOwnerReferences(ownerReferences(op.SetClaimOwners.GetOwners())) })
	case *setplanv1.Action_RenumberRevision:
		return a.update(action, func(o Object) { renumber(o, op.RenumberRevision.GetNumber()) })
	case *setplanv1.Action_PatchAnnotations:
		return a.update(action, func(o Object) { patchAnnotations(o, op.PatchAnnotations) })
	case *setplanv1.Action_PatchClaim:
		return a.patchClaim(action, op.PatchClaim)
	case *setplanv1.Action_SetFinalizer:
		return a.setFinalizer(action, op.SetFinalizer)
	case *setplanv1.Action_UpdateStatus:
		return a.update(action, func(o Object) { setStatus(o, op.UpdateStatus.GetStatus()) })
	}
	return failed(fmt.Errorf("%w: %s", adapters.ErrUnknownOperation, adapters.OperationName(action)))
}

// create stores a manifest. An object of that name is success if it is what an earlier attempt, whose answer was lost,
// has made.
func (a *Adapter) create(key adapters.Key, action *setplanv1.Action, manifest []byte) adapters.Result {
	object, err := ParseObject(manifest)
	if err != nil {
		return failed(apierrors.NewBadRequest(err.Error()))
	}
	created, err := a.world.Create(a.name, object)
	if apierrors.IsAlreadyExists(err) {
		existing := a.world.state.Get(kindOf(object), object.GetName())
		if a.isOurs(key, object, existing) {
			a.view.found(object, existing)
			return done(action, existing)
		}
	}
	if err != nil {
		return failed(err)
	}
	return done(action, created)
}

// isOurs tells what an earlier attempt made from a stranger of the same name. A claim is never taken for ours: it has no
// owner to tell by, and the next snapshot has it.
func (a *Adapter) isOurs(key adapters.Key, wanted, existing Object) bool {
	set := a.world.state.Set(key.Name)
	if set == nil || kindOf(wanted) == KindClaim || !ControlledBy(existing, set) {
		return false
	}
	return kindOf(wanted) != KindRevision || sameData(wanted, existing)
}

func (a *Adapter) update(action *setplanv1.Action, change func(Object)) adapters.Result {
	updated, err := a.world.Update(a.name, action.GetTarget().GetKind(), action.GetTarget().GetName(), preconditions(action), change)
	if err != nil {
		return failed(err)
	}
	a.view.confirm(updated, change)
	return done(action, updated)
}

// release removes an owner. A pod that is gone, or has no such owner, needs nothing.
func (a *Adapter) release(action *setplanv1.Action, ownerUID string) adapters.Result {
	result := a.update(action, func(o Object) {
		var kept []metav1.OwnerReference
		for _, ref := range o.GetOwnerReferences() {
			if ref.UID != types.UID(ownerUID) {
				kept = append(kept, ref)
			}
		}
		o.SetOwnerReferences(kept)
	})
	if apierrors.IsNotFound(result.Err) {
		return adapters.Result{}
	}
	return result
}

// setFinalizer leaves the other finalizers alone. A set that is gone has none.
func (a *Adapter) setFinalizer(action *setplanv1.Action, set *setplanv1.SetFinalizer) adapters.Result {
	result := a.update(action, func(o Object) { setFinalizer(o, set.GetFinalizer(), set.GetPresent()) })
	if apierrors.IsNotFound(result.Err) && !set.GetPresent() {
		return adapters.Result{}
	}
	return result
}

func (a *Adapter) delete(action *setplanv1.Action) adapters.Result {
	target := action.GetTarget()
	return a.gone(action, a.world.Delete(a.name, target.GetKind(), target.GetName(), preconditions(action), metav1.DeletePropagationBackground))
}

// gone is the result of a deletion. An object that was gone already is success.
func (a *Adapter) gone(action *setplanv1.Action, err error) adapters.Result {
	target := action.GetTarget()
	switch {
	case apierrors.IsNotFound(err):
		a.view.Apply(Event{Kind: target.GetKind(), Name: target.GetName()})
	case err != nil:
		return failed(err)
	default:
		a.view.going(a.world.state.Get(target.GetKind(), target.GetName()))
	}
	return adapters.Result{Write: &adapters.Write{Kind: target.GetKind(), Name: target.GetName(),
		UID: action.GetPrecondition().GetUid(), Deleted: true}}
}

func preconditions(action *setplanv1.Action) Preconditions {
	return Preconditions{UID: action.GetPrecondition().GetUid(),
		ResourceVersion: action.GetPrecondition().GetResourceVersion()}
}

func done(action *setplanv1.Action, object Object) adapters.Result {
	return adapters.Result{Write: &adapters.Write{Kind: action.GetTarget().GetKind(), Name: object.GetName(),
		UID: string(object.GetUID()), ResourceVersion: object.GetResourceVersion()}}
}

// failed classifies an error for the next snapshot.
func failed(err error) adapters.Result {
	result := adapters.Result{Err: err, Outcome: setplanv1.OutcomeResult_OUTCOME_RESULT_ERROR}
	switch {
	case apierrors.HasStatusCause(err, policyv1.DisruptionBudgetCause):
		result.Outcome = setplanv1.OutcomeResult_OUTCOME_RESULT_DISRUPTION_BUDGET
		for _, cause := range err.(*apierrors.StatusError).ErrStatus.Details.Causes {
			result.Err = fmt.Errorf("%w %s", err, cause.Message)
		}
	case apierrors.HasStatusCause(err, nodeCapacity):
		result.Outcome = setplanv1.OutcomeResult_OUTCOME_RESULT_NODE_CAPACITY
	case apierrors.IsConflict(err), apierrors.IsAlreadyExists(err), apierrors.IsNotFound(err):
		result.Outcome = setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT
	case apierrors.IsInvalid(err), apierrors.IsForbidden(err), apierrors.IsBadRequest(err), err == errManyBudgets:
		result.Outcome = setplanv1.OutcomeResult_OUTCOME_RESULT_REJECTED
	}
	return result
}

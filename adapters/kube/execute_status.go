package kube

import (
	"context"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// updateStatus writes the fields that are set and leaves the rest of the status alone.
func (e *Executor) updateStatus(ctx context.Context, key adapters.Key, action *setplanv1.Action, update *setplanv1.UpdateStatus) adapters.Result {
	if action.GetPrecondition().GetUid() == "" {
		return refuse(errNoUID)
	}
	fields, conditions := statusPatch(update.GetStatus()), update.GetStatus().GetConditions()
	if len(fields)+len(conditions) == 0 {
		return refuse(errNoStatus)
	}
	if written, result := e.putStatus(ctx, key, action, update.GetStatus()); written {
		return result
	}
	if len(conditions) > 0 {
		stored, err := e.conditions.Conditions(key, action.GetPrecondition().GetResourceVersion())
		if err != nil {
			return conflict(err)
		}
		fields["conditions"] = mergeConditions(stored, conditions)
	}
	if selector := e.conditions.Selector(key); e.kind != StatefulSets() && selector != "" {
		fields["labelSelector"] = selector // where a scale subresource finds it; apps/v1 makes it up
	}
	in := e.kind.in(key.Namespace)
	body := object{"metadata": identity(action), "status": fields}
	return statusResult(in)(e.api.patch(ctx, in, action.GetTarget().GetName(), "status", types.MergePatchType, body))
}

// putStatus sends the whole set as protobuf, with the new status. That is cheaper than a merge patch, for which the API server
// writes the set as JSON and reads it again. It needs the complete set at the version of the precondition in the cache. The API server
// refuses any other version, so nothing unknown is overwritten. A role may allow patches only.
func (e *Executor) putStatus(ctx context.Context, key adapters.Key, action *setplanv1.Action, status *setplanv1.StatefulSetStatus) (written bool, result adapters.Result) {
	version := action.GetPrecondition().GetResourceVersion()
	if version == "" || e.patchesOnly.Load() {
		return false, result
	}
	set := e.conditions.Whole(key, version)
	if set == nil {
		return false, result
	}
	set.UID, set.ResourceVersion = types.UID(action.GetPrecondition().GetUid()), version
	setStatus(&set.Status, status)
	in := e.kind.in(key.Namespace)
	changed, err := e.api.putStatus(ctx, in, set)
	if apierrors.IsForbidden(err) {
		e.patchesOnly.Store(true)
		return false, result
	}
	return true, statusResult(in)(changed, err)
}

func statusResult(in resource) func(*metav1.PartialObjectMetadata, error) adapters.Result {
	return func(changed *metav1.PartialObjectMetadata, err error) adapters.Result {
		switch {
		case apierrors.IsNotFound(err):
			return conflict(err)
		case err != nil:
			return failed(err)
		}
		return written(in, changed)
	}
}

// setStatus has the effect of a merge patch with statusPatch and mergeConditions.
func setStatus(to *appsv1.StatefulSetStatus, from *setplanv1.StatefulSetStatus) {
	setTo(&to.ObservedGeneration, from.ObservedGeneration)
	setTo(&to.Replicas, from.Replicas)
	setTo(&to.ReadyReplicas, from.ReadyReplicas)
	setTo(&to.AvailableReplicas, from.AvailableReplicas)
	setTo(&to.CurrentReplicas, from.CurrentReplicas)
	setTo(&to.UpdatedReplicas, from.UpdatedReplicas)
	setTo(&to.CurrentRevision, from.CurrentRevision)
	setTo(&to.UpdateRevision, from.UpdateRevision)
	if from.CollisionCount != nil {
		to.CollisionCount = from.CollisionCount
	}
	for _, wanted := range from.GetConditions() {
		condition := appsv1.StatefulSetCondition{
			Type:    appsv1.StatefulSetConditionType(wanted.GetType()),
			Status:  corev1.ConditionStatus(wanted.GetStatus()),
			Reason:  wanted.GetReason(),
			Message: wanted.GetMessage(),
		}
		if at := wanted.GetLastTransitionTime(); at != nil {
			condition.LastTransitionTime = metav1.NewTime(at.AsTime())
		}
		same := func(c appsv1.StatefulSetCondition) bool { return c.Type == condition.Type }
		if at := slices.IndexFunc(to.Conditions, same); at >= 0 {
			to.Conditions[at] = condition
		} else {
			to.Conditions = append(to.Conditions, condition)
		}
	}
}

// setTo is put for a Go type.
func setTo[T any](to *T, value *T) {
	if value != nil {
		*to = *value
	}
}

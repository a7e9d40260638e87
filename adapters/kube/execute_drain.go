package kube

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// patchAnnotations changes annotations of a pod or a claim.
func (e *Executor) patchAnnotations(ctx context.Context, namespace string, action *setplanv1.Action, patch *setplanv1.PatchAnnotations) adapters.Result {
	metadata := identity(action)
	metadata["annotations"] = merging(patch.GetSet(), patch.GetRemove())
	var in resource
	switch kind := action.GetTarget().GetKind(); kind {
	case kindPod:
		in = pods(namespace)
	case kindClaim:
		in = claims(namespace)
	default:
		return refuse(fmt.Errorf("the annotations of a %s cannot be changed", kind))
	}
	return e.patch(ctx, in, action, types.MergePatchType, object{"metadata": metadata})
}

// setFinalizer changes one finalizer. It reads the list and writes it back at the version that it read: a merge patch replaces
// whole lists, and kinds other than the built-in one support no better patch.
func (e *Executor) setFinalizer(ctx context.Context, in resource, action *setplanv1.Action, set *setplanv1.SetFinalizer) adapters.Result {
	uid := action.GetPrecondition().GetUid()
	if uid == "" {
		return refuse(errNoUID)
	}
	live, err := e.api.get(ctx, in, action.GetTarget().GetName())
	switch {
	case apierrors.IsNotFound(err) && !set.GetPresent():
		return adapters.Result{}
	case apierrors.IsNotFound(err):
		return conflict(err)
	case err != nil:
		return failed(err)
	case string(live.UID) != uid:
		return conflict(fmt.Errorf("the set has uid %s, the action is for %s", live.UID, uid))
	case slices.Contains(live.Finalizers, set.GetFinalizer()) == set.GetPresent():
		return written(in, live)
	}
	finalizers := slices.DeleteFunc(slices.Clone(live.Finalizers), func(f string) bool { return f == set.GetFinalizer() })
	if set.GetPresent() {
		finalizers = append(finalizers, set.GetFinalizer())
	}
	body := object{"metadata": object{"uid": uid, "resourceVersion": live.ResourceVersion, "finalizers": finalizers}}
	changed, err := e.api.patch(ctx, in, live.Name, "", types.MergePatchType, body)
	if apierrors.IsNotFound(err) {
		return conflict(err)
	}
	if err != nil {
		return failed(err)
	}
	return written(in, changed)
}

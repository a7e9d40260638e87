package kube

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// delete deletes exactly the object that the planner saw. If it is gone already, that is success.
func (e *Executor) delete(ctx context.Context, in resource, action *setplanv1.Action) adapters.Result {
	return e.takeAway(ctx, in, action, e.api.delete)
}

// evict is the same where the pod's disruption budget has a say.
func (e *Executor) evict(ctx context.Context, in resource, action *setplanv1.Action) adapters.Result {
	return e.takeAway(ctx, in, action, e.api.evict)
}

func (e *Executor) takeAway(ctx context.Context, in resource, action *setplanv1.Action,
	send func(context.Context, resource, string, metav1.Preconditions) error) adapters.Result {
	precondition := action.GetPrecondition()
	if precondition.GetUid() == "" {
		return refuse(errNoUID)
	}
	uid := types.UID(precondition.GetUid())
	conditions := metav1.Preconditions{UID: &uid}
	if version := precondition.GetResourceVersion(); version != "" {
		conditions.ResourceVersion = &version
	}
	name := action.GetTarget().GetName()
	if err := send(ctx, in, name, conditions); err != nil && !apierrors.IsNotFound(err) {
		return failed(err)
	}
	return adapters.Result{Write: &adapters.Write{Kind: in.kind, Name: name, UID: precondition.GetUid(), Deleted: true}}
}

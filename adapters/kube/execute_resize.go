package kube

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// resize changes requests and limits through the subresource "resize"; a pod itself takes no such change. API servers before 1.33 do not have it.
func (e *Executor) resize(ctx context.Context, in resource, action *setplanv1.Action, resize *setplanv1.ResizePod) adapters.Result {
	spec := object{}
	putResources(spec, "containers", resize.GetContainers())
	putResources(spec, "initContainers", resize.GetInitContainers())
	result := e.patchPart(ctx, in, action, "resize", types.StrategicMergePatchType, object{"metadata": identity(action), "spec": spec})
	if apierrors.HasStatusCause(result.Err, "NodeCapacity") { // plugin/pkg/admission/podresize, since Kubernetes 1.36
		result.Outcome = setplanv1.OutcomeResult_OUTCOME_RESULT_NODE_CAPACITY
	}
	return result
}

// putResources sets what of the resources of a list of containers is named. As with images the order is part of the patch.
func putResources(spec object, list string, resizes []*setplanv1.ContainerResize) {
	names, changed := []object{}, []object{}
	for _, c := range resizes {
		names = append(names, object{"name": c.GetName()})
		resources := object{}
		if len(c.GetRequests()) > 0 {
			resources["requests"] = c.GetRequests()
		}
		if len(c.GetLimits()) > 0 {
			resources["limits"] = c.GetLimits()
		}
		if len(resources) > 0 {
			changed = append(changed, object{"name": c.GetName(), "resources": resources})
		}
	}
	if len(changed) > 0 {
		spec["$setElementOrder/"+list], spec[list] = names, changed
	}
}

// noSuchPath recognises the answer of an API server that does not have a path, and not merely the object there.
func noSuchPath(err error) bool {
	return apierrors.IsNotFound(err) && apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}

package sim

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// fullClass is a storage class whose provider has no room: no volume of it grows.
const fullClass = "full"

// fixedClass is a storage class that lets no volume grow.
const fixedClass = "fixed"

// patchClaim changes what a claim asks for.
func (a *Adapter) patchClaim(action *setplanv1.Action, patch *setplanv1.PatchClaim) adapters.Result {
	var amount apiresource.Quantity
	if patch.GetRequest() != "" {
		var err error
		if amount, err = apiresource.ParseQuantity(patch.GetRequest()); err != nil {
			return failed(apierrors.NewBadRequest(err.Error()))
		}
	}
	return a.update(action, func(o Object) { patchClaim(o.(*corev1.PersistentVolumeClaim), patch, amount) })
}

func patchClaim(claim *corev1.PersistentVolumeClaim, patch *setplanv1.PatchClaim, amount apiresource.Quantity) {
	claim.Labels, claim.Annotations = laidOver(claim.Labels, patch.GetLabels()), laidOver(claim.Annotations, patch.GetAnnotations())
	if patch.GetAttributesClass() != "" {
		claim.Spec.VolumeAttributesClassName = &patch.AttributesClass
	}
	if patch.GetRequest() == "" {
		return
	}
	requests := maps.Clone(claim.Spec.Resources.Requests)
	if requests == nil {
		requests = corev1.ResourceList{}
	}
	requests[corev1.ResourceStorage] = amount
	claim.Spec.Resources.Requests = requests
}

func laidOver(values, over map[string]string) map[string]string {
	if len(over) == 0 {
		return values
	}
	out := maps.Clone(values)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, over)
	return out
}

// claimProblem is what the API refuses of a change of a claim (ValidatePersistentVolumeClaimUpdate, pkg/apis/core/validation).
func claimProblem(old, updated *corev1.PersistentVolumeClaim) string {
	before, after := old.Spec.Resources.Requests.Storage(), updated.Spec.Resources.Requests.Storage()
	switch compared := after.Cmp(*before); {
	case compared != 0 && old.Status.Phase != corev1.ClaimBound:
		return "spec is immutable after creation except resources.requests for bound claims"
	case compared > 0 && old.Spec.StorageClassName != nil && *old.Spec.StorageClassName == fixedClass:
		return "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize"
	case compared < 0 && after.Cmp(*old.Status.Capacity.Storage()) <= 0:
		return "spec.resources.requests.storage: field can not be less than status.capacity"
	}
	return ""
}

// growVolumes is what the provider does: each bound volume gets what its claim asks for, unless there is no room, or a condition says that
// something else is on its way.
func (w *World) growVolumes() {
	for _, name := range w.state.Names(KindClaim) {
		claim := w.state.Claim(name)
		wanted, has := claim.Spec.Resources.Requests.Storage(), claim.Status.Capacity.Storage()
		grows := wanted.Cmp(*has) > 0 && !has.IsZero()
		reclassed := claim.Spec.VolumeAttributesClassName != nil && (claim.Status.CurrentVolumeAttributesClassName == nil ||
			*claim.Status.CurrentVolumeAttributesClassName != *claim.Spec.VolumeAttributesClassName)
		if claim.Status.Phase != corev1.ClaimBound || !grows && !reclassed || len(claim.Status.Conditions) > 0 || claim.Status.ModifyVolumeStatus != nil {
			continue
		}
		_, err := w.Update("resizer", KindClaim, name, Preconditions{}, func(o Object) {
			c := o.(*corev1.PersistentVolumeClaim)
			if c.Spec.StorageClassName != nil && *c.Spec.StorageClassName == fullClass {
				c.Status.Conditions = []corev1.PersistentVolumeClaimCondition{{Type: corev1.PersistentVolumeClaimControllerResizeError,
					Status: corev1.ConditionTrue, Message: "no room", LastTransitionTime: metav1.NewTime(w.now)}}
				return
			}
			if grows {
				c.Status.Capacity = corev1.ResourceList{corev1.ResourceStorage: *wanted}
			}
			c.Status.CurrentVolumeAttributesClassName = c.Spec.VolumeAttributesClassName
		})
		mustSucceed(err)
	}
}

// mountVolume is what a kubelet does with a volume that has grown: it lets the file system grow.
func mountVolume(claim *corev1.PersistentVolumeClaim) {
	waits := func(c corev1.PersistentVolumeClaimCondition) bool {
		return c.Type == corev1.PersistentVolumeClaimFileSystemResizePending
	}
	if !slices.ContainsFunc(claim.Status.Conditions, waits) {
		return
	}
	claim.Status.Conditions, claim.Status.AllocatedResourceStatuses = slices.DeleteFunc(slices.Clone(claim.Status.Conditions), waits), nil
	if wanted := claim.Spec.Resources.Requests.Storage(); wanted.Cmp(*claim.Status.Capacity.Storage()) > 0 {
		claim.Status.Capacity = corev1.ResourceList{corev1.ResourceStorage: *wanted}
	}
}

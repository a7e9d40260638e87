package sim

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validate refuses what the real API refuses, as far as a controller can run into it. old is nil for a create. resizing: the write is to the subresource
// of resources, which changes nothing else.
func validate(old, updated Object, resizing bool) error {
	problem := problemWith(old, updated)
	if resizing {
		problem = resizeProblem(old.(*corev1.Pod), updated.(*corev1.Pod))
	}
	if problem != "" {
		return apierrors.NewInvalid(schema.GroupKind{Kind: kindOf(updated)}, updated.GetName(),
			field.ErrorList{field.Forbidden(field.NewPath(""), problem)})
	}
	return nil
}

// mountProblem: what a container mounts is a volume of the pod.
func mountProblem(spec *corev1.PodSpec) string {
	for _, container := range slices.Concat(spec.InitContainers, spec.Containers) {
		for _, mount := range container.VolumeMounts {
			if !slices.ContainsFunc(spec.Volumes, func(v corev1.Volume) bool { return v.Name == mount.Name }) {
				return "spec.containers[].volumeMounts[].name: Not found: " + strconv.Quote(mount.Name)
			}
		}
	}
	return ""
}

func problemWith(old, updated Object) string {
	if problem := metaProblem(updated); problem != "" {
		return problem
	}
	switch o := updated.(type) {
	case *Set:
		return statusProblem(&o.Status)
	case *corev1.Pod:
		if old == nil {
			if len(o.Spec.Containers) == 0 {
				return "spec.containers is required"
			}
			return mountProblem(&o.Spec)
		}
		before := old.(*corev1.Pod)
		if !equality.Semantic.DeepEqual(before.Spec.Volumes, o.Spec.Volumes) {
			return "pod updates may not change spec.volumes"
		}
		if !sameButImages(before.Spec.Containers, o.Spec.Containers) || !sameButImages(before.Spec.InitContainers, o.Spec.InitContainers) {
			return "pod updates may not change fields of containers other than image"
		}
	case *corev1.PersistentVolumeClaim:
		if old != nil {
			return claimProblem(old.(*corev1.PersistentVolumeClaim), o)
		}
	case *policyv1.PodDisruptionBudget:
		if o.Spec.MinAvailable == nil || o.Spec.MinAvailable.Type != intstr.Int {
			return "spec.minAvailable: a world knows numbers only"
		}
	case *appsv1.ControllerRevision:
		if old != nil && !bytes.Equal(old.(*appsv1.ControllerRevision).Data.Raw, o.Data.Raw) {
			return "data is immutable"
		}
	}
	return ""
}

// sameButImages reports whether containers differ in nothing but images, of which none is taken away.
func sameButImages(before, after []corev1.Container) bool {
	return slices.EqualFunc(before, after, func(a, b corev1.Container) bool {
		lost := a.Image != "" && b.Image == ""
		a.Image = b.Image
		return !lost && equality.Semantic.DeepEqual(a, b)
	})
}

func metaProblem(object Object) string {
	if errs := validation.IsDNS1123Subdomain(object.GetName()); len(errs) > 0 {
		return "metadata.name: " + errs[0]
	}
	controllers := 0
	for _, owner := range object.GetOwnerReferences() {
		if owner.UID == "" || owner.Name == "" || owner.Kind == "" || owner.APIVersion == "" {
			return "metadata.ownerReferences: incomplete reference"
		}
		if owner.Controller != nil && *owner.Controller {
			controllers++
		}
	}
	if controllers > 1 {
		return "metadata.ownerReferences: only one reference can have controller set to true"
	}
	for key, value := range object.GetLabels() {
		if errs := validation.IsValidLabelValue(value); len(errs) > 0 {
			return fmt.Sprintf("metadata.labels[%s]: %s", key, errs[0])
		}
	}
	return ""
}

// statusProblem is what the API checks of a set's counters.
func statusProblem(status *appsv1.StatefulSetStatus) string {
	counters := []struct {
		name  string
		value int32
	}{
		{"readyReplicas", status.ReadyReplicas}, {"currentReplicas", status.CurrentReplicas},
		{"updatedReplicas", status.UpdatedReplicas}, {"availableReplicas", status.AvailableReplicas},
	}
	for _, counter := range counters {
		if counter.value < 0 {
			return fmt.Sprintf("status.%s: must not be negative", counter.name)
		}
		if counter.value > status.Replicas {
			return fmt.Sprintf("status.%s: cannot be greater than status.replicas", counter.name)
		}
	}
	if status.AvailableReplicas > status.ReadyReplicas {
		return "status.availableReplicas: cannot be greater than status.readyReplicas"
	}
	return ""
}

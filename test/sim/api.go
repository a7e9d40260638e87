package sim

import (
	"bytes"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Preconditions must hold at the moment of a write; empty fields ask for nothing.
type Preconditions struct {
	UID             string
	ResourceVersion string
}

// resource is how the API's errors name a kind.
func resource(kind string) schema.GroupResource {
	switch kind {
	case KindSet:
		return schema.GroupResource{Group: "apps", Resource: "statefulsets"}
	case KindRevision:
		return schema.GroupResource{Group: "apps", Resource: "controllerrevisions"}
	case KindPod:
		return schema.GroupResource{Resource: "pods"}
	case KindBudget:
		return schema.GroupResource{Group: "policy", Resource: "poddisruptionbudgets"}
	}
	return schema.GroupResource{Resource: "persistentvolumeclaims"}
}

// Create stores a new object under a fresh uid. Status and server-owned metadata that the caller sent do not count, as
// with the real API; tests that need a pod in a certain phase change it afterwards.
func (w *World) Create(actor string, object Object) (Object, error) {
	kind, name := kindOf(object), object.GetName()
	if w.state.Get(kind, name) != nil {
		return nil, apierrors.NewAlreadyExists(resource(kind), name)
	}
	created := clone(object)
	created.SetNamespace(Namespace)
	created.SetUID(w.nextUID())
	created.SetCreationTimestamp(w.stamp())
	created.SetDeletionTimestamp(nil)
	created.SetGeneration(1)
	switch o := created.(type) {
	case *Set:
		o.TypeMeta = metav1.TypeMeta{APIVersion: "apps/v1", Kind: KindSet}
	case *corev1.Pod:
		o.Status = corev1.PodStatus{Phase: corev1.PodPending}
		defaultRequests(o)
	case *corev1.PersistentVolumeClaim:
		o.Status = corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending}
		o.Finalizers = append(o.Finalizers, FinalizerProtection)
	}
	if err := validate(nil, created, false); err != nil {
		return nil, err
	}
	w.commit(actor, "create", nil, created)
	return created, nil
}

// Update changes an object through a copy. A change that changes nothing is no write.
func (w *World) Update(actor, kind, name string, pre Preconditions, change func(Object)) (Object, error) {
	resizing := w.resizing
	w.resizing = false // whatever else is written because of this write
	old, err := w.check(kind, name, pre)
	if err != nil {
		return nil, err
	}
	updated := clone(old)
	change(updated)
	if equality.Semantic.DeepEqual(old, updated) {
		return old, nil
	}
	switch o := updated.(type) {
	case *Set:
		if !bytes.Equal(o.Spec, old.(*Set).Spec) {
			o.Generation++
		}
	case *corev1.Pod:
		if !sameContainers(old.(*corev1.Pod), o) {
			o.Generation++
		}
	}
	if err := validate(old, updated, resizing); err != nil {
		return nil, err
	}
	if updated.GetDeletionTimestamp() != nil && len(updated.GetFinalizers()) == 0 && len(old.GetFinalizers()) > 0 {
		w.commit(actor, "remove", old, nil)
		return updated, nil
	}
	w.commit(actor, "update", old, updated)
	return updated, nil
}

// check finds an object and compares it with the preconditions.
func (w *World) check(kind, name string, pre Preconditions) (Object, error) {
	object := w.state.Get(kind, name)
	if object == nil {
		return nil, apierrors.NewNotFound(resource(kind), name)
	}
	if pre.UID != "" && object.GetUID() != types.UID(pre.UID) {
		return nil, apierrors.NewConflict(resource(kind), name, errPrecondition("uid"))
	}
	if pre.ResourceVersion != "" && object.GetResourceVersion() != pre.ResourceVersion {
		return nil, apierrors.NewConflict(resource(kind), name, errPrecondition("resource version"))
	}
	return object, nil
}

type errPrecondition string

func (e errPrecondition) Error() string { return "the " + string(e) + " does not match" }

// Delete asks for an object to go away. A running pod goes when the kubelet has stopped it, an object with finalizers
// when they are gone, anything else at once. A foreground deletion starts the garbage collector.
func (w *World) Delete(actor, kind, name string, pre Preconditions, policy metav1.DeletionPropagation) error {
	old, err := w.check(kind, name, pre)
	if err != nil {
		return err
	}
	if old.GetDeletionTimestamp() != nil {
		return nil
	}
	updated := clone(old)
	switch policy {
	case metav1.DeletePropagationForeground:
		updated.SetFinalizers(append(updated.GetFinalizers(), finalizerForeground))
	case metav1.DeletePropagationOrphan:
		updated.SetFinalizers(append(updated.GetFinalizers(), finalizerOrphan))
	}
	if len(updated.GetFinalizers()) == 0 && !stopsGracefully(updated) {
		w.commit(actor, "remove", old, nil)
		return nil
	}
	until := w.stamp()
	if _, is := updated.(*corev1.Pod); is {
		grace := int64(0)
		if stopsGracefully(updated) {
			grace = graceSeconds
		}
		until = metav1.NewTime(until.Add(time.Duration(grace) * time.Second))
		updated.SetDeletionGracePeriodSeconds(&grace)
	}
	updated.SetDeletionTimestamp(&until)
	updated.SetGeneration(updated.GetGeneration() + 1)
	w.commit(actor, "delete", old, updated)
	if policy == metav1.DeletePropagationForeground {
		for _, dependent := range w.dependents(updated) {
			w.collect(dependent) // no adapter is as fast as the garbage collector may be
		}
	}
	return nil
}

// graceSeconds is what a node gives a pod, where its spec does not say.
const graceSeconds = 30

// LeavingSince is when a pod's deletion was asked for.
func LeavingSince(pod *corev1.Pod) time.Time {
	return pod.DeletionTimestamp.Add(-time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second)
}

// stopsGracefully reports whether somebody has to stop an object before it can go: a pod that a node has.
func stopsGracefully(object Object) bool {
	pod, ok := object.(*corev1.Pod)
	return ok && pod.Spec.NodeName != "" && !HasEnded(pod)
}

// Remove takes an object away, whatever holds it: a forced delete.
func (w *World) Remove(actor, kind, name string) error {
	old, err := w.check(kind, name, Preconditions{})
	if err == nil {
		w.commit(actor, "remove", old, nil)
	}
	return err
}

var (
	_ Object = (*appsv1.ControllerRevision)(nil)
	_ Object = (*Set)(nil)
)

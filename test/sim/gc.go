package sim

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// CollectGarbage lets the garbage collector and the claim protection take one step each over all objects; it reports
// whether anything happened.
func (w *World) CollectGarbage() bool {
	before := w.version
	for _, object := range w.state.all() {
		w.collect(object)
	}
	for _, name := range w.state.Names(KindClaim) {
		w.unprotect(w.state.Claim(name))
	}
	return w.version != before
}

func (w *World) collect(listed Object) {
	kind, name := kindOf(listed), listed.GetName()
	object := w.state.Get(kind, name)
	if object == nil || object.GetUID() != listed.GetUID() {
		return
	}
	switch {
	case slices.Contains(object.GetFinalizers(), finalizerOrphan):
		w.orphan(object)
		return
	case slices.Contains(object.GetFinalizers(), finalizerForeground) && len(w.dependents(object)) == 0:
		w.dropFinalizer(object, finalizerForeground)
		return
	}
	if len(object.GetOwnerReferences()) == 0 || object.GetDeletionTimestamp() != nil {
		return
	}
	var solid, rest []metav1.OwnerReference
	for _, ref := range object.GetOwnerReferences() {
		if w.isSolid(ref) {
			solid = append(solid, ref)
		} else {
			rest = append(rest, ref)
		}
	}
	switch {
	case len(solid) == 0:
		mustSucceed(w.Delete("gc", kind, name, Preconditions{UID: string(object.GetUID())}, ""))
	case len(rest) > 0:
		_, err := w.Update("gc", kind, name, Preconditions{}, func(o Object) { o.SetOwnerReferences(solid) })
		mustSucceed(err)
	}
}

// isSolid reports whether an owner is there to stay. Kinds that the world does not store are taken to exist.
func (w *World) isSolid(ref metav1.OwnerReference) bool {
	if _, stored := w.state.objects[ref.Kind]; !stored {
		return true
	}
	owner := w.byUID(ref.UID)
	return owner != nil && !slices.Contains(owner.GetFinalizers(), finalizerForeground)
}

// orphan frees the dependents of an object and lets it go.
func (w *World) orphan(owner Object) {
	for _, dependent := range w.dependents(owner) {
		_, err := w.Update("gc", kindOf(dependent), dependent.GetName(), Preconditions{}, func(o Object) {
			o.SetOwnerReferences(slices.DeleteFunc(o.GetOwnerReferences(), func(ref metav1.OwnerReference) bool {
				return ref.UID == owner.GetUID()
			}))
		})
		mustSucceed(err)
	}
	w.dropFinalizer(owner, finalizerOrphan)
}

// unprotect lets a terminating claim go once no pod on a node mounts it. A pod without a node does not count: no kubelet
// would start it on such a claim.
func (w *World) unprotect(claim *corev1.PersistentVolumeClaim) {
	if claim.DeletionTimestamp == nil || !slices.Contains(claim.Finalizers, FinalizerProtection) {
		return
	}
	for _, name := range w.state.Names(KindPod) {
		if pod := w.state.Pod(name); pod.Spec.NodeName != "" && slices.Contains(ClaimsOf(pod), claim.Name) {
			return
		}
	}
	w.dropFinalizer(claim, FinalizerProtection)
}

func (w *World) dropFinalizer(object Object, finalizer string) {
	_, err := w.Update("gc", kindOf(object), object.GetName(), Preconditions{}, func(o Object) {
		o.SetFinalizers(slices.DeleteFunc(o.GetFinalizers(), func(f string) bool { return f == finalizer }))
	})
	mustSucceed(err)
}

func (w *World) dependents(owner Object) []Object {
	return slices.DeleteFunc(w.state.all(), func(o Object) bool {
		return !slices.ContainsFunc(o.GetOwnerReferences(), func(ref metav1.OwnerReference) bool {
			return ref.UID == owner.GetUID()
		})
	})
}

func (w *World) byUID(uid types.UID) Object {
	for _, object := range w.state.all() {
		if object.GetUID() == uid {
			return object
		}
	}
	return nil
}

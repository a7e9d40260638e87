package kube

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/setplan/setplan/adapters/snapshot"
)

// stranger is what the cache keeps of a pod that can be in no set's snapshot, as most pods of most clusters: its name, uid and
// version, and whether it is being deleted.
type stranger struct{ metav1.ObjectMeta }

func strangerOf(pod *corev1.Pod) *stranger {
	return &stranger{metav1.ObjectMeta{
		Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID, ResourceVersion: pod.ResourceVersion, DeletionTimestamp: pod.DeletionTimestamp,
	}}
}

// wanted reports whether a pod may be in the snapshot of a set of the kind: the set controls it, or it has a name that the set might
// want. An orphan is adopted by name and labels, so without such a name it belongs to nobody.
func (k SetKind) wanted(pod *corev1.Pod) bool {
	if _, _, ordinal := snapshot.SplitOrdinal(pod.Name); ordinal {
		return true
	}
	owner := metav1.GetControllerOfNoCopy(pod)
	return owner != nil && k.is(owner)
}

// is reports whether an owner is of the kind, in any version.
func (k SetKind) is(owner *metav1.OwnerReference) bool {
	version, err := schema.ParseGroupVersion(owner.APIVersion)
	return err == nil && owner.Kind == k.Kind && version.Group == k.Group
}

package kube

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/setplan/setplan/adapters/snapshot"
)

// stranger is what the cache keeps of a pod that can be in no set's snapshot, which is most pods of most clusters: its name,
// under which the cache has it, which pod and version it is, and whether it goes.
type stranger struct{ metav1.ObjectMeta }

func strangerOf(pod *corev1.Pod) *stranger {
	return &stranger{metav1.ObjectMeta{
		Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID, ResourceVersion: pod.ResourceVersion, DeletionTimestamp: pod.DeletionTimestamp,
	}}
}

// wanted reports whether a set of the kind may want to know a pod: it controls it, or the pod has a name that it might want,
// whoever controls that. An orphan is adopted by its name and labels, so without such a name it is nobody's.
func (k SetKind) wanted(pod *corev1.Pod) bool {
	if _, _, ordinal := snapshot.SplitOrdinal(pod.Name); ordinal {
		return true
	}
	owner := metav1.GetControllerOfNoCopy(pod)
	return owner != nil && k.is(owner)
}

// is reports whether an owner is of the kind, in whatever version.
func (k SetKind) is(owner *metav1.OwnerReference) bool {
	version, err := schema.ParseGroupVersion(owner.APIVersion)
	return err == nil && owner.Kind == k.Kind && version.Group == k.Group
}

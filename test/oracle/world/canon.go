package world

import (
	"cmp"
	"encoding/json"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/core/install" // the defaults of an API server
)

// The canonical forms: two objects have the same form if and only if the API would store them alike. Both sides use these
// functions, so a difference is never one of spelling.

// PodBody is a pod without its status. Volumes are sorted, because upstream takes those of its claims from a map. Missing
// fields get the API server's defaults: upstream makes a pod of the update revision from that revision's data, ours from the
// set's equivalent template.
func PodBody(pod *corev1.Pod) string {
	out := pod.DeepCopy()
	legacyscheme.Scheme.Default(out)
	out.TypeMeta, out.Status = metav1.TypeMeta{}, corev1.PodStatus{}
	plainMeta(&out.ObjectMeta)
	slices.SortStableFunc(out.Spec.Volumes, func(a, b corev1.Volume) int { return cmp.Compare(a.Name, b.Name) })
	return encode(out)
}

// ClaimBody is a claim without its status.
func ClaimBody(claim *corev1.PersistentVolumeClaim) string {
	out := claim.DeepCopy()
	out.TypeMeta, out.Status = metav1.TypeMeta{}, corev1.PersistentVolumeClaimStatus{}
	plainMeta(&out.ObjectMeta)
	return encode(out)
}

// RevisionBody is a revision with the bytes of its data unchanged: names are hashes of them.
func RevisionBody(revision *appsv1.ControllerRevision) string {
	out := revision.DeepCopy()
	data := string(out.Data.Raw)
	out.TypeMeta, out.Data.Raw = metav1.TypeMeta{}, nil
	plainMeta(&out.ObjectMeta)
	return encode(out) + "\ndata: " + data
}

// OwnersBody is the result of a change of ownership. The order is the API server's: both sides send a patch.
func OwnersBody(owners []metav1.OwnerReference) string {
	out := plainOwners(owners)
	slices.SortFunc(out, func(a, b metav1.OwnerReference) int { return cmp.Compare(a.UID, b.UID) })
	return encode(out)
}

// StatusBody is a request's status, without the times of its conditions: upstream reads a clock. Before 1.37 it had no conditions, whatever was stored.
func StatusBody(status *appsv1.StatefulSetStatus) string {
	out := status.DeepCopy()
	for i := range out.Conditions {
		out.Conditions[i].LastTransitionTime = metav1.Time{}
	}
	return encode(out)
}

func plainMeta(meta *metav1.ObjectMeta) {
	meta.CreationTimestamp, meta.ManagedFields = metav1.Time{}, nil
	meta.OwnerReferences = plainOwners(meta.OwnerReferences)
}

// plainOwners writes absent booleans and false in the same way, because they mean the same.
func plainOwners(owners []metav1.OwnerReference) []metav1.OwnerReference {
	var out []metav1.OwnerReference
	for _, owner := range owners {
		owner.Controller, owner.BlockOwnerDeletion = orNil(owner.Controller), orNil(owner.BlockOwnerDeletion)
		out = append(out, owner)
	}
	return out
}

func orNil(value *bool) *bool {
	if value == nil || !*value {
		return nil
	}
	return value
}

func encode(object any) string {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err) // API types always encode
	}
	return string(text)
}

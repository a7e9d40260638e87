package world

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Apply changes the world as the requests would. Refused requests change nothing.
func (w *World) Apply(writes []Write) {
	for _, write := range writes {
		if write.Refused == "" {
			w.apply(write)
		}
	}
}

func (w *World) apply(write Write) {
	switch write.Op {
	case CreatePod:
		pod := decode[corev1.Pod](write.Body)
		w.newborn(&pod.ObjectMeta)
		pod.Status.Phase = corev1.PodPending
		w.Pods = append(w.Pods, pod)
	case UpdatePod:
		pod := w.Pod(write.Name)
		status, created := pod.Status, pod.CreationTimestamp
		*pod = *decode[corev1.Pod](write.Body)
		pod.Status, pod.CreationTimestamp = status, created
	case DeletePod:
		if pod := w.Pod(write.Name); pod.DeletionTimestamp == nil {
			pod.DeletionTimestamp = &metav1.Time{Time: w.Now}
		}
	case OwnPod:
		w.Pod(write.Name).OwnerReferences = *decode[[]metav1.OwnerReference](write.Body)
	case CreateClaim:
		claim := decode[corev1.PersistentVolumeClaim](write.Body)
		w.newborn(&claim.ObjectMeta)
		claim.Status.Phase = corev1.ClaimPending
		w.Claims = append(w.Claims, claim)
	case UpdateClaim:
		claim := w.Claim(write.Name)
		claim.OwnerReferences = decode[corev1.PersistentVolumeClaim](write.Body).OwnerReferences
	case CreateRevision:
		body, data, _ := strings.Cut(write.Body, "\ndata: ")
		revision := decode[appsv1.ControllerRevision](body)
		revision.Data.Raw = []byte(data)
		w.newborn(&revision.ObjectMeta)
		w.Revisions = append(w.Revisions, revision)
	case UpdateRevision:
		body, _, _ := strings.Cut(write.Body, "\ndata: ")
		w.Revision(write.Name).Revision = decode[appsv1.ControllerRevision](body).Revision
	case OwnRevision:
		w.Revision(write.Name).OwnerReferences = *decode[[]metav1.OwnerReference](write.Body)
	case DeleteRevision:
		w.Revisions = slices.DeleteFunc(w.Revisions, func(r *appsv1.ControllerRevision) bool { return r.Name == write.Name })
	case UpdateStatus:
		conditions := w.Set.Status.Conditions
		w.Set.Status = *decode[appsv1.StatefulSetStatus](write.Body)
		if !Since137 { // which wrote none
			w.Set.Status.Conditions = conditions
		}
	}
}

// newborn adds what the API server adds to a new object.
func (w *World) newborn(meta *metav1.ObjectMeta) {
	w.Born++
	meta.UID, meta.ResourceVersion = types.UID(fmt.Sprintf("born-%d", w.Born)), "1"
	meta.CreationTimestamp = metav1.Time{Time: w.Now}
}

func decode[T any](body string) *T {
	out := new(T)
	if err := json.Unmarshal([]byte(body), out); err != nil {
		panic(err) // it is our own encoding
	}
	return out
}

package kube

import (
	"encoding/json"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/setplan/setplan/adapters/snapshot"
)

// The transforms keep what a snapshot needs and drop the rest before it is cached. A pod of 10 kB becomes one of 2 kB, and a
// field that is needed later is missed at once and not only under load. Transforms are idempotent.

// lightPod is the transform of the pod informer.
func lightPod(kind SetKind) func(object any) (any, error) {
	return func(object any) (any, error) {
		pod, ok := object.(*corev1.Pod)
		switch {
		case !ok:
			return object, nil // a tombstone, or transformed before
		case !kind.wanted(pod):
			return strangerOf(pod), nil
		}
		return podInSets(pod), nil
	}
}

func podInSets(pod *corev1.Pod) *cachedPod {
	light := &cachedPod{ObjectMeta: lightMeta(&pod.ObjectMeta), creator: creator(pod.ManagedFields)}
	_, light.ordinal, _ = snapshot.SplitOrdinal(pod.Name)
	message, shared := snapshot.Pod(pod)
	light.shared = shared
	light.message.Store(message)
	return light
}

// lightClaim is the transform of the claim informer.
func lightClaim(object any) (any, error) {
	claim, ok := object.(*corev1.PersistentVolumeClaim)
	if !ok {
		return object, nil
	}
	light := &cachedClaim{ObjectMeta: lightMeta(&claim.ObjectMeta)}
	_, light.ordinal, _ = snapshot.SplitOrdinal(claim.Name)
	message, shared := snapshot.Claim(claim)
	light.shared = shared
	light.message.Store(message)
	return light, nil
}

// lightRevision is the transform of the revision informer. It keeps the data as in the API server's JSON.
func lightRevision(object any) (any, error) {
	revision, ok := object.(*appsv1.ControllerRevision)
	if !ok {
		return object, nil
	}
	light := &appsv1.ControllerRevision{ObjectMeta: lightMeta(&revision.ObjectMeta), Revision: revision.Revision}
	light.Labels = revision.Labels
	light.Data.Raw = asText(revision.Data)
	return light, nil
}

// asText turns data from protobuf into the bytes of the API server's JSON, so that a snapshot does not depend on the encoding in which
// it was read: protobuf has the data as it was written, with white space and unescaped characters. Data that is no JSON stays as it
// is, and the planner reports it.
func asText(data runtime.RawExtension) []byte {
	if len(data.Raw) == 0 {
		return nil
	}
	text, err := json.Marshal(data)
	if err != nil {
		return data.Raw
	}
	return text
}

func lightMeta(meta *metav1.ObjectMeta) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name:              meta.Name,
		Namespace:         meta.Namespace,
		UID:               meta.UID,
		ResourceVersion:   meta.ResourceVersion,
		CreationTimestamp: meta.CreationTimestamp,
		DeletionTimestamp: meta.DeletionTimestamp,
		OwnerReferences:   meta.OwnerReferences,

		DeletionGracePeriodSeconds: meta.DeletionGracePeriodSeconds,
	}
}

// creator names the field manager that created an object: the oldest one that set its spec.
func creator(entries []metav1.ManagedFieldsEntry) string {
	var oldest *metav1.ManagedFieldsEntry
	for i := range entries {
		entry := &entries[i]
		if entry.Subresource != "" || entry.FieldsV1 == nil || !strings.Contains(entry.FieldsV1.GetRawString(), `"f:spec":`) {
			continue
		}
		if oldest == nil || entry.Time.Before(oldest.Time) {
			oldest = entry
		}
	}
	if oldest == nil {
		return ""
	}
	return oldest.Manager
}

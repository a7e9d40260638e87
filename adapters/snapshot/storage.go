package snapshot

import (
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// storageText is what a claim asks for and has, as the bytes of its message: so claims with the same values share them. Empty if the claim
// says nothing of it. Amounts have the text of the API server, which writes each amount in one way only.
func storageText(claim *corev1.PersistentVolumeClaim) string {
	out := setplanv1.ClaimStorage{
		Request:                quantity(claim.Spec.Resources.Requests),
		Capacity:               quantity(claim.Status.Capacity),
		ResizeStatus:           valid(string(claim.Status.AllocatedResourceStatuses[corev1.ResourceStorage])),
		StorageClass:           storageClass(claim),
		AttributesClass:        text(claim.Spec.VolumeAttributesClassName),
		CurrentAttributesClass: text(claim.Status.CurrentVolumeAttributesClassName),
	}
	if modify := claim.Status.ModifyVolumeStatus; modify != nil {
		out.ModifyStatus = valid(string(modify.Status))
	}
	for _, c := range claim.Status.Conditions {
		if c.Type != "Unused" { // changes with each pod that comes or goes, since Kubernetes 1.37
			out.Conditions = append(out.Conditions, &setplanv1.Condition{Type: valid(string(c.Type)), Status: valid(string(c.Status)),
				Reason: valid(c.Reason), Message: valid(c.Message), LastTransitionTime: timestamp(metav1.NewTime(c.LastTransitionTime.Truncate(time.Second)))}) // as in JSON
		}
	}
	return encoded(&out)
}

// storageClass is the class by which the API server judges a claim: the annotation is older than the field, and goes before it.
func storageClass(claim *corev1.PersistentVolumeClaim) string {
	if class, ok := claim.Annotations[corev1.BetaStorageClassAnnotation]; ok {
		return valid(class)
	}
	return text(claim.Spec.StorageClassName)
}

func encoded(storage *setplanv1.ClaimStorage) string {
	text, err := proto.MarshalOptions{Deterministic: true}.Marshal(storage)
	if err != nil {
		panic(err) // possible only with text that is not UTF-8, which valid removes
	}
	return string(text)
}

// SameButBound reports whether two versions of a claim share all but what is written together with the phase when a claim is bound: its
// capacity, and that it has the attributes class that it asks for (pv_controller.go, updateClaimStatus).
func (s Shared) SameButBound(later Shared) bool {
	was, is := s.handle.Value(), later.handle.Value()
	if was.storage != is.storage {
		storage := claimStorage(is.storage)
		storage.Capacity = ""
		if storage.CurrentAttributesClass == storage.AttributesClass {
			storage.CurrentAttributesClass = ""
		}
		is.storage = encoded(storage)
	}
	return was == is
}

func claimStorage(text string) *setplanv1.ClaimStorage {
	out := &setplanv1.ClaimStorage{}
	if err := proto.Unmarshal([]byte(text), out); err != nil {
		panic(err) // storageText wrote it
	}
	return out
}

func quantity(of corev1.ResourceList) string {
	amount, there := of[corev1.ResourceStorage]
	if !there {
		return ""
	}
	return amount.String()
}

func text(of *string) string {
	if of == nil {
		return ""
	}
	return valid(*of)
}

// valid replaces what no message can carry, as in JSON.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

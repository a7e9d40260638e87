package snapshot

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestSentSnapshotsStay: a snapshot may still be in transit when the next one is made with other indexes. The messages that
// both contain must not change.
func TestSentSnapshotsStay(t *testing.T) {
	pod := func(controller string) (*setplanv1.Pod, Shared) {
		return Pod(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{controllerRef(controller)}}})
	}
	claim := func(controller string) (*setplanv1.Claim, Shared) {
		return Claim(&corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{controllerRef(controller)}}})
	}
	first := NewTables()
	sentPod, sentClaim := first.Pod(pod("set")), first.Claim(claim("set"))

	second := NewTables()
	second.Pod(pod("other"))
	second.Claim(claim("other"))
	_, ours := pod("set")
	if at := second.Pod(sentPod, ours).GetOwnerSetIndex(); at != 2 {
		t.Errorf("the owners of the pod are number %d of the second snapshot, want 2", at)
	}
	_, ours = claim("set")
	if at := second.Claim(sentClaim, ours).GetOwnerSetIndex(); at != 2 {
		t.Errorf("the owners of the claim are number %d of the second snapshot, want 2", at)
	}
	if sentPod.GetOwnerSetIndex() != 1 || sentClaim.GetOwnerSetIndex() != 1 {
		t.Errorf("in the first snapshot they were number 1, and are now %d and %d", sentPod.GetOwnerSetIndex(), sentClaim.GetOwnerSetIndex())
	}
}

// TestTables: different pods get different messages, equal pods equal ones, and the tables have what the pods have, in any
// order. The messages are reused, so each pair of pods also meets the indexes of earlier pairs.
func TestTables(t *testing.T) {
	yes, no := true, false
	owner := func(uid string, controller *bool) []metav1.OwnerReference {
		return []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", UID: types.UID(uid), Controller: controller}}
	}
	shapes := []corev1.Pod{
		{},
		{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": "1"}, OwnerReferences: owner("x", &yes)}},
		{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": ""}, OwnerReferences: owner("x", &no)}},
		{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"b": "1"}, OwnerReferences: owner("y", nil)}},
		{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": "1", "b": "1"}, OwnerReferences: append(owner("x", &yes), owner("y", nil)...)}},
		{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{labelRevision: "r1", labelPodName: "other"}}},
		{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{labelRevision: "", labelPodName: "web-0"}}},
		{Spec: corev1.PodSpec{Volumes: []corev1.Volume{claimVolume("data", "data-web-0")}}},
		{Spec: corev1.PodSpec{Volumes: []corev1.Volume{claimVolume("data", "data-web-0"), claimVolume("logs", "logs-web-0")}}},
		{Spec: corev1.PodSpec{Volumes: []corev1.Volume{claimVolume("data", "data-web-1")}}},
	}
	messages, shared := make([]*setplanv1.Pod, len(shapes)), make([]Shared, len(shapes))
	for i := range shapes {
		shapes[i].Name = "web-0"
		messages[i], shared[i] = Pod(&shapes[i])
	}
	for i := range shapes {
		for j := range shapes {
			tables := NewTables()
			place := func(i int) *setplanv1.Pod {
				messages[i] = tables.Pod(messages[i], shared[i])
				return messages[i]
			}
			first, second, third := place(i), place(j), place(i)
			if first != third {
				t.Errorf("shape %d with %d differs the second time", i, j)
			}
			if same := proto.Equal(first, second); same != (i == j) {
				t.Errorf("shapes %d and %d: the same message: %v", i, j, same)
			}
			for k, message := range map[int]*setplanv1.Pod{i: first, j: second} {
				if diff := cmp.Diff(described(&shapes[k]), resolved(tables.Message(), message)); diff != "" {
					t.Errorf("shape %d of %d and %d:\n%s", k, i, j, diff)
				}
			}
		}
	}
}

// podShape is a pod with its shared values in place of indexes.
type podShape struct {
	Labels  map[string]string
	Owners  []string
	Volumes []string
}

func described(pod *corev1.Pod) podShape {
	out := podShape{Labels: pod.Labels}
	for _, r := range pod.OwnerReferences {
		out.Owners = append(out.Owners, fmt.Sprint(r.UID, r.Controller != nil && *r.Controller))
	}
	for _, v := range pod.Spec.Volumes {
		if v.PersistentVolumeClaim.ClaimName == v.Name+"-web-0" {
			out.Volumes = append(out.Volumes, v.Name)
		}
	}
	return out
}

func resolved(tables *setplanv1.Tables, pod *setplanv1.Pod) podShape {
	var out podShape
	label := func(name, value string) {
		if out.Labels == nil {
			out.Labels = map[string]string{}
		}
		out.Labels[name] = value
	}
	if at := pod.GetLabelSetIndex(); at > 0 {
		for name, value := range tables.GetLabelSets()[at].GetLabels() {
			label(name, value)
		}
	}
	if at := pod.GetRevisionNameIndex(); at > 0 {
		label(labelRevision, tables.GetRevisionNames()[at])
	}
	if pod.GetPodNameLabel() {
		label(labelPodName, pod.GetName())
	}
	if at := pod.GetOwnerSetIndex(); at > 0 {
		for _, r := range tables.GetOwnerSets()[at].GetOwners() {
			out.Owners = append(out.Owners, fmt.Sprint(r.GetUid(), r.GetController()))
		}
	}
	if at := pod.GetVolumeSetIndex(); at > 0 {
		out.Volumes = tables.GetVolumeSets()[at].GetVolumes()
	}
	return out
}

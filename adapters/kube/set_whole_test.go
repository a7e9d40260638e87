package kube

import (
	"errors"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Field numbers on the way through a set's protobuf.
const (
	inMetadata, inSpec, inStatus = 1, 2, 3
	inSelector, inTemplate       = 2, 3
	inClaimTemplates             = 4
	inPodSpec, inClaimSpec       = 2, 2
	inContainers, inAffinity     = 2, 18
	inConditions                 = 10
)

// TestWhole: a field that our types lack is noticed anywhere in a set.
func TestWhole(t *testing.T) {
	set := &appsv1.StatefulSet{
		Spec: appsv1.StatefulSetSpec{
			Selector:             &metav1.LabelSelector{},
			Template:             corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{}}, Affinity: &corev1.Affinity{}}},
			VolumeClaimTemplates: []corev1.PersistentVolumeClaim{{}},
		},
		Status: appsv1.StatefulSetStatus{Conditions: []appsv1.StatefulSetCondition{{}}},
	}
	if _, err := decodeSet(served(t, set, runtime.ContentTypeProtobuf)); err != nil {
		t.Fatalf("all fields are known, but: %v", err)
	}
	for name, path := range map[string][]protowire.Number{
		"set":            {},
		"metadata":       {inMetadata},
		"spec":           {inSpec},
		"status":         {inStatus},
		"condition":      {inStatus, inConditions},
		"selector":       {inSpec, inSelector},
		"template":       {inSpec, inTemplate},
		"labels":         {inSpec, inTemplate, inMetadata},
		"pod":            {inSpec, inTemplate, inPodSpec},
		"container":      {inSpec, inTemplate, inPodSpec, inContainers},
		"affinity":       {inSpec, inTemplate, inPodSpec, inAffinity},
		"claim template": {inSpec, inClaimTemplates},
		"claim's spec":   {inSpec, inClaimTemplates, inClaimSpec},
	} {
		newer := withLaterField(t, set, path...)
		if got, err := decodeSet(newer); !errors.Is(err, errLossy) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// TestWholeOfUpstream: Kubernetes 1.35 could store more than today's types hold, because a field has been dropped since. A rule
// that an older API server has no unknown fields would be wrong.
func TestWholeOfUpstream(t *testing.T) {
	if _, err := decodeSet(upstreamsSet(t, "v1.35.0", "pb")); !errors.Is(err, errLossy) {
		t.Errorf("a set of 1.35 was read: %v", err)
	}
}

// withLaterField is a set as a newer API server sends it, with one more field in one of the messages.
func withLaterField(t *testing.T, set *appsv1.StatefulSet, path ...protowire.Number) []byte {
	t.Helper()
	return enveloped(t, served(t, set, runtime.ContentTypeProtobuf), func(raw []byte) []byte { return graft(t, raw, path) })
}

// withItem is a list with one more item.
func withItem(t *testing.T, list, item []byte) []byte {
	t.Helper()
	const items = 2
	return enveloped(t, list, func(raw []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(raw, items, protowire.BytesType), item)
	})
}

// enveloped changes the message within an API server's answer.
func enveloped(t *testing.T, data []byte, change func(raw []byte) []byte) []byte {
	t.Helper()
	var envelope runtime.Unknown
	if err := envelope.Unmarshal(data[4:]); err != nil {
		t.Fatal(err)
	}
	envelope.Raw = change(envelope.Raw)
	changed, err := envelope.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return append(data[:4:4], changed...)
}

// graft adds a field to the message at the end of a path; of repeated fields it takes the first.
func graft(t *testing.T, message []byte, path []protowire.Number) []byte {
	t.Helper()
	if len(path) == 0 {
		return protowire.AppendString(protowire.AppendTag(message[:len(message):len(message)], 9999, protowire.BytesType), "later")
	}
	for at := 0; at < len(message); {
		number, kind, tag := protowire.ConsumeTag(message[at:])
		length := protowire.ConsumeFieldValue(number, kind, message[at+tag:])
		if tag < 0 || length < 0 {
			t.Fatal("no protobuf")
		}
		end := at + tag + length
		if number == path[0] {
			inner, _ := protowire.ConsumeBytes(message[at+tag : end])
			out := protowire.AppendBytes(append([]byte(nil), message[:at+tag]...), graft(t, inner, path[1:]))
			return append(out, message[end:]...)
		}
		at = end
	}
	t.Fatalf("there is no field %d", path[0])
	return nil
}

package kube

import (
	"context"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

var takeOver = time.Unix(1_700_000_000, 0)

func wrote(manager, subresource string, after time.Duration) metav1.ManagedFieldsEntry {
	at := metav1.NewTime(takeOver.Add(after))
	return metav1.ManagedFieldsEntry{Manager: manager, Subresource: subresource, Operation: "Update", Time: &at}
}

func writtenBy(t *testing.T, uid string, entries ...metav1.ManagedFieldsEntry) *unstructured.Unstructured {
	t.Helper()
	set := webSet(t, uid)
	set.SetManagedFields(entries)
	return set
}

func podBy(manager, controller string, after time.Duration) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metaOf("web-0", controller)}
	pod.CreationTimestamp = metav1.NewTime(takeOver.Add(after))
	pod.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: manager, FieldsV1: metav1.NewFieldsV1(`{"f:spec":{}}`)}}
	return pod
}

// TestGuard holds what counts as another controller.
func TestGuard(t *testing.T) {
	accepted := writtenBy(t, "set", wrote(BuiltinManager, "status", time.Minute))
	accepted.SetAnnotations(map[string]string{AnnotationTakenOver: takeOver.Add(time.Minute).Format(time.RFC3339)})
	acceptedBefore := accepted.DeepCopy()
	acceptedBefore.SetAnnotations(map[string]string{AnnotationTakenOver: takeOver.Add(time.Second).Format(time.RFC3339)})
	nonsense := accepted.DeepCopy()
	nonsense.SetAnnotations(map[string]string{AnnotationTakenOver: "yes"})
	plain := webSet(t, "set")
	tests := []struct {
		name   string
		reason string
		set    *unstructured.Unstructured
		pod    *corev1.Pod
		want   string // part of the error, "" for none
	}{
		{"nothing", "a new set", plain, nil, ""},
		{"history", "what was written before the take-over is how a set is taken over", writtenBy(t, "set", wrote(BuiltinManager, "status", -time.Hour)), nil, ""},
		{"same second", "times have whole seconds, and the last write may be in ours", writtenBy(t, "set", wrote(BuiltinManager, "status", 0)), nil, ""},
		{"status after", "the built-in controller is at work", writtenBy(t, "set", wrote(BuiltinManager, "status", time.Second)), nil, "wrote the status"},
		{"ours after", "we write status all the time", writtenBy(t, "set", wrote(Manager, "status", time.Hour)), nil, ""},
		{"person after", "a person who edits is no controller", writtenBy(t, "set", wrote("kubectl-edit", "status", time.Hour)), nil, ""},
		{"metadata after", "the garbage collector has the same manager name", writtenBy(t, "set", wrote(BuiltinManager, "", time.Hour)), nil, ""},
		{"by flag", "a name that --foreign-managers gave", writtenBy(t, "set", wrote("other-controller", "status", time.Hour)), nil, "other-controller wrote"},
		{"pod after", "the built-in controller creates pods of the set", plain, podBy(BuiltinManager, "set", time.Second), "created pod web-0"},
		{"pod before", "history", plain, podBy(BuiltinManager, "set", -time.Second), ""},
		{"pod of ours", "we create pods", plain, podBy(Manager, "set", time.Hour), ""},
		{"pod of another owner", "a ReplicaSet's pod, say", plain, podBy(BuiltinManager, "other", time.Hour), ""},
		{"accepted", "the annotation makes it history", accepted, nil, ""},
		{"accepted too early", "it was written after the time in the annotation", acceptedBefore, nil, "wrote the status"},
		{"annotation without a time", "counts as none", nonsense, nil, "wrote the status"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			caches := filledCaches(t, test.set)
			if test.pod != nil {
				add(t, caches.of("default"), test.pod)
			}
			guard := NewGuard(caches, []string{BuiltinManager, "other-controller"})
			guard.TakeOver(takeOver.Add(300 * time.Millisecond))
			err := guard.Check(context.Background(), webKey)
			if (err != nil) != (test.want != "") || (err != nil && !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%s: got %v", test.reason, err)
			}
		})
	}
}

// TestGuardRemembers: our next status write may wipe the trace, the hold stays.
func TestGuardRemembers(t *testing.T) {
	caches := filledCaches(t, webSet(t, "set"))
	guard := NewGuard(caches, []string{BuiltinManager})
	steps := []struct {
		name   string
		reason string
		do     func()
		held   bool
	}{
		{"before the take-over", "a standby replica judges nothing", func() {
			guard.Saw(writtenBy(t, "set", wrote(BuiltinManager, "status", time.Hour)))
		}, false},
		{"seen in passing", "the version came and went between two passes", func() {
			guard.TakeOver(takeOver)
			guard.Saw(writtenBy(t, "set", wrote(BuiltinManager, "status", time.Minute)))
		}, true},
		{"trace wiped", "the cached set shows nothing, it is remembered", func() {}, true},
		{"accepted", "the annotation ends it", func() {
			set := webSet(t, "set")
			set.SetAnnotations(map[string]string{AnnotationTakenOver: takeOver.Add(time.Hour).Format(time.RFC3339)})
			add(t, caches.of("default"), set)
		}, false},
		{"again", "a later write counts anew", func() {
			set := writtenBy(t, "set", wrote(BuiltinManager, "status", 2*time.Hour))
			set.SetAnnotations(map[string]string{AnnotationTakenOver: takeOver.Add(time.Hour).Format(time.RFC3339)})
			add(t, caches.of("default"), set)
		}, true},
		{"made anew", "another set under the same name has no past", func() { add(t, caches.of("default"), webSet(t, "new")) }, false},
	}
	for _, s := range steps {
		s.do()
		if err := guard.Check(context.Background(), webKey); (err != nil) != s.held {
			t.Errorf("%s: %s: got %v", s.name, s.reason, err)
		}
	}
}

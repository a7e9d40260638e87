package kube

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The take-over is at version 100 of both kinds, and every write in these tests is in the same second.
var takeOver = Versions{Sets: "100", Pods: "100"}

const theSecond = "2023-11-14T22:13:20Z"

// wrote is an entry of managedFields for these fields of the status.
func wrote(manager string, fields ...string) any {
	owned := map[string]any{}
	for _, field := range fields {
		owned["f:"+field] = map[string]any{}
	}
	return map[string]any{"manager": manager, "operation": "Update", "apiVersion": "apps/v1", "subresource": "status",
		"time": theSecond, "fieldsV1": map[string]any{"f:status": owned}}
}

// at gives an entry another time.
func at(entry any, time string) any {
	entry.(map[string]any)["time"] = time
	return entry
}

// versionOf is a version of the set with this number of replicas in its status.
func versionOf(t *testing.T, version string, replicas int64, entries ...any) *unstructured.Unstructured {
	t.Helper()
	set := webSet(t, "set")
	set.SetResourceVersion(version)
	set.Object["status"] = map[string]any{"replicas": replicas, "readyReplicas": int64(1)}
	set.Object["metadata"].(map[string]any)["managedFields"] = entries
	return set
}

// lightOf is a set as the cache has it.
func lightOf(t *testing.T, set *unstructured.Unstructured) any {
	t.Helper()
	light, err := lightSet(StatefulSets())(set.DeepCopy())
	if err != nil {
		t.Fatal(err)
	}
	return light
}

func annotated(set *unstructured.Unstructured, value string) *unstructured.Unstructured {
	set = set.DeepCopy()
	set.SetAnnotations(map[string]string{AnnotationTakenOver: value})
	return set
}

// guardOver makes a guard over one set that has taken over.
func guardOver(t *testing.T, set *unstructured.Unstructured) (*Guard, *Caches) {
	t.Helper()
	caches := filledCaches(t, set)
	guard := NewGuard(caches, []string{BuiltinManager, "other-controller"})
	guard.TakeOver(takeOver)
	return guard, caches
}

// TestGuardOfStatus checks whose writes to a status count, without a clock.
func TestGuardOfStatus(t *testing.T) {
	const theirs = BuiltinManager
	history := versionOf(t, "90", 1, wrote(theirs, "replicas", "readyReplicas"))
	ours := versionOf(t, "90", 1, wrote(Manager, "replicas"), wrote(theirs, "readyReplicas"))
	tests := []struct {
		name     string
		reason   string
		old, now *unstructured.Unstructured
		want     string // part of the error, "" for none
	}{
		{"nothing", "a new set", nil, versionOf(t, "101", 0), ""},
		{"history", "writes before the take-over do not count", nil, history, ""},
		{"history that comes late", "the watch lags behind the take-over", history, versionOf(t, "100", 2, wrote(theirs, "replicas", "readyReplicas")), ""},
		{"same second, other value", "the owner of a changed field has changed it", history, versionOf(t, "101", 2, wrote(theirs, "replicas", "readyReplicas")), "kube-controller-manager wrote the status"},
		{"same second, new field", "whoever gains a field has written it", ours, versionOf(t, "101", 1, wrote(theirs, "replicas", "readyReplicas")), "wrote the status"},
		{"same second, first write", "an entry that was not there", versionOf(t, "90", 1, wrote(Manager, "replicas")), versionOf(t, "101", 1, wrote(Manager, "replicas"), wrote(theirs, "updateRevision")), "wrote the status"},
		{"clock behind", "another API server, whose clock is slow", history, versionOf(t, "101", 1, at(wrote(theirs, "replicas", "readyReplicas"), "2023-11-14T22:13:19Z")), "wrote the status"},
		{"spec", "a user edits the spec: the status is unchanged", history, versionOf(t, "101", 1, wrote(theirs, "replicas", "readyReplicas")), ""},
		{"ours", "we take over fields from the other, whose entry shrinks", history, versionOf(t, "101", 2, wrote(Manager, "replicas"), wrote(theirs, "readyReplicas")), ""},
		{"person", "a user who edits is no controller", history, versionOf(t, "101", 2, wrote("kubectl-edit", "replicas"), wrote(theirs, "readyReplicas")), ""},
		{"by flag", "a name that --foreign-managers gave", history, versionOf(t, "101", 2, wrote("other-controller", "replicas")), "other-controller wrote"},
		{"part of a list", "others change conditions of which the other has one", withConditions(versionOf(t, "90", 1, wrote(theirs, "conditions")), "A"),
			withConditions(versionOf(t, "101", 1, wrote(theirs, "conditions"), wrote(Manager, "conditions")), "B"), ""},
		{"new set", "made and written since", nil, versionOf(t, "101", 1, wrote(theirs, "replicas")), "wrote the status"},
		{"accepted with it", "the annotation makes it history", history, annotated(versionOf(t, "101", 2, wrote(theirs, "replicas", "readyReplicas")), theSecond), ""},
		{"accepted before", "a time in the future switches nothing off", annotated(history, "2999-01-01T00:00:00Z"),
			annotated(versionOf(t, "101", 2, wrote(theirs, "replicas", "readyReplicas")), "2999-01-01T00:00:00Z"), "wrote the status"},
		{"annotation without a time", "counts as none", history, annotated(versionOf(t, "101", 2, wrote(theirs, "replicas", "readyReplicas")), "yes"), "wrote the status"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			guard, _ := guardOver(t, test.now)
			guard.setChanged(test.old, test.now)
			err := guard.Check(context.Background(), webKey)
			if (err != nil) != (test.want != "") || (err != nil && !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%s: got %v", test.reason, err)
			}
		})
	}
}

func withConditions(set *unstructured.Unstructured, kind string) *unstructured.Unstructured {
	set.Object["status"].(map[string]any)["conditions"] = []any{map[string]any{"type": kind}}
	return set
}

// TestGuardOfPods checks whose new pods count.
func TestGuardOfPods(t *testing.T) {
	tests := []struct {
		name, reason         string
		manager, owner, made string
		want                 bool
	}{
		{"after", "the built-in controller creates pods of the set", BuiltinManager, "set", "101", true},
		{"before", "history", BuiltinManager, "set", "100", false},
		{"ours", "we create pods", Manager, "set", "101", false},
		{"of another owner", "a ReplicaSet's pod, say", BuiltinManager, "other", "101", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			guard, _ := guardOver(t, webSet(t, "set"))
			pod := &corev1.Pod{ObjectMeta: metaOf("web-0", test.owner)}
			pod.ResourceVersion = test.made
			pod.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: test.manager, FieldsV1: metav1.NewFieldsV1(`{"f:spec":{}}`)}}
			guard.podHandler().OnAdd(podInSets(pod), false)
			if err := guard.Check(context.Background(), webKey); (err != nil) != test.want {
				t.Errorf("%s: got %v", test.reason, err)
			}
		})
	}
}

// TestGuardRemembers: our next status write may wipe the trace, but the hold stays.
func TestGuardRemembers(t *testing.T) {
	first := versionOf(t, "90", 1, wrote(BuiltinManager, "replicas"))
	caches := filledCaches(t, first)
	guard := NewGuard(caches, []string{BuiltinManager})
	told := 0
	guard.noticed = func(adapters.Key) { told++ }
	last := first
	next := func(set *unstructured.Unstructured) {
		guard.setHandler().OnUpdate(lightOf(t, last), lightOf(t, set))
		add(t, caches.of("default"), set)
		last = set
	}
	theirs := func(version string, replicas int64) *unstructured.Unstructured {
		return versionOf(t, version, replicas, wrote(BuiltinManager, "replicas"))
	}
	steps := []struct {
		name   string
		reason string
		do     func()
		held   bool
	}{
		{"before the take-over", "nothing is known to come after it", func() { next(theirs("95", 2)) }, false},
		{"while taking over", "this may still be history", func() { next(theirs("99", 3)); next(theirs("101", 4)) }, false},
		{"taken over", "it was not", func() { guard.TakeOver(takeOver) }, true},
		{"trace wiped", "the cached set shows nothing, but the guard remembers", func() {
			next(versionOf(t, "102", 5, wrote(Manager, "replicas")))
			guard.Applied(webKey, nil, statusAction, adapters.Result{Write: &adapters.Write{ResourceVersion: "102"}})
		}, true},
		{"accepted", "the annotation ends it", func() { next(annotated(last, theSecond)) }, false},
		{"again", "a later write counts again", func() { next(annotated(theirs("104", 6), theSecond)) }, true},
		{"recreated", "another set under the same name has no past", func() { add(t, caches.of("default"), webSet(t, "new")) }, false},
		{"gone", "nothing is kept of it", func() { next(theirs("105", 7)); guard.setHandler().OnDelete(lightOf(t, last)) }, false},
	}
	for _, s := range steps {
		s.do()
		if err := guard.Check(context.Background(), webKey); (err != nil) != s.held {
			t.Errorf("%s: %s: got %v", s.name, s.reason, err)
		}
	}
	if told != 4 {
		t.Errorf("a pass was asked for %d times: a settled set needs the guard to ask for one", told)
	}
	if len(guard.own) > 0 || len(guard.seen) > 0 {
		t.Errorf("kept: %v, %v", guard.own, guard.seen)
	}
}

var statusAction = &setplanv1.Action{Operation: &setplanv1.Action_UpdateStatus{}, Precondition: &setplanv1.Precondition{Uid: "set"}}

// TestGuardOfOwnKind: another process of this adapter writes under the same name. The order of answers and events does not
// matter, and our own writes are never taken for another's.
func TestGuardOfOwnKind(t *testing.T) {
	answered := func(version string) adapters.Result {
		return adapters.Result{Write: &adapters.Write{ResourceVersion: version}}
	}
	lost := adapters.Result{Err: errors.New("timeout"), Outcome: setplanv1.OutcomeResult_OUTCOME_RESULT_ERROR}
	refused := adapters.Result{Err: errors.New("conflict"), Outcome: setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT}
	tests := []struct {
		name, reason string
		steps        []any // a version that the watch shows, or a result of ours
		held         bool
	}{
		{"answer, event", "the usual order", []any{"101", answered("102"), "102"}, false},
		{"event, answer", "the watch is faster", []any{"101", "102", answered("102")}, false},
		{"two of ours", "", []any{"101", answered("102"), answered("103"), "102", "103"}, false},
		{"gap", "a list leaves versions out", []any{"101", answered("102"), "104"}, false},
		{"another's", "", []any{"101", answered("102"), "102", "103"}, true},
		{"another's first", "", []any{"101", "102", answered("103"), "103"}, true},
		{"out of the time before", "the previous leader may have written it", []any{"101"}, false},
		{"refused", "a conflict was not carried out: it is another's", []any{"101", refused, "102"}, true},
		{"lost answer", "it may have been carried out", []any{"101", lost, "102"}, false},
		{"lost answer, event first", "", []any{"101", "102", lost}, false},
		{"lost, and done late", "up to the next write that is answered", []any{"101", lost, answered("103"), "102", "103"}, false},
		{"lost once", "the next write is known", []any{"101", lost, answered("103"), "102", "103", "104"}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			replicas := int64(1)
			last := versionOf(t, "99", replicas, wrote(Manager, "replicas"))
			guard, _ := guardOver(t, last)
			for _, s := range test.steps {
				switch s := s.(type) {
				case string:
					replicas++
					now := versionOf(t, s, replicas, wrote(Manager, "replicas"))
					guard.setChanged(last, now)
					last = now
				case adapters.Result:
					guard.Applied(webKey, nil, statusAction, s)
				}
			}
			err := guard.Check(context.Background(), webKey)
			if (err != nil) != test.held {
				t.Errorf("%s: got %v", test.reason, err)
			}
			if err != nil && !strings.Contains(fmt.Sprint(err), "another process of this adapter") {
				t.Errorf("the message does not name the writer: %v", err)
			}
		})
	}
}

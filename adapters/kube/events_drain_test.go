package kube

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// because gives an action a cause.
func because(action *setplanv1.Action, code setplanv1.CauseCode, sentence string) *setplanv1.Action {
	action.Cause = &setplanv1.Cause{Code: code, Message: sentence}
	return action
}

func deleteClaim() *setplanv1.Action {
	a := action(kindClaim, "data-web-0", is("c", "9"))
	a.Operation = &setplanv1.Action_DeleteClaim{DeleteClaim: &setplanv1.DeleteClaim{}}
	return because(a, setplanv1.CauseCode_CAUSE_CODE_DRAINED, "The drain pod has succeeded: the claim's data has been drained.")
}

// TestEventsOfDrains: an event says that data is destroyed, or why a pod is replaced unasked; and a drain pod's events differ
// from a replica's.
func TestEventsOfDrains(t *testing.T) {
	quota := adapters.Result{Err: errors.New("quota"), Outcome: rejected}
	conflict := adapters.Result{Err: errors.New("changed"), Outcome: conflicts}
	const begun, drained = setplanv1.CauseCode_CAUSE_CODE_DRAIN, setplanv1.CauseCode_CAUSE_CODE_DRAINED
	const again, cancelled = setplanv1.CauseCode_CAUSE_CODE_DRAIN_FAILED, setplanv1.CauseCode_CAUSE_CODE_DRAIN_CANCELLED
	const repair, kept = setplanv1.CauseCode_CAUSE_CODE_REPAIR, setplanv1.CauseCode_CAUSE_CODE_DRAIN_FINALIZER
	gone := func() *setplanv1.Action { return deletePod(is("p", "")) }
	tests := []struct {
		name   string
		action *setplanv1.Action
		result adapters.Result
		want   []string
	}{
		{"a claim is deleted", deleteClaim(), adapters.Result{}, []string{"Normal SuccessfulDeleteClaim Delete Claim data-web-0 of Pod web-0 in StatefulSet web successful. " +
			"The drain pod has succeeded: the claim's data has been drained."}},
		{"a claim stays", deleteClaim(), quota, []string{"Warning FailedDeleteClaim Delete Claim data-web-0 of Pod web-0 in StatefulSet web failed error: quota"}},
		{"a claim has changed", deleteClaim(), conflict, nil},
		{"begun", because(createPod(), begun, "Why."), adapters.Result{}, []string{"Normal DrainStarted Create drain Pod web-0 in StatefulSet web successful. Why."}},
		{"not begun", because(createPod(), begun, "Why."), quota, []string{"Warning FailedCreateDrainPod Create drain Pod web-0 in StatefulSet web failed error: quota"}},
		{"finished", because(gone(), drained, "Why."), adapters.Result{}, []string{"Normal DrainFinished Delete drain Pod web-0 in StatefulSet web successful. Why."}},
		{"not taken away", because(gone(), drained, "Why."), quota, []string{"Warning FailedDeleteDrainPod Delete drain Pod web-0 in StatefulSet web failed error: quota"}},
		{"failed", because(gone(), again, "Why."), adapters.Result{}, []string{"Normal DrainRetried Delete drain Pod web-0 in StatefulSet web successful. Why."}},
		{"cancelled", because(gone(), cancelled, "Why."), adapters.Result{}, []string{"Normal DrainCancelled Delete drain Pod web-0 in StatefulSet web successful. Why."}},
		{"kept by a finalizer", because(setFinalizer(true), kept, "Why."), adapters.Result{}, []string{"Normal SuccessfulAddFinalizer Add finalizer setplan.io/drain to StatefulSet web successful. Why."}},
		{"not kept", because(setFinalizer(true), kept, "Why."), quota, []string{"Warning FailedAddFinalizer Add finalizer setplan.io/drain to StatefulSet web failed error: quota"}},
		{"let go", because(setFinalizer(false), kept, "Why."), adapters.Result{}, []string{"Normal SuccessfulRemoveFinalizer Remove finalizer setplan.io/drain from StatefulSet web successful. Why."}},
		{"not let go", because(setFinalizer(false), kept, "Why."), quota, []string{"Warning FailedRemoveFinalizer Remove finalizer setplan.io/drain from StatefulSet web failed error: quota"}},
		{"repaired", because(gone(), repair, "Why."), adapters.Result{}, []string{"Normal SuccessfulDelete Delete Pod web-0 in StatefulSet web successful",
			"Normal Repairing Replace Pod web-0 in StatefulSet web. Why."}},
		{"not repaired", because(gone(), repair, "Why."), quota, []string{"Warning FailedDelete Delete Pod web-0 in StatefulSet web failed error: quota"}},
		{"updated", because(gone(), setplanv1.CauseCode_CAUSE_CODE_OUTDATED, "Why."), adapters.Result{}, []string{"Normal SuccessfulDelete Delete Pod web-0 in StatefulSet web successful"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			events, recorder := newEvents()
			events.Applied(webKey, eventSnapshot, test.action, test.result)
			if diff := cmp.Diff(test.want, told(recorder)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestCausesOfDrains: every cause is listed here as one about drains or not, also a new one.
func TestCausesOfDrains(t *testing.T) {
	ofNoPod := []string{"CAUSE_CODE_DRAIN_MARK", "CAUSE_CODE_DRAIN_ASK", "CAUSE_CODE_DRAIN_FINALIZER"}
	for number, name := range setplanv1.CauseCode_name {
		_, known := drainReasons[setplanv1.CauseCode(number)]
		if wanted := strings.HasPrefix(name, "CAUSE_CODE_DRAIN") && !slices.Contains(ofNoPod, name); known != wanted {
			t.Errorf("%s is a cause of drain pods: %t, want %t", name, known, wanted)
		}
	}
}

// TestDrainEventsAreDocumented: docs/drain.md names each reason.
func TestDrainEventsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/drain.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, reason := range append(slices.Collect(maps.Values(drainReasons)), eventClaimDeleted) {
		if !strings.Contains(string(page), "`"+reason+"`") {
			t.Errorf("docs/drain.md does not name %s", reason)
		}
	}
}

// eventSink collects the events that would reach the API server.
type eventSink chan *corev1.Event

func (s eventSink) Create(event *corev1.Event) (*corev1.Event, error) { s <- event; return event, nil }
func (s eventSink) Update(event *corev1.Event) (*corev1.Event, error) { return event, nil }
func (s eventSink) Patch(event *corev1.Event, _ []byte) (*corev1.Event, error) {
	return event, nil
}

// TestDeletedClaimsAreNotSilenced: an event reports a deleted claim even when client-go drops the set's other events.
func TestDeletedClaimsAreNotSilenced(t *testing.T) {
	broadcaster, sink := newBroadcaster(), make(eventSink, 1000)
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(sink)
	events := NewEvents(broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: Manager}), nil)
	set := &setplanv1.Snapshot{Set: &setplanv1.StatefulSet{ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: "default", Name: "web", Uid: "set"}}
	const many = 100
	for i := range many {
		created := createPod()
		created.Target.Name = fmt.Sprintf("web-%d", i)
		events.Applied(webKey, set, created, adapters.Result{})
	}
	events.Applied(webKey, set, deleteClaim(), adapters.Result{})
	events.Applied(webKey, set, deleteClaim(), adapters.Result{Err: errors.New("last"), Outcome: rejected}) // warnings have a limit of their own
	pods, claims := 0, 0
	for {
		select {
		case event := <-sink:
			switch {
			case event.Reason == "SuccessfulCreate":
				pods++
			case event.Reason == eventClaimDeleted:
				claims++
			case strings.HasSuffix(event.Message, "last"):
				if pods >= many || claims != 1 {
					t.Errorf("%d of %d events of pods were sent, and %d of the deleted claim; want fewer, and 1", pods, many, claims)
				}
				return
			}
		case <-time.After(time.Minute):
			t.Fatal("the last event has not come")
		}
	}
}

package compare

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestWho: an event of the set names the controller, a condition of the pod a disruption, and without both it was somebody; but only who
// may read events knows that there is none.
func TestWho(t *testing.T) {
	at := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	event := func(reason, message string, ago time.Duration) corev1.Event {
		return corev1.Event{Reason: reason, Message: message, LastTimestamp: metav1.NewTime(at.Add(-ago))}
	}
	deleted := event("SuccessfulDelete", "delete Pod web-1 in StatefulSet web successful", 0)
	for name, test := range map[string]struct {
		trace  Trace
		events []corev1.Event
		unread bool
		want   string
	}{
		"an event":                          {Trace{}, []corev1.Event{deleted}, false, ByController},
		"an event, and a disruption before": {Trace{reason: "TerminationByKubelet"}, []corev1.Event{deleted}, false, ByController},
		"a clock that is behind":            {Trace{}, []corev1.Event{event(deleted.Reason, deleted.Message, 2*time.Second)}, false, ByController},
		"an event of an earlier pod":        {Trace{}, []corev1.Event{event(deleted.Reason, deleted.Message, 3*time.Second)}, false, BySomebody},
		"an event of a pod just before":     {Trace{at: at, made: at.Add(-time.Second)}, []corev1.Event{event(deleted.Reason, deleted.Message, 2*time.Second)}, false, BySomebody},
		"an event of another pod":           {Trace{}, []corev1.Event{event(deleted.Reason, "delete Pod web-11 in StatefulSet web successful", 0)}, false, BySomebody},
		"another event":                     {Trace{}, []corev1.Event{event("SuccessfulCreate", "create Pod web-1 in StatefulSet web successful", 0)}, false, BySomebody},
		"a disruption":                      {Trace{reason: "PreemptionByScheduler"}, nil, false, ByDisruption + " (PreemptionByScheduler)"},
		"a disruption, events unread":       {Trace{reason: "PreemptionByScheduler"}, nil, true, ByDisruption + " (PreemptionByScheduler)"},
		"nothing":                           {Trace{}, nil, false, BySomebody},
		"nothing, events unread":            {Trace{}, nil, true, ByUnknown},
	} {
		if got := Who("web-1", test.trace, at, test.events, !test.unread); got.By != test.want || !got.At.Equal(at) {
			t.Errorf("%s: %+v, want by %s", name, got, test.want)
		}
	}
	if got := Who("web-1", Trace{at: at.Add(-time.Second)}, at, nil, true); !got.At.Equal(at.Add(-time.Second)) {
		t.Errorf("the API server's time is not used: %v", got.At)
	}
}

// TestTrace: the time is that of the request, and a pod that ends because it is deleted had not ended before.
func TestTrace(t *testing.T) {
	made := time.Date(2026, 1, 31, 11, 0, 0, 0, time.UTC)
	gone := metav1.NewTime(time.Date(2026, 1, 31, 12, 0, 30, 0, time.UTC))
	pod := func(phase corev1.PodPhase, going bool, conditions ...corev1.PodCondition) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.NewTime(made)}, Status: corev1.PodStatus{Phase: phase, Conditions: conditions}}
		if going {
			p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &gone, new(int64(30))
		}
		return p
	}
	target := corev1.PodCondition{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: "EvictionByEvictionAPI"}
	asked := gone.Add(-30 * time.Second)
	for name, test := range map[string]struct {
		versions []*corev1.Pod
		want     Trace
	}{
		"one that runs":                  {[]*corev1.Pod{pod(corev1.PodRunning, false)}, Trace{}},
		"one that is deleted":            {[]*corev1.Pod{pod(corev1.PodRunning, false), pod(corev1.PodRunning, true)}, Trace{at: asked, made: made}},
		"one that ends":                  {[]*corev1.Pod{pod(corev1.PodFailed, false)}, Trace{phase: corev1.PodFailed}},
		"one that ends, and is deleted":  {[]*corev1.Pod{pod(corev1.PodSucceeded, false), pod(corev1.PodSucceeded, true)}, Trace{at: asked, made: made, phase: corev1.PodSucceeded}},
		"one that ends as it is deleted": {[]*corev1.Pod{pod(corev1.PodRunning, true), pod(corev1.PodFailed, true)}, Trace{at: asked, made: made}},
		"one that is evicted":            {[]*corev1.Pod{pod(corev1.PodRunning, false, target), pod(corev1.PodRunning, true)}, Trace{at: asked, made: made, reason: target.Reason}},
		"one that was to be evicted": {[]*corev1.Pod{pod(corev1.PodRunning, true, corev1.PodCondition{Type: corev1.DisruptionTarget, Status: corev1.ConditionFalse,
			Reason: "x"})}, Trace{at: asked, made: made}},
	} {
		got := Trace{}
		for _, version := range test.versions {
			got = got.With(version)
		}
		if got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
	was := &setplanv1.Pod{Name: "web-1", Phase: setplanv1.PodPhase_POD_PHASE_RUNNING, Ready: true}
	if p := (Trace{phase: corev1.PodFailed}).before(was); p.GetReady() || p.GetPhase() != setplanv1.PodPhase_POD_PHASE_FAILED || !was.GetReady() {
		t.Errorf("before its deletion it is %v, and is now %v", p, was)
	}
}

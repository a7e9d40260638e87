package kube

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// told returns what the recorder received.
func told(recorder *record.FakeRecorder) []string {
	var list []string
	for {
		select {
		case event := <-recorder.Events:
			list = append(list, event)
		default:
			return list
		}
	}
}

func newEvents() (*Events, *record.FakeRecorder) {
	recorder := record.NewFakeRecorder(100)
	return NewEvents(recorder, func(adapters.Key) *corev1.ObjectReference { return &corev1.ObjectReference{} }), recorder
}

var eventSnapshot = &setplanv1.Snapshot{Set: &setplanv1.StatefulSet{Name: "web"}}

// TestEventsOfActions compares events with the built-in controller's words.
func TestEventsOfActions(t *testing.T) {
	quota := adapters.Result{Err: errors.New("quota"), Outcome: rejected}
	conflict := adapters.Result{Err: errors.New("changed"), Outcome: conflicts}
	dying := apierrors.NewForbidden(corev1.Resource("pods"), "web-0", errors.New("namespace is terminating"))
	dying.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
	owners := action(kindClaim, "data-web-0", is("c", "9"))
	owners.Operation = &setplanv1.Action_SetClaimOwners{}
	adopt := action(kindPod, "web-0", is("p", ""))
	adopt.Operation = &setplanv1.Action_AdoptPod{}
	tests := []struct {
		name   string
		reason string
		action *setplanv1.Action
		result adapters.Result
		want   []string
	}{
		{"create pod", "", createPod(), adapters.Result{}, []string{"Normal SuccessfulCreate Create Pod web-0 in StatefulSet web successful"}},
		{"create pod fails", "", createPod(), quota, []string{"Warning FailedCreate Create Pod web-0 in StatefulSet web failed error: quota"}},
		{"delete pod", "", deletePod(is("p", "")), adapters.Result{}, []string{"Normal SuccessfulDelete Delete Pod web-0 in StatefulSet web successful"}},
		{"evict pod", "a pod goes", evictPod(is("p", "")), adapters.Result{}, []string{"Normal SuccessfulDelete Delete Pod web-0 in StatefulSet web successful"}},
		{"evict pod fails", "as a deletion does", evictPod(is("p", "")), quota, []string{"Warning FailedDelete Delete Pod web-0 in StatefulSet web failed error: quota"}},
		{"a spent budget", "it alarms nobody, and setplan why quotes it", evictPod(is("p", "")), adapters.Result{Err: errors.New("guard"), Outcome: spentBudget}, []string{"Warning FailedEvict Evict Pod web-0 in StatefulSet web failed error: guard"}},
		{"delete pod fails", "", deletePod(is("p", "")), quota, []string{"Warning FailedDelete Delete Pod web-0 in StatefulSet web failed error: quota"}},
		{"patch pod", "", patchPod(), adapters.Result{}, []string{"Normal SuccessfulUpdate Update Pod web-0 in StatefulSet web successful"}},
		{"update pod", "a rollout in place would tell several times of each pod", updatePod(&setplanv1.UpdatePod{}), adapters.Result{}, nil},
		{"update pod fails", "", updatePod(&setplanv1.UpdatePod{}), quota, []string{"Warning FailedUpdate Update Pod web-0 in StatefulSet web failed error: quota"}},
		{"resize pod", "the same", resizePod(&setplanv1.ResizePod{}), adapters.Result{}, nil},
		{"resize pod fails", "", resizePod(&setplanv1.ResizePod{}), quota, []string{"Warning FailedUpdate Update Pod web-0 in StatefulSet web failed error: quota"}},
		{"create claim", "no colon and no 'ful' upstream", createClaim(), adapters.Result{}, []string{"Normal SuccessfulCreate Create Claim data-web-0 Pod web-0 in StatefulSet web success"}},
		{"create claim fails", "upstream reports it for the claim and for the pod", createClaim(), quota, []string{
			"Warning FailedCreate Create Claim data-web-0 for Pod web-0 in StatefulSet web failed error: quota",
			"Warning FailedCreate Create Pod web-0 in StatefulSet web failed error: failed to create PVC data-web-0: quota",
		}},
		{"owners", "upstream is silent on success", owners, adapters.Result{}, nil},
		{"owners fail", "", owners, quota, []string{"Warning FailedUpdate Update Pod web-0 in StatefulSet web failed error: could not update claim data-web-0 for delete policy ownerRefs: quota"}},
		{"adoption", "upstream is silent", adopt, quota, nil},
		{"conflict", "the next plan settles it", createPod(), conflict, nil},
		{"namespace terminating", "nothing can be created there, and nobody needs an event", createPod(), adapters.Result{Err: dying, Outcome: rejected}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			events, recorder := newEvents()
			events.Applied(webKey, eventSnapshot, test.action, test.result)
			if diff := cmp.Diff(test.want, told(recorder)); diff != "" {
				t.Errorf("%s\n%s", test.reason, diff)
			}
		})
	}
}

// TestAttention follows the events about one set.
func TestAttention(t *testing.T) {
	block := func(severity setplanv1.Severity, name, sentence string) *setplanv1.Plan {
		return &setplanv1.Plan{Blocks: []*setplanv1.Block{{
			Code: setplanv1.BlockCode_BLOCK_CODE_POD_NAME_TAKEN, Severity: severity, Message: sentence, Remedy: "Rename it.",
			Subject: &setplanv1.Target{Kind: kindPod, Name: name},
		}}}
	}
	const attention, wait = setplanv1.Severity_SEVERITY_ATTENTION, setplanv1.Severity_SEVERITY_WAIT
	both := func(sentences ...string) *setplanv1.Plan {
		plan := &setplanv1.Plan{}
		for _, sentence := range sentences {
			plan.Blocks = append(plan.Blocks, block(attention, "web-1", sentence).GetBlocks()...)
		}
		return plan
	}
	taken := "Warning PodNameTaken Taken. Rename it."
	events, recorder := newEvents()
	steps := []struct {
		name   string
		reason string
		do     func()
		want   []string
	}{
		{"appears", "", func() { events.Planned(webKey, eventSnapshot, block(attention, "web-0", "Taken.")) }, []string{taken}},
		{"stays", "told once", func() { events.Planned(webKey, eventSnapshot, block(attention, "web-0", "Taken.")) }, nil},
		{"changes", "", func() { events.Planned(webKey, eventSnapshot, block(attention, "web-0", "Taken by db.")) }, []string{"Warning PodNameTaken Taken by db. Rename it."}},
		{"another subject", "each object counts", func() { events.Planned(webKey, eventSnapshot, block(attention, "web-1", "Taken.")) }, []string{taken}},
		{"waiting", "ends by itself", func() { events.Planned(webKey, eventSnapshot, block(wait, "web-1", "Taken.")) }, nil},
		{"comes back", "it had gone", func() { events.Planned(webKey, eventSnapshot, block(attention, "web-1", "Taken.")) }, []string{taken}},
		{"two of a code", "each message counts", func() { events.Planned(webKey, eventSnapshot, both("Taken.", "Taken by db.")) }, []string{"Warning PodNameTaken Taken by db. Rename it."}},
		{"two stay", "told once", func() { events.Planned(webKey, eventSnapshot, both("Taken.", "Taken by db.")) }, nil},
		{"they are one", "", func() { events.Planned(webKey, eventSnapshot, both("Taken.", "Taken.")) }, nil},
		{"two of the same", "told once", func() { events.Planned(webKey, eventSnapshot, both("Gone.", "Gone.")) }, []string{"Warning PodNameTaken Gone. Rename it."}},
		{"one again", "", func() { events.Planned(webKey, eventSnapshot, block(attention, "web-1", "Taken.")) }, []string{taken}},
		{"planner away", "", func() { events.Held(webKey, adapters.ReasonPlannerUnreachable, errors.New("refused")) }, []string{"Warning PlannerUnreachable Nothing is changed: refused"}},
		{"still away", "told once", func() { events.Held(webKey, adapters.ReasonPlannerUnreachable, errors.New("refused")) }, nil},
		{"planner back", "the block was reported before the planner went away", func() { events.Planned(webKey, eventSnapshot, block(attention, "web-1", "Taken.")) }, nil},
		{"away again", "a new outage", func() { events.Held(webKey, adapters.ReasonPlannerUnreachable, errors.New("refused")) }, []string{"Warning PlannerUnreachable Nothing is changed: refused"}},
		{"foreign writer", "another reason", func() { events.Held(webKey, adapters.ReasonForeignWriter, errors.New("kcm")) }, []string{"Warning ForeignWriter Nothing is changed: kcm"}},
		{"another plan", "", func() { events.Held(webKey, adapters.ReasonReplan, errors.New("differs")) }, []string{"Warning PlanRefused Nothing is changed: differs"}},
		{"gate", "ends by itself", func() { events.Held(webKey, adapters.ReasonGate, errors.New("soon")) }, nil},
		{"forgotten", "a new set of the same name is reported again", func() {
			events.Forgotten(webKey)
			events.Planned(webKey, eventSnapshot, block(attention, "web-1", "Taken."))
		}, []string{taken}},
	}
	for _, s := range steps {
		s.do()
		if diff := cmp.Diff(s.want, told(recorder)); diff != "" {
			t.Errorf("%s: %s\n%s", s.name, s.reason, diff)
		}
	}
}

// TestPlansChecked: that plans are only checked is told on the lease, once for each kind, and nowhere if there is none or nothing is written.
func TestPlansChecked(t *testing.T) {
	recorder := record.NewFakeRecorder(10)
	recorder.IncludeObject = true
	adapter := func(config Config) *Adapter { return &Adapter{config: config, recorder: recorder} }
	all := Config{Kind: StatefulSets(), Election: &Election{}}
	one, unelected, observer := all, all, adapter(all)
	one.Namespaces, unelected.Election, observer.recorder = []string{"b", "a"}, nil, nil
	Group{adapter(all), adapter(one), adapter(unelected), observer}.PlansChecked("another build" + strings.Repeat("!", 2*mostText))
	for _, lease := range []string{"setplan-adapter", "setplan-adapter.a"} {
		select {
		case event := <-recorder.Events:
			if !strings.HasPrefix(event, "Warning PlansChecked another build!") || !strings.Contains(event, "kind=Lease") || !strings.Contains(event, "...") {
				t.Errorf("%s: %.100s", lease, event)
			}
		default:
			t.Errorf("nothing is told on %s", lease)
		}
	}
	if len(recorder.Events) > 0 {
		t.Errorf("also %s", <-recorder.Events)
	}
}

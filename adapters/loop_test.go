package adapters_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestGate follows one write from unseen to seen, and one that is never seen.
func TestGate(t *testing.T) {
	w := newWorld(planOf(stage(replicas, abort, step(create("a")))))
	loop := w.loop(adapters.Options{GateTimeout: 30 * time.Second, GateRetry: time.Second})
	once := []string{"planned", "fence", "a"}
	steps := []struct {
		name   string
		reason string
		do     func()
		want   []string
		after  time.Duration
	}{
		{"first", "nothing is pending", func() {}, once, 0},
		{"unseen", "a snapshot without our own write would repeat it", func() { w.unseen["a"] = true }, []string{"held: gate"}, time.Second},
		{"still unseen", "the pauses between looks grow", func() { w.pass(12 * time.Second) }, []string{"held: gate"}, 3 * time.Second},
		{"before the timeout", "and never longer than five seconds", func() { w.pass(17 * time.Second) }, []string{"held: gate"}, 5 * time.Second},
		{"seen", "the cache has it", func() { w.unseen["a"] = false }, once, 0},
		{"timeout", "no plan is made from a cache that is behind, and the observer is told", func() {
			w.unseen["a"] = true
			w.pass(30 * time.Second)
		}, []string{"read a", "held: gate timeout", "held: gate"}, 5 * time.Second},
		{"right after the timeout", "the API is asked once in a timeout", func() {}, []string{"held: gate"}, 5 * time.Second},
		{"an hour later", "it is still behind", func() { w.pass(time.Hour) }, []string{"read a", "held: gate timeout", "held: gate"}, 5 * time.Second},
		{"no answer", "without an answer the gate stays closed", func() {
			w.currentErr = errors.New("away")
			w.pass(30 * time.Second)
		}, []string{"read a", "held: gate timeout", "held: gate"}, 5 * time.Second},
		{"passed over", "the write can no longer be shown: the cache has the newest version", func() {
			w.currentErr, w.current = nil, true
			w.pass(30 * time.Second)
			w.plan = planOf()
		}, []string{"read a", "planned"}, 0},
		{"after that", "a write is given up once, not each time", func() {}, []string{"planned"}, 0},
	}
	for _, s := range steps {
		s.do()
		after, err := reconcile(t, loop)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if diff := cmp.Diff(s.want, w.take()); diff != "" {
			t.Errorf("%s: %s:\n%s", s.name, s.reason, diff)
		}
		if after != s.after {
			t.Errorf("%s: comes back after %s, want %s", s.name, after, s.after)
		}
	}
}

// TestEcho checks which changes are only the loop's own.
func TestEcho(t *testing.T) {
	made := adapters.Write{Kind: "Pod", Name: "web-0", UID: "1", ResourceVersion: "7"}
	status := adapters.Write{Kind: "StatefulSet", Name: "web", UID: "2", ResourceVersion: "8"}
	deleted := adapters.Write{Kind: "Pod", Name: "web-9", UID: "3", Deleted: true}
	changed := func(w adapters.Write, change func(*adapters.Write)) adapters.Write { change(&w); return w }
	terminating := changed(deleted, func(w *adapters.Write) { w.ResourceVersion = "9" })
	w := newWorld(planOf(stage(replicas, abort, step(create("create"), create("update"), remove("remove")))))
	w.writes = map[string]adapters.Write{"create": made, "update": status, "remove": deleted}
	loop := w.loop(adapters.Options{})
	if loop.Echo(key, made) {
		t.Error("before anything was written")
	}
	if _, err := reconcile(t, loop); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		reason  string
		changes []adapters.Write
		want    bool
	}{
		{"created", "", []adapters.Write{made}, true},
		{"all", "a delete makes a terminating object, at any version", []adapters.Write{terminating, status, made}, true},
		{"one more", "one change by somebody else is news", []adapters.Write{made, {Kind: "Pod", Name: "web-1"}}, false},
		{"newer", "somebody else has written since", []adapters.Write{changed(made, func(w *adapters.Write) { w.ResourceVersion = "70" })}, false},
		{"another uid", "another object has the name", []adapters.Write{changed(terminating, func(w *adapters.Write) { w.UID = "30" })}, false},
		{"deleted by others", "a pod that we made is being deleted", []adapters.Write{changed(made, func(w *adapters.Write) { w.Deleted = true })}, false},
		{"gone", "that an object is gone is always news", []adapters.Write{{}}, false},
	}
	for _, test := range tests {
		if got := loop.Echo(key, test.changes...); got != test.want {
			t.Errorf("%s: %s: %t", test.name, test.reason, got)
		}
	}
	if loop.Echo(adapters.Key{Namespace: "default", Name: "other"}, made) {
		t.Error("the writes of one set are an echo for another")
	}
	w.unseen["web"] = true
	if _, err := reconcile(t, loop); err != nil {
		t.Fatal(err)
	}
	if loop.Echo(key, status) {
		t.Error("a reconcile waits for the cache to show the write, so that change must wake it")
	}
}

// TestHeld: when no plan can be made, for whatever reason, nothing is written.
func TestHeld(t *testing.T) {
	boom := errors.New("boom")
	tests := []struct {
		name    string
		reason  string
		change  func(*world)
		want    []string
		wantErr bool
	}{
		{"gone", "a missing set is forgotten, which is no error", func(w *world) { w.snapErr = adapters.ErrGone }, []string{"forgotten"}, false},
		{"snapshot", "an unreadable cluster is tried again", func(w *world) { w.snapErr = boom }, []string{"held: snapshot"}, true},
		{"planner away", "fail static", func(w *world) { w.planErr = grpcstatus.Error(codes.Unavailable, "away") }, []string{"held: planner unreachable"}, true},
		{"planner slow", "fail static", func(w *world) { w.planErr = grpcstatus.Error(codes.DeadlineExceeded, "slow") }, []string{"held: planner unreachable"}, true},
		{"planner, another error", "an error without a code says nothing about the request", func(w *world) { w.planErr = boom }, []string{"held: planner unreachable"}, true},
		{"planner says no", "retrying seldom helps, so users see another reason", func(w *world) { w.planErr = grpcstatus.Error(codes.FailedPrecondition, "no") }, []string{"held: planner refused"}, true},
		{"planner busy", "it asks to come again, which says nothing about the set", func(w *world) { w.planErr = comeAgain() }, []string{"held: planner busy"}, true},
		{"request too large", "the same code, without when to come again", func(w *world) { w.planErr = grpcstatus.Error(codes.ResourceExhausted, "large") }, []string{"held: planner refused"}, true},
		{"no plan", "an answer without a plan is a bug of the planner, never an empty plan", func(w *world) { w.plan = nil }, []string{"held: planner refused"}, true},
		{"guard", "one set must never have two writers; waiting does not help, so there is no back-off", func(w *world) { w.guardErr = boom }, []string{"held: foreign writer"}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(planOf(stage(replicas, abort, step(create("a")))))
			test.change(w)
			after, err := reconcile(t, w.loop(adapters.Options{Guard: w.guard}))
			if diff := cmp.Diff(test.want, w.take()); diff != "" {
				t.Errorf("%s:\n%s", test.reason, diff)
			}
			if (err != nil) != test.wantErr || after != 0 {
				t.Errorf("after %s, error %v", after, err)
			}
		})
	}
}

// TestCallerRefused: a planner that does not serve this adapter says nothing about the set that it was asked about.
func TestCallerRefused(t *testing.T) {
	for code, want := range map[codes.Code]bool{codes.PermissionDenied: true, codes.Unauthenticated: true,
		codes.FailedPrecondition: false, codes.InvalidArgument: false, codes.Unavailable: false} {
		w := newWorld(planOf())
		w.planErr = grpcstatus.Error(code, "no")
		_, err := reconcile(t, w.loop(adapters.Options{}))
		if errors.Is(err, adapters.ErrCallerRefused) != want {
			t.Errorf("%s: %v", code, err)
		}
	}
}

// TestGuardBeforeDeletes: a foreign writer that appears in the middle of a plan stops the rest.
func TestGuardBeforeDeletes(t *testing.T) {
	w := newWorld(planOf(stage(replicas, abort, step(create("a"))), stage(scaleDown, abort, step(remove("c")))))
	w.onApply = func(string) { w.guardErr = errors.New("somebody else") }
	_, err := reconcile(t, w.loop(adapters.Options{Guard: w.guard}))
	if !errors.Is(err, adapters.ErrPlanDropped) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff([]string{"planned", "fence", "a", "fence", "held: foreign writer"}, w.take()); diff != "" {
		t.Error(diff)
	}
}

// TestRequeue checks when the loop comes back.
func TestRequeue(t *testing.T) {
	in := durationpb.New(7 * time.Second)
	truncated := func(steps int, more ...*setplanv1.Step) *setplanv1.Plan {
		plan := wide(steps)
		plan.Stages[0].Steps = append(plan.Stages[0].Steps, more...)
		plan.RequeueAfter, plan.Truncated = in, true
		return plan
	}
	tests := []struct {
		name   string
		reason string
		plan   *setplanv1.Plan
		watch  bool
		want   time.Duration
	}{
		{"unset", "only when something changes", planOf(), false, 0},
		{"requeue_after", "the planner's word", &setplanv1.Plan{RequeueAfter: in}, false, 7 * time.Second},
		{"soon", "no planner is asked more than once a second", &setplanv1.Plan{RequeueAfter: durationpb.New(1)}, false, time.Second},
		{"soon, observed", "the same", &setplanv1.Plan{RequeueAfter: durationpb.New(1)}, true, time.Second},
		{"before now", "that is no time", &setplanv1.Plan{RequeueAfter: durationpb.New(-1)}, false, 0},
		{"truncated", "the rest of the plan is asked for at once", truncated(100), false, adapters.RequeueNow},
		{"truncated, little written", "a planner could ask without end", truncated(99), false, time.Second},
		{"truncated, nothing in it", "a step without an action writes nothing", truncated(0, step()), false, time.Second},
		{"truncated to nothing", "at once the same plan would come again", &setplanv1.Plan{RequeueAfter: in, Truncated: true}, false, 7 * time.Second},
		{"truncated, observed", "nothing was applied, so asking at once would give the same plan for ever", &setplanv1.Plan{RequeueAfter: in, Truncated: true}, true, 7 * time.Second},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			after, err := reconcile(t, newWorld(test.plan).loop(adapters.Options{ObserveOnly: test.watch}))
			if err != nil || after != test.want {
				t.Errorf("%s: after %s, want %s; error %v", test.reason, after, test.want, err)
			}
		})
	}
}

// TestObserveMode: a plan is made and reported, and nothing else happens. Not even the guard is asked, because the other
// controller is expected.
func TestObserveMode(t *testing.T) {
	w := newWorld(planOf(stage(scaleDown, abort, step(remove("c")))))
	w.guardErr = errors.New("the built-in controller is at work")
	loop := adapters.NewLoop(w, nil, w, w, adapters.Options{ObserveOnly: true, Guard: w.guard})
	if _, err := reconcile(t, loop); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"planned"}, w.take()); diff != "" {
		t.Error(diff)
	}
}

// TestRequest checks what the loop adds to the snapshot. Whatever annotations ask for stays in them.
func TestRequest(t *testing.T) {
	w := newWorld(planOf())
	w.notes = map[string]string{adapters.AnnotationRepair: "Sometimes", adapters.AnnotationDrainTemplate: "spec: {}", "setplan.io/of-tomorrow": "x"}
	if _, err := reconcile(t, w.loop(adapters.Options{Behavior: setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36,
		Scope: setplanv1.Scope_SCOPE_DRAIN_ONLY})); err != nil {
		t.Fatal(err)
	}
	request := w.requests[0]
	policy := &setplanv1.Policy{Behavior: setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36, Scope: setplanv1.Scope_SCOPE_DRAIN_ONLY}
	if diff := cmp.Diff(policy, request.GetSnapshot().GetPolicy(), protocmp.Transform()); diff != "" {
		t.Errorf("the policy (-want +got):\n%s", diff)
	}
	if got, want := len(request.GetCapabilities()), len(setplanv1.Capability_name)-1; got != want {
		t.Errorf("%d capabilities, the contract has %d", got, want)
	}
}

// TestOutcomes follows the failures remembered from plan to plan.
func TestOutcomes(t *testing.T) {
	both := planOf(stage(replicas, abort, step(create("b")), step(create("a"))))
	w := newWorld(both)
	loop := w.loop(adapters.Options{})
	refused := func(id string, count int32) *setplanv1.Outcome {
		return &setplanv1.Outcome{ActionId: id, Result: setplanv1.OutcomeResult_OUTCOME_RESULT_REJECTED, Count: count, Message: "quota", TriedAt: timestamppb.New(w.now)}
	}
	steps := []struct {
		name   string
		reason string
		do     func()
		want   []*setplanv1.Outcome // in the snapshot that this reconcile sends
	}{
		{"first", "nothing is known", func() { w.fails["a"], w.fails["b"] = errors.New("quota"), errors.New("quota") }, nil},
		{"failed once", "sorted by id, not by order of failure", func() {}, []*setplanv1.Outcome{refused("a", 1), refused("b", 1)}},
		{"one succeeds", "counts grow while it keeps failing", func() { delete(w.fails, "b") }, []*setplanv1.Outcome{refused("a", 2), refused("b", 2)}},
		{"success forgets", "b went through", func() { w.plan = &setplanv1.Plan{Truncated: true} }, []*setplanv1.Outcome{refused("a", 3)}},
		{"truncated keeps", "a cut plan does not say that a is unwanted", func() { w.plan = planOf() }, []*setplanv1.Outcome{refused("a", 3)}},
		{"unwanted forgets", "a complete plan without a does", func() { w.plan = both }, nil},
		{"starts again", "the count is in a row", func() { w.snapErr = nil }, []*setplanv1.Outcome{refused("a", 1)}},
	}
	for i, s := range steps {
		s.do()
		_, _ = reconcile(t, loop)
		if diff := cmp.Diff(s.want, w.requests[i].GetSnapshot().GetOutcomes(), protocmp.Transform()); diff != "" {
			t.Errorf("%s: %s:\n%s", s.name, s.reason, diff)
		}
	}
}

// TestForget: a later set with the same name starts without a past.
func TestForget(t *testing.T) {
	w := newWorld(planOf(stage(replicas, abort, step(create("a")), step(create("b")))))
	w.fails["b"] = errors.New("quota")
	loop := w.loop(adapters.Options{})
	_, _ = reconcile(t, loop)
	w.snapErr = adapters.ErrGone
	_, _ = reconcile(t, loop)
	w.snapErr, w.unseen["a"] = nil, true
	w.take()
	_, _ = reconcile(t, loop)
	if diff := cmp.Diff([]string{"planned", "fence", "a", "b fails"}, w.take()); diff != "" {
		t.Error(diff)
	}
	if got := w.requests[1].GetSnapshot().GetOutcomes(); len(got) != 0 {
		t.Errorf("outcomes %v", got)
	}
}

func TestObservers(t *testing.T) {
	a, b := newWorld(nil), newWorld(nil)
	both := adapters.Observers{a, b}
	both.Planned(key, nil, nil)
	both.Applied(key, nil, create("x"), adapters.Result{Err: adapters.ErrUnknownOperation})
	both.Held(key, "why", nil)
	both.Forgotten(key)
	want := []string{"planned", "x unknown", "held: why", "forgotten"}
	for _, w := range []*world{a, b} {
		if diff := cmp.Diff(want, w.take()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestOperationName(t *testing.T) {
	if got := adapters.OperationName(create("a")); got != "create_pod" {
		t.Errorf("got %q", got)
	}
	if got := adapters.OperationName(&setplanv1.Action{}); got != "unknown" {
		t.Errorf("got %q", got)
	}
}

// TestWithout: an excluded capability is not sent for the set, and its actions are refused unsent.
func TestWithout(t *testing.T) {
	plan := &setplanv1.Plan{
		Fence: &setplanv1.Fence{SetUid: "u1", Generation: 3, MaxAge: durationpb.New(time.Minute)},
		Stages: []*setplanv1.Stage{{Steps: []*setplanv1.Step{
			{Actions: []*setplanv1.Action{removeClaim("claim")}}, {Actions: []*setplanv1.Action{remove("pod")}},
		}}},
	}
	for _, excluded := range []bool{true, false} {
		w := newWorld(plan).drains()
		loop := w.loop(adapters.Options{Without: func(adapters.Key) []setplanv1.Capability {
			if excluded {
				return []setplanv1.Capability{setplanv1.Capability_CAPABILITY_DELETE_CLAIM}
			}
			return nil
		}})
		_, err := loop.Reconcile(t.Context(), key)
		if excluded != errors.Is(err, adapters.ErrNotHere) {
			t.Errorf("excluded %v: %v", excluded, err)
		}
		if can := slices.Contains(w.requests[0].GetCapabilities(), setplanv1.Capability_CAPABILITY_DELETE_CLAIM); can == excluded {
			t.Errorf("excluded %v: the planner was asked with %v", excluded, w.requests[0].GetCapabilities())
		}
		if log := w.take(); slices.Contains(log, "claim") == excluded || !slices.Contains(log, "pod") {
			t.Errorf("excluded %v: %v", excluded, log)
		}
	}
}

// comeAgain is the answer of a planner with too much to do.
func comeAgain() error {
	s, err := grpcstatus.New(codes.ResourceExhausted, "busy").WithDetails(&errdetails.RetryInfo{})
	if err != nil {
		panic(err)
	}
	return s.Err()
}

package adapters_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/verify"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

var (
	key   = adapters.Key{Namespace: "default", Name: "web"}
	start = time.Unix(1_700_000_000, 0)
)

// world is a scripted Source, Executor, Planner and Observer in one, with a log of the calls.
type world struct {
	mu  sync.Mutex
	now time.Time
	log []string

	set      adapters.SetIdentity // what the cache says
	setErr   error
	notes    map[string]string    // annotations of the set
	underWay string               // in pod 0; empty: nothing
	live     adapters.SetIdentity // what the API says
	liveErr  error
	snapErr  error
	unseen   map[string]bool // names whose write the cache has not yet shown

	least time.Duration

	current    bool // whether Current says that the cache has the object's newest version
	currentErr error

	plan     *setplanv1.Plan
	planErr  error
	requests []*setplanv1.PlanRequest
	fails    map[string]error // action id to failure
	onApply  func(id string)  // runs inside Apply, outside the lock
	guardErr error

	whileApplying func(context.Context)     // the same, with the context of the action
	writes        map[string]adapters.Write // action id to what was written, for tests that check it
}

func newWorld(plan *setplanv1.Plan) *world {
	identity := adapters.SetIdentity{UID: "u1", Generation: 3}
	return &world{now: start, set: identity, live: identity, plan: plan, unseen: map[string]bool{}, fails: map[string]error{}}
}

func (w *world) loop(options adapters.Options) *adapters.Loop {
	options.Clock = func() time.Time { w.mu.Lock(); defer w.mu.Unlock(); return w.now }
	if options.Parallelism == 0 {
		options.Parallelism = 1
	}
	return adapters.NewLoop(w, w, w, w, options)
}

func (w *world) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log = append(w.log, fmt.Sprintf(format, args...))
}

// take returns the log and starts a new one.
func (w *world) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	log := w.log
	w.log = nil
	return log
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

func (w *world) Snapshot(context.Context, adapters.Key) (*setplanv1.Snapshot, error) {
	if w.snapErr != nil {
		return nil, w.snapErr
	}
	snapshot := &setplanv1.Snapshot{
		ObservedAt: timestamppb.New(start),
		Set: &setplanv1.StatefulSet{ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: key.Namespace, Name: key.Name, Uid: "u1",
			Generation: 3, Annotations: w.notes, Replicas: new(int32(math.MaxInt32)), Selector: &setplanv1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			PodTemplate: []byte(`{"metadata":{"labels":{"app":"web"}},"spec":{}}`)},
		Revisions: []*setplanv1.Revision{{Name: "web-r", Uid: "revision", OwnerSetIndex: 1, Labels: map[string]string{"app": "web"}}},
		Tables: &setplanv1.Tables{OwnerSets: []*setplanv1.OwnerSet{{}, {Owners: []*setplanv1.OwnerReference{
			{ApiVersion: "apps/v1", Kind: "StatefulSet", Name: "web", Uid: "u1", Controller: true}}}}},
	}
	for id := range 26 {
		snapshot.Pods = append(snapshot.Pods, &setplanv1.Pod{Name: fmt.Sprintf("web-%d", 1+100*id), Uid: "pod", OwnerSetIndex: 1})
	}
	if w.notes[adapters.AnnotationDrainTemplate] != "" { // and the claim of ordinal 2 has been drained
		snapshot.Set.ClaimTemplates = [][]byte{[]byte(`{"metadata":{"name":"data"}}`)}
		snapshot.Claims = []*setplanv1.Claim{{Name: "data-web-2", Uid: "claim", ResourceVersion: "1", AnnotationSetIndex: 1}}
		snapshot.Pods = append(snapshot.Pods, &setplanv1.Pod{Name: "web-2", Uid: "drain", AnnotationSetIndex: 2,
			Phase: setplanv1.PodPhase_POD_PHASE_SUCCEEDED})
		snapshot.Tables.AnnotationSets = []*setplanv1.AnnotationSet{{}, {Annotations: map[string]string{adapters.AnnotationDrainSet: "web/u1"}},
			{Annotations: map[string]string{adapters.AnnotationDrainSet: "web/u1", adapters.AnnotationDrainClaims: "claim"}}}
	}
	if w.notes["setplan.io/in-place"] != "" { // and pod 0 is at a revision with another image
		for _, of := range [][2]string{{"web-a", `main:1"`}, {"web-b", `main:2"`}, {"web-c", `main:1","resources":{"requests":{"cpu":"1"}}`}} {
			snapshot.Revisions = append(snapshot.Revisions, &setplanv1.Revision{Name: of[0], Uid: of[0], OwnerSetIndex: 1, Labels: map[string]string{"app": "web"},
				Data: []byte(`{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"` + of[1] + `}]}}}}`)})
		}
		snapshot.Pods = append(snapshot.Pods, &setplanv1.Pod{Name: "web-0", Uid: "pod-0", ResourceVersion: "1", OwnerSetIndex: 1, RevisionNameIndex: 1, AnnotationSetIndex: 1,
			Containers: &setplanv1.PodContainers{Containers: []*setplanv1.Container{{Name: "main", Image: "main:1"}}}})
		snapshot.Tables.RevisionNames = []string{"", "web-a"}
		snapshot.Tables.AnnotationSets = []*setplanv1.AnnotationSet{{}, {Annotations: map[string]string{"setplan.io/in-place-update": cmp.Or(w.underWay, "{}")}}}
	}
	return snapshot, nil
}

// updatesInPlace is a set whose pods are updated in place.
func (w *world) updatesInPlace() *world {
	w.notes = map[string]string{"setplan.io/in-place": "InPlaceOnly"}
	w.set.Policy = adapters.PolicyOf(w.notes)
	return w
}

// setImage gives pod 0 another image, if the set updates its pods in place.
func setImage(id string) *setplanv1.Action {
	return &setplanv1.Action{Id: id, Target: &setplanv1.Target{Kind: "Pod", Namespace: key.Namespace, Name: "web-0"},
		Precondition: &setplanv1.Precondition{Uid: "pod-0", ResourceVersion: "1"},
		Operation: &setplanv1.Action_UpdatePod{UpdatePod: &setplanv1.UpdatePod{Containers: []*setplanv1.ContainerImage{{Name: "main", Image: "main:2"}},
			Annotations: map[string]string{"setplan.io/in-place-update": `{"at":1700000000,"containers":{"main":{"id":"","image":""}},"revision":"web-b","uid":"pod-0"}`}}}}
}

// onItsWay is such a set, and pod 0 gets other resources.
func (w *world) onItsWay() *world {
	w.underWay = `{"at":1700000000,"containers":{},"resize":{"main":{"requests":{"cpu":""}}},"revision":"web-c","uid":"pod-0"}`
	return w.updatesInPlace()
}

// resize gives pod 0 other resources, if it is on its way to them.
func resize(id string) *setplanv1.Action {
	return &setplanv1.Action{Id: id, Target: &setplanv1.Target{Kind: "Pod", Namespace: key.Namespace, Name: "web-0"},
		Precondition: &setplanv1.Precondition{Uid: "pod-0", ResourceVersion: "1"},
		Operation: &setplanv1.Action_ResizePod{ResizePod: &setplanv1.ResizePod{
			Containers: []*setplanv1.ContainerResize{{Name: "main", Requests: map[string]string{"cpu": "1"}}}}}}
}

// drains gives the set a drain policy.
func (w *world) drains() *world {
	w.notes = map[string]string{adapters.AnnotationDrainTemplate: `{"spec":{}}`}
	w.set.Policy = adapters.PolicyOf(w.notes)
	return w
}

// removeClaim deletes the claim of ordinal 2, which exists if the set drains.
func removeClaim(id string) *setplanv1.Action {
	return &setplanv1.Action{Id: id, Target: &setplanv1.Target{Kind: "PersistentVolumeClaim", Namespace: key.Namespace, Name: "data-web-2"},
		Precondition: &setplanv1.Precondition{Uid: "claim", ResourceVersion: "1"},
		Operation:    &setplanv1.Action_DeleteClaim{DeleteClaim: &setplanv1.DeleteClaim{}}}
}

// errUnanswered is a failure that leaves open whether the action was carried out.
var errUnanswered = errors.New("no answer in time")

// errBudget is how a disruption budget refuses.
var errBudget = errors.New("spent")

// freeClaim removes all owners of ordinal 2's claim.
func freeClaim(id string) *setplanv1.Action {
	action := removeClaim(id)
	action.Operation = &setplanv1.Action_SetClaimOwners{SetClaimOwners: &setplanv1.SetClaimOwners{}}
	return action
}

// removeRevision deletes a revision that no pod uses.
func removeRevision(id string) *setplanv1.Action {
	return &setplanv1.Action{Id: id, Target: &setplanv1.Target{Kind: "ControllerRevision", Namespace: key.Namespace, Name: "web-r"},
		Precondition: &setplanv1.Precondition{Uid: "revision"},
		Operation:    &setplanv1.Action_DeleteRevision{DeleteRevision: &setplanv1.DeleteRevision{}}}
}

func (w *world) Set(context.Context, adapters.Key) (adapters.SetIdentity, error) {
	w.note("fence")
	return w.set, w.setErr
}

func (w *world) LiveSet(context.Context, adapters.Key) (adapters.SetIdentity, error) {
	w.note("live")
	return w.live, w.liveErr
}

func (w *world) Current(_ context.Context, _ adapters.Key, write adapters.Write) (bool, error) {
	w.note("read %s", write.Name)
	return w.current, w.currentErr
}

func (w *world) Observed(_ context.Context, _ adapters.Key, write adapters.Write) bool {
	return !w.unseen[write.Name]
}

func (w *world) Plan(_ context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	w.requests = append(w.requests, request)
	if w.planErr != nil {
		return nil, w.planErr
	}
	return &setplanv1.PlanResponse{Plan: w.plan}, nil
}

func (w *world) Apply(ctx context.Context, _ adapters.Key, action *setplanv1.Action) adapters.Result {
	if deadline, ok := ctx.Deadline(); ok {
		w.timeLeft(time.Until(deadline))
	}
	if w.onApply != nil {
		w.onApply(action.GetId())
	}
	if w.whileApplying != nil {
		w.whileApplying(ctx)
	}
	if err := w.fails[action.GetId()]; err != nil {
		w.note("%s fails", action.GetId())
		if errors.Is(err, errBudget) {
			return adapters.Result{Err: err, Outcome: setplanv1.OutcomeResult_OUTCOME_RESULT_DISRUPTION_BUDGET}
		}
		if errors.Is(err, errUnanswered) {
			return adapters.Result{Err: err, Outcome: setplanv1.OutcomeResult_OUTCOME_RESULT_ERROR}
		}
		return adapters.Result{Err: err, Outcome: setplanv1.OutcomeResult_OUTCOME_RESULT_REJECTED}
	}
	w.note("%s", action.GetId())
	if write, known := w.writes[action.GetId()]; known {
		return adapters.Result{Write: &write}
	}
	return adapters.Result{Write: &adapters.Write{Kind: "Pod", Name: action.GetId()}}
}

func (w *world) timeLeft(left time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.least == 0 || left < w.least {
		w.least = left
	}
}

// leastTime is the shortest time that an action had left when it began.
func (w *world) leastTime() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.least
}

func (w *world) Planned(adapters.Key, *setplanv1.Snapshot, *setplanv1.Plan) { w.note("planned") }

func (w *world) Applied(_ adapters.Key, _ *setplanv1.Snapshot, action *setplanv1.Action, result adapters.Result) {
	var refusal *verify.Refusal
	switch {
	case errors.Is(result.Err, adapters.ErrUnknownOperation), errors.Is(result.Err, adapters.ErrUnknownGuard):
		w.note("%s unknown", action.GetId())
	case errors.As(result.Err, &refusal):
		w.note("%s refused: %s", action.GetId(), refusal.Check)
	}
}

func (w *world) Held(_ adapters.Key, reason string, _ error) { w.note("held: %s", reason) }

func (w *world) Forgotten(adapters.Key) { w.note("forgotten") }

func (w *world) guard(context.Context, adapters.Key) error { return w.guardErr }

// planOf makes a plan with a fence that matches the fake set.
func planOf(stages ...*setplanv1.Stage) *setplanv1.Plan {
	return &setplanv1.Plan{
		Fence:  &setplanv1.Fence{SetUid: "u1", Generation: 3, MaxAge: durationpb.New(time.Minute)},
		Stages: stages,
	}
}

// stage has one step per argument.
func stage(phase setplanv1.StagePhase, onFailure setplanv1.OnFailure, steps ...*setplanv1.Step) *setplanv1.Stage {
	return &setplanv1.Stage{Phase: phase, OnFailure: onFailure, Steps: steps}
}

func step(actions ...*setplanv1.Action) *setplanv1.Step { return &setplanv1.Step{Actions: actions} }

// create makes an action that creates a pod: of ordinal 0 for the id "a", of another one for each other id of letters.
func create(id string) *setplanv1.Action {
	ordinal := 0
	for i := range min(len(id), 6) {
		ordinal = 26*ordinal + int(id[i]-'a')
	}
	return &setplanv1.Action{Id: id, Target: target(fmt.Sprintf("web-%d", ordinal)), Precondition: &setplanv1.Precondition{MustNotExist: true},
		Operation: &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{Manifest: []byte(strings.ReplaceAll(podManifest, "ORDINAL", strconv.Itoa(ordinal)))}}}
}

const podManifest = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-ORDINAL","namespace":"default","labels":{"app":"web",
"statefulset.kubernetes.io/pod-name":"web-ORDINAL","apps.kubernetes.io/pod-index":"ORDINAL","controller-revision-hash":"web-r"},
"ownerReferences":[{"apiVersion":"apps/v1","kind":"StatefulSet","name":"web","uid":"u1","controller":true,"blockOwnerDeletion":true}]},
"spec":{"hostname":"web-ORDINAL"}}`

// remove makes an action that deletes a pod, another one for each first letter of the id.
func remove(id string) *setplanv1.Action {
	return &setplanv1.Action{Id: id, Target: target(fmt.Sprintf("web-%d", 1+100*int(id[0]-'a'))), Precondition: &setplanv1.Precondition{Uid: "pod"},
		Operation: &setplanv1.Action_DeletePod{DeletePod: &setplanv1.DeletePod{}}}
}

func target(pod string) *setplanv1.Target {
	return &setplanv1.Target{Kind: "Pod", Namespace: key.Namespace, Name: pod}
}

func reconcile(t *testing.T, loop *adapters.Loop) (time.Duration, error) {
	t.Helper()
	return loop.Reconcile(context.Background(), key)
}

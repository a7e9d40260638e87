package main

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// breach is a way to break a rule. Its zero value keeps all of them.
type breach struct {
	request func(*setplanv1.PlanRequest)                       // changes what is sent
	plan    func(*setplanv1.PlanRequest, *setplanv1.Plan)      // changes what comes back
	action  func(context.Context, *adapter, *setplanv1.Action) // changes what is carried out
	result  func(*setplanv1.Action, *adapters.Result)          // changes what came of it
	body    func([]byte) []byte                                // changes what a write carries
	pause   time.Duration                                      // between two questions about a set
	retries int                                                // of a failed action

	noGate, noFence, noLiveSet, hidesNeighbours, noEvents bool
	decides                                               bool // where the planner does not answer
	believes                                              bool // carries out whatever a plan says
}

// breaches has them by name; setplan-conformance's test says which cases find each.
var breaches = map[string]breach{
	"numbers-as-doubles": {request: func(r *setplanv1.PlanRequest) {
		r.Snapshot.Set.PodTemplate = doubles(r.Snapshot.Set.GetPodTemplate())
		for _, revision := range r.Snapshot.Revisions {
			revision.Data = doubles(revision.GetData())
		}
	}},
	"claims-left-out":    {request: func(r *setplanv1.PlanRequest) { r.Snapshot.Claims = nil }},
	"known-annotations":  {request: func(r *setplanv1.PlanRequest) { delete(r.Snapshot.Set.Annotations, "setplan.io/of-tomorrow") }},
	"no-pod-annotations": {request: func(r *setplanv1.PlanRequest) { r.Snapshot.Tables.AnnotationSets = nil; noAnnotations(r) }},
	"no-outcomes":        {request: func(r *setplanv1.PlanRequest) { r.Snapshot.Outcomes = nil }},
	"no-capabilities":    {request: func(r *setplanv1.PlanRequest) { r.Capabilities = []setplanv1.Capability{0} }},
	"no-neighbours":      {request: func(r *setplanv1.PlanRequest) { r.Snapshot.ClaimNeighbours = nil }, hidesNeighbours: true},
	"no-gate":            {noGate: true},
	"no-events":          {noEvents: true},
	"no-fence": {noFence: true, plan: func(r *setplanv1.PlanRequest, p *setplanv1.Plan) {
		set := r.GetSnapshot().GetSet()
		p.Fence = &setplanv1.Fence{SetUid: set.GetUid(), Generation: set.GetGeneration()}
	}},
	"set-from-the-cache": {plan: func(_ *setplanv1.PlanRequest, p *setplanv1.Plan) {
		for _, stage := range p.GetStages() {
			stage.RequiresLiveSet = false
		}
	}},
	"stages-together": {plan: func(_ *setplanv1.PlanRequest, p *setplanv1.Plan) {
		for len(p.GetStages()) > 1 {
			p.Stages[0].Steps = append(p.Stages[0].Steps, p.Stages[1].GetSteps()...)
			p.Stages = append(p.Stages[:1], p.Stages[2:]...)
		}
	}},
	"actions-together": {plan: func(_ *setplanv1.PlanRequest, p *setplanv1.Plan) {
		for _, stage := range p.GetStages() {
			var steps []*setplanv1.Step
			for _, step := range stage.GetSteps() {
				for _, action := range step.GetActions() {
					steps = append(steps, &setplanv1.Step{Actions: []*setplanv1.Action{action}})
				}
			}
			stage.Steps = steps
		}
	}},
	"goes-on": {plan: func(_ *setplanv1.PlanRequest, p *setplanv1.Plan) {
		eachFailure(p, setplanv1.OnFailure_ON_FAILURE_SKIP_PHASE, true)
	}},
	"gives-up": {plan: func(_ *setplanv1.PlanRequest, p *setplanv1.Plan) {
		eachFailure(p, setplanv1.OnFailure_ON_FAILURE_ABORT, false)
	}},
	"one-after-another": {plan: func(_ *setplanv1.PlanRequest, p *setplanv1.Plan) {
		for _, stage := range p.GetStages() {
			var all setplanv1.Step
			for _, step := range stage.GetSteps() {
				all.Actions = append(all.Actions, step.GetActions()...)
			}
			stage.Steps = []*setplanv1.Step{&all}
		}
	}},
	"no-preconditions": {body: func(body []byte) []byte { return preconditions.ReplaceAll(body, nil) }},
	"no-status-precondition": {action: func(_ context.Context, _ *adapter, a *setplanv1.Action) {
		if !a.GetPrecondition().GetMustNotExist() {
			a.Precondition = &setplanv1.Precondition{}
		}
	}},
	"absent-is-a-failure": {result: func(a *setplanv1.Action, r *adapters.Result) {
		if (a.GetDeletePod() != nil || a.GetEvictPod() != nil) && r.Err == nil {
			*r = adapters.Result{Err: errors.New("there is no such pod"), Outcome: setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT}
		}
	}},
	"taken-is-success": {result: func(a *setplanv1.Action, r *adapters.Result) {
		if a.GetCreatePod() != nil && r.Outcome == setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT {
			*r = adapters.Result{}
		}
	}},
	"taken-is-a-failure": {result: func(a *setplanv1.Action, r *adapters.Result) {
		if a.GetCreatePod() != nil && r.Err == nil {
			*r = adapters.Result{Err: errors.New("there is such a pod"), Outcome: setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT}
		}
	}},
	"live-set-is-gone": {noLiveSet: true},
	"retries":          {retries: 2},
	"parsed-manifests": {action: func(_ context.Context, _ *adapter, a *setplanv1.Action) {
		if pod := a.GetCreatePod(); pod != nil {
			pod.Manifest = doubles(pod.GetManifest())
		}
	}},
	"zeros-left-out": {action: func(_ context.Context, _ *adapter, a *setplanv1.Action) {
		if s := a.GetUpdateStatus().GetStatus(); s != nil && s.GetUpdatedReplicas() == 0 {
			s.UpdatedReplicas = nil
		}
	}},
	"other-counters": {action: func(_ context.Context, _ *adapter, a *setplanv1.Action) {
		if s := a.GetUpdateStatus().GetStatus(); s != nil && s.ReadyReplicas == nil {
			s.ReadyReplicas = proto.Int32(0)
		}
	}},
	"other-conditions": {action: func(ctx context.Context, w *adapter, a *setplanv1.Action) {
		if len(a.GetUpdateStatus().GetStatus().GetConditions()) > 0 {
			w.patchSet(ctx, a, `{"status":{"conditions":null}}`, "status")
			a.Precondition.ResourceVersion = ""
		}
	}},
	"other-annotations": {action: func(_ context.Context, _ *adapter, a *setplanv1.Action) {
		if notes := a.GetPatchAnnotations(); notes != nil {
			notes.Remove = append(notes.Remove, "example.com/a")
		}
	}},
	"no-containers": {request: func(r *setplanv1.PlanRequest) {
		for i, pod := range r.Snapshot.Pods {
			pod = proto.CloneOf(pod) // snapshots share them
			pod.Containers, r.Snapshot.Pods[i] = nil, pod
		}
	}},
	"other-images": {action: func(_ context.Context, _ *adapter, a *setplanv1.Action) {
		for _, c := range a.GetUpdatePod().GetContainers() {
			c.Image = "registry.example/other:1"
		}
	}},
	"no-resources": {request: func(r *setplanv1.PlanRequest) {
		for i, pod := range r.Snapshot.Pods {
			pod = proto.CloneOf(pod)
			for _, c := range pod.GetContainers().GetContainers() {
				c.Resources, c.StatusResources = nil, nil
			}
			r.Snapshot.Pods[i] = pod
		}
	}},
	"other-resources": {action: func(_ context.Context, _ *adapter, a *setplanv1.Action) {
		for _, c := range a.GetResizePod().GetContainers() {
			delete(c.GetLimits(), "memory")
		}
	}},
	"other-labels": {action: func(_ context.Context, _ *adapter, a *setplanv1.Action) {
		if change := a.GetPatchClaim(); change != nil {
			change.Labels = map[string]string{"team": ""}
		}
		if change := a.GetUpdatePod(); change != nil {
			change.RemoveLabels = append(change.RemoveLabels, "team")
		}
	}},
	"other-finalizers": {action: func(ctx context.Context, w *adapter, a *setplanv1.Action) {
		if a.GetSetFinalizer() != nil {
			w.patchSet(ctx, a, `{"metadata":{"finalizers":null}}`)
		}
	}},
	"two-writes": {action: func(ctx context.Context, w *adapter, a *setplanv1.Action) {
		if notes := a.GetUpdatePod().GetAnnotations(); len(notes) > 0 {
			metadata := map[string]any{"uid": a.GetPrecondition().GetUid(), "resourceVersion": a.GetPrecondition().GetResourceVersion(), "annotations": notes}
			patch, _ := json.Marshal(map[string]any{"metadata": metadata}) // texts
			if pod, err := w.sets.CoreV1().Pods(a.GetTarget().GetNamespace()).Patch(ctx, a.GetTarget().GetName(), types.MergePatchType, patch,
				metav1.PatchOptions{}); err == nil {
				a.Precondition.ResourceVersion = pod.ResourceVersion
			}
		}
	}},
	"missing-keys-stay": {action: func(ctx context.Context, w *adapter, a *setplanv1.Action) {
		if change := a.GetUpdatePod(); change != nil {
			pod, err := w.sets.CoreV1().Pods(a.GetTarget().GetNamespace()).Get(ctx, a.GetTarget().GetName(), metav1.GetOptions{})
			if err != nil {
				return
			}
			for _, key := range change.GetRemoveLabels() {
				if _, there := pod.GetLabels()[key]; !there {
					a.Precondition.ResourceVersion = "1" // the API server refuses it
				}
			}
		}
	}},
	"budgets-are-errors": {result: func(_ *setplanv1.Action, r *adapters.Result) {
		if r.Outcome == refusedByBudget {
			r.Outcome = setplanv1.OutcomeResult_OUTCOME_RESULT_ERROR
		}
	}},
	"budgets-for-load": {result: func(a *setplanv1.Action, r *adapters.Result) {
		if a.GetEvictPod() != nil && r.Err != nil {
			r.Outcome = refusedByBudget
		}
	}},
	"other-words": {result: func(_ *setplanv1.Action, r *adapters.Result) {
		if r.Outcome == refusedByBudget {
			r.Err = errors.New("a budget does not allow it")
		}
	}},
	"no-times-of-refusals": {request: func(r *setplanv1.PlanRequest) {
		for _, outcome := range r.GetSnapshot().GetOutcomes() {
			outcome.TriedAt = nil
		}
	}},
	"new-times-of-refusals": {request: func(r *setplanv1.PlanRequest) {
		for _, outcome := range r.GetSnapshot().GetOutcomes() {
			outcome.TriedAt = r.GetSnapshot().GetObservedAt()
		}
	}},
	"forgets-refusals": {request: func(r *setplanv1.PlanRequest) {
		r.Snapshot.Outcomes = slices.DeleteFunc(r.Snapshot.Outcomes, func(o *setplanv1.Outcome) bool {
			return o.GetResult() == refusedByBudget && r.Snapshot.GetObservedAt().AsTime().Sub(o.GetTriedAt().AsTime()) > time.Second
		})
	}},
	"waits-as-told": {result: func(_ *setplanv1.Action, r *adapters.Result) {
		if seconds, told := apierrors.SuggestsClientDelay(r.Err); told {
			time.Sleep(time.Duration(seconds) * time.Second)
		}
	}},
	"sleeps":   {pause: 12 * time.Second},
	"storms":   {pause: time.Millisecond},
	"decides":  {decides: true},
	"believes": {believes: true},
	"skips-unknown-operations": {plan: func(_ *setplanv1.PlanRequest, p *setplanv1.Plan) {
		for _, stage := range p.GetStages() {
			for _, step := range stage.GetSteps() {
				var known []*setplanv1.Action
				for _, action := range step.GetActions() {
					if action.GetOperation() != nil {
						known = append(known, action)
					}
				}
				step.Actions = known
			}
		}
	}},
	"skips-unknown-fields": {plan: func(_ *setplanv1.PlanRequest, p *setplanv1.Plan) { discardUnknown(p) }},
	"refuses-unknown-codes": {plan: func(_ *setplanv1.PlanRequest, p *setplanv1.Plan) {
		for _, block := range p.GetBlocks() {
			if setplanv1.BlockCode_name[int32(block.GetCode())] == "" {
				p.Stages = nil
			}
		}
	}},
	"refuses-unknown-fields": {plan: func(_ *setplanv1.PlanRequest, p *setplanv1.Plan) {
		if len(p.ProtoReflect().GetUnknown()) > 0 {
			p.Stages = nil
		}
	}},
}

const refusedByBudget = setplanv1.OutcomeResult_OUTCOME_RESULT_DISRUPTION_BUDGET

// preconditions are what a write carries of them, with the comma after it.
var preconditions = regexp.MustCompile(`"(uid|resourceVersion)":"[^"]*",?`)

// doubles is a JSON text after a parser that turns numbers into doubles.
func doubles(text []byte) []byte {
	var value any
	if json.Unmarshal(text, &value) != nil {
		return text
	}
	out, _ := json.Marshal(value) // it was JSON
	return out
}

func noAnnotations(r *setplanv1.PlanRequest) {
	for _, pod := range r.GetSnapshot().GetPods() {
		pod.AnnotationSetIndex = 0
	}
	for _, claim := range r.GetSnapshot().GetClaims() {
		claim.AnnotationSetIndex = 0
	}
}

// eachFailure gives all stages one meaning of a failure. With apart none is of the phase of another.
func eachFailure(p *setplanv1.Plan, on setplanv1.OnFailure, apart bool) {
	for i, stage := range p.GetStages() {
		if stage.OnFailure = on; apart {
			stage.Phase = setplanv1.StagePhase(i + 1)
		}
	}
}

// discardUnknown keeps operations that nobody knows.
func discardUnknown(p *setplanv1.Plan) {
	p.GetFence().ProtoReflect().SetUnknown(nil)
	for _, stage := range p.GetStages() {
		stage.ProtoReflect().SetUnknown(nil)
		for _, step := range stage.GetSteps() {
			step.ProtoReflect().SetUnknown(nil)
			for _, action := range step.GetActions() {
				action.GetTarget().ProtoReflect().SetUnknown(nil)
				action.GetPrecondition().ProtoReflect().SetUnknown(nil)
			}
		}
	}
}

// patchSet changes the set past everything.
func (a *adapter) patchSet(ctx context.Context, action *setplanv1.Action, patch string, sub ...string) {
	target := action.GetTarget()
	_, _ = a.sets.AppsV1().StatefulSets(target.GetNamespace()).Patch(ctx, target.GetName(), types.MergePatchType, []byte(patch),
		metav1.PatchOptions{}, sub...) // what does not work is seen by the case that fails
}

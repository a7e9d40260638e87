package sim

import (
	"context"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/codec"
)

// Planner is the engine in the same process, with what a test wants to do around a plan.
type Planner struct {
	Adapter *Adapter // whose plans these are; a replayed one goes back to the view that it was made from

	// Planned, if set, is shown each plan before the adapter has it.
	Planned func(*setplanv1.PlanRequest, *setplanv1.PlanResponse)

	// Decide is the engine if nil; tests plant another.
	Decide func(*model.Snapshot) *model.Plan

	// Unreachable makes every call fail, as if no server answered.
	Unreachable bool
	// Replay gives the last plan once more instead of making one: a plan that arrives twice.
	Replay bool
	// Builtin decides as the controller of Kubernetes does, which does not know what a drain is.
	Builtin bool
	// Record, if set, is given each plan and what it was made from: the adapter's view, and the request that it became. It must
	// change none of them.
	Record func(View, *setplanv1.PlanRequest, *setplanv1.PlanResponse)
	// Between, if set, is called once after the next plan is made and before the adapter has it: the world moves while
	// the plan is on its way.
	Between func()

	last     *setplanv1.PlanResponse
	lastText string
	lastView View
}

var _ adapters.Planner = (*Planner)(nil)

// Plan implements adapters.Planner.
func (p *Planner) Plan(_ context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	if p.Unreachable {
		return nil, status.Error(codes.Unavailable, "no connection to the planner")
	}
	if p.Builtin {
		request = withoutDrain(request)
	}
	if !p.Replay {
		response, text, err := p.Answer(request)
		if err != nil {
			return nil, status.Error(codes.InvalidArgument, err.Error())
		}
		p.last, p.lastText = response, text
		if p.Planned != nil {
			p.Planned(request, response)
		}
		if p.Record != nil && p.Adapter != nil && !p.Builtin { // which sees less than its view
			p.Record(p.Adapter.view, request, response)
		}
	}
	if p.Adapter != nil {
		if p.Replay {
			p.Adapter.view = p.lastView
		}
		p.lastView = p.Adapter.view.copy()
	}
	p.Replay = false
	if p.Adapter != nil && p.Adapter.faults.among != nil {
		p.Adapter.faults.among()
	}
	if between := p.Between; between != nil {
		p.Between = nil
		between()
	}
	return proto.Clone(p.last).(*setplanv1.PlanResponse), nil
}

// withoutDrain is what the controller of Kubernetes sees. The set's annotations stay: it copies them into new revisions.
func withoutDrain(request *setplanv1.PlanRequest) *setplanv1.PlanRequest {
	request = proto.Clone(request).(*setplanv1.PlanRequest)
	snapshot := request.GetSnapshot()
	snapshot.Policy = &setplanv1.Policy{Behavior: setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36,
		Scope: setplanv1.Scope_SCOPE_WHOLE_SET, Repair: setplanv1.Repair_REPAIR_NEVER,
		Drain: &setplanv1.DrainPolicy{PodTemplate: []byte{}, Ask: proto.Bool(false)}}
	snapshot.Set.Finalizers = nil
	for _, pod := range snapshot.GetPods() {
		pod.AnnotationSetIndex, pod.TerminationMessages, pod.Disrupted = 0, nil, false
	}
	for _, claim := range snapshot.GetClaims() {
		claim.AnnotationSetIndex = 0
	}
	return request
}

// Text is the last plan for people.
func (p *Planner) Text() string { return p.lastText }

// Answer is the planner's answer to a request, also in words. Nothing of what a test does around a plan happens.
func (p *Planner) Answer(request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, string, error) {
	snapshot, err := codec.Decode(request, codec.Limits{})
	if err != nil {
		return nil, "", err
	}
	decide := p.Decide
	if decide == nil {
		decide = engine.Decide
	}
	plan := decide(snapshot)
	response := &setplanv1.PlanResponse{Plan: codec.Encode(plan, request.GetSnapshot().GetSet().GetNamespace())}
	return response, engine.Describe(plan), nil
}

package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"

	"k8s.io/client-go/kubernetes"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server"
)

// adapter has what a correct one is made of, and the breach.
type adapter struct {
	adapters.Source
	adapters.Executor
	adapters.Planner
	sets   kubernetes.Interface
	breach breach

	mu   sync.Mutex
	seen map[adapters.Key]adapters.SetIdentity // of the last snapshot
}

// withPlanner breaks what is sent to the planner, and what comes back.
type withPlanner struct{ *adapter }

// Plan implements adapters.Planner.
func (w withPlanner) Plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	if w.breach.request != nil {
		w.breach.request(request)
	}
	response, err := w.Planner.Plan(ctx, request)
	if err != nil && w.breach.decides {
		return server.NewService(server.ServiceOptions{Log: slog.New(slog.DiscardHandler)}).Plan(ctx, request)
	}
	if err != nil {
		return nil, err
	}
	if w.breach.plan != nil {
		w.breach.plan(request, response.GetPlan())
	}
	if w.breach.believes {
		w.carryOut(ctx, request, response.GetPlan())
		response.Plan.Stages = nil
	}
	return response, nil
}

// carryOut does whatever a plan says.
func (w withPlanner) carryOut(ctx context.Context, request *setplanv1.PlanRequest, plan *setplanv1.Plan) {
	key := adapters.Key{Namespace: request.GetSnapshot().GetSet().GetNamespace(), Name: request.GetSnapshot().GetSet().GetName()}
	for _, stage := range plan.GetStages() {
		for _, step := range stage.GetSteps() {
			for _, action := range step.GetActions() {
				_ = w.Executor.Apply(ctx, key, action) // it does not look back
			}
		}
	}
}

// withSource breaks what is read.
type withSource struct{ *adapter }

// Observed implements adapters.Source.
func (w withSource) Observed(ctx context.Context, key adapters.Key, write adapters.Write) bool {
	return w.breach.noGate || w.Source.Observed(ctx, key, write)
}

// Snapshot implements adapters.Source.
func (w withSource) Snapshot(ctx context.Context, key adapters.Key) (*setplanv1.Snapshot, error) {
	snapshot, err := w.Source.Snapshot(ctx, key)
	if err != nil {
		return nil, err
	}
	identity, err := w.Source.Set(ctx, key)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen == nil {
		w.seen = map[adapters.Key]adapters.SetIdentity{}
	}
	w.seen[key] = identity
	return snapshot, err
}

// Set implements adapters.Source.
func (w withSource) Set(ctx context.Context, key adapters.Key) (adapters.SetIdentity, error) {
	identity, err := w.Source.Set(ctx, key)
	if w.breach.hidesNeighbours {
		identity.Neighbours = ""
	}
	if w.breach.noFence {
		w.mu.Lock()
		identity = w.seen[key]
		w.mu.Unlock()
	}
	return identity, err
}

// LiveSet implements adapters.Source.
func (w withSource) LiveSet(ctx context.Context, key adapters.Key) (adapters.SetIdentity, error) {
	if w.breach.noLiveSet {
		return adapters.SetIdentity{}, adapters.ErrGone
	}
	return w.Source.LiveSet(ctx, key)
}

// Apply and the rest of an executor are withExecutor's.
type withExecutor struct{ *adapter }

// Apply implements adapters.Executor.
func (w withExecutor) Apply(ctx context.Context, key adapters.Key, action *setplanv1.Action) adapters.Result {
	if w.breach.action != nil {
		w.breach.action(ctx, w.adapter, action)
	}
	result := w.Executor.Apply(ctx, key, action)
	for again := 0; result.Err != nil && again < w.breach.retries; again++ {
		result = w.Executor.Apply(ctx, key, action)
	}
	if w.breach.result != nil {
		w.breach.result(action, &result)
	}
	return result
}

// wire breaks what writes carry.
type wire struct {
	http.RoundTripper
	body func([]byte) []byte
}

// RoundTrip implements http.RoundTripper.
func (w wire) RoundTrip(request *http.Request) (*http.Response, error) {
	creates := request.Method == http.MethodPost && !strings.HasSuffix(request.URL.Path, "/eviction")
	if request.Body == nil || request.Method == http.MethodGet || creates {
		return w.RoundTripper.RoundTrip(request)
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	body = w.body(body)
	changed := request.Clone(request.Context())
	changed.Body, changed.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return w.RoundTripper.RoundTrip(changed)
}

package kube

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// plannerFunc makes a planner of a function.
type plannerFunc func() (*setplanv1.Plan, error)

func (f plannerFunc) Plan(context.Context, *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	plan, err := f()
	return &setplanv1.PlanResponse{Plan: plan}, err
}

// TestControllerRetries: an error is retried without a new change, and Run ends when it is told to.
func TestControllerRetries(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var calls int
	planner := plannerFunc(func() (*setplanv1.Plan, error) {
		if calls++; calls < 3 {
			return nil, errors.New("away")
		}
		cancel()
		return &setplanv1.Plan{}, nil
	})
	registry := prometheus.NewRegistry()
	metrics := NewMetrics(registry)
	source := NewSource(StatefulSets(), filledCaches(t, webSet(t, "set")), nil, time.Now)
	pace := NewPace()
	loop := adapters.NewLoop(source, nil, planner, adapters.Observers{metrics, NewLogs(quiet, false), pace}, adapters.Options{})
	controller := NewController(loop, pace, 1, metrics, registry, quiet)
	controller.Changed(webKey, Change{})
	controller.Run(ctx)
	if calls != 3 {
		t.Errorf("%d calls", calls)
	}
	for series, want := range map[string]float64{
		"setplan_adapter_planner_errors_total Unknown": 2,
		"setplan_adapter_sets planner unreachable":     0,
		"setplan_adapter_sets progressing":             1,
		"workqueue_retries_total statefulset":          2,
	} {
		if got := gathered(t, registry)[series]; got != want {
			t.Errorf("%s is %g, want %g", series, got, want)
		}
	}
}

// gathered returns the counters and gauges by name and label values.
func gathered(t *testing.T, registry *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			series := family.GetName()
			for _, label := range metric.GetLabel() {
				series += " " + label.GetValue()
			}
			values[series] = metric.GetCounter().GetValue() + metric.GetGauge().GetValue()
		}
	}
	return values
}

// slowExecutor says when an action has begun and waits for the test to let it end.
type slowExecutor struct {
	begun, end chan struct{}
	once       sync.Once
	done       int
}

func (e *slowExecutor) Apply(context.Context, adapters.Key, *setplanv1.Action) adapters.Result {
	e.once.Do(func() { close(e.begun) })
	<-e.end
	e.done++
	return adapters.Result{}
}

// writeStatus is an action that is valid in any plan for the set.
func writeStatus() *setplanv1.Action {
	a := action("StatefulSet", "web", is("set", "7"))
	a.Operation = &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: &setplanv1.StatefulSetStatus{Replicas: new(int32(1))}}}
	return a
}

// TestShutdownFinishesTheAction: Run returns after the current action, and no other begins.
func TestShutdownFinishesTheAction(t *testing.T) {
	plan := &setplanv1.Plan{
		Fence:  &setplanv1.Fence{SetUid: "set", Generation: 3},
		Stages: []*setplanv1.Stage{{Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{writeStatus(), writeStatus()}}}}},
	}
	executor := &slowExecutor{begun: make(chan struct{}), end: make(chan struct{})}
	registry := prometheus.NewRegistry()
	metrics := NewMetrics(registry)
	source := NewSource(StatefulSets(), filledCaches(t, webSet(t, "set")), nil, time.Now)
	planner := plannerFunc(func() (*setplanv1.Plan, error) { return plan, nil })
	pace := NewPace()
	loop := adapters.NewLoop(source, executor, planner, adapters.Observers{metrics, pace}, adapters.Options{})
	controller := NewController(loop, pace, 1, metrics, registry, quiet)
	controller.Changed(webKey, Change{})

	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		controller.Run(ctx)
		close(ended)
	}()
	<-executor.begun
	cancel()
	select {
	case <-ended:
		t.Fatal("Run returned while an action was under way")
	default:
	}
	close(executor.end)
	<-ended
	if executor.done != 1 {
		t.Errorf("%d actions were done, want the one under way", executor.done)
	}
}

// TestGauges: a set's part of the gauges is removed with it.
func TestGauges(t *testing.T) {
	registry := prometheus.NewRegistry()
	metrics := NewMetrics(registry)
	other := adapters.Key{Namespace: "default", Name: "db"}
	waiting := &setplanv1.Plan{Blocks: []*setplanv1.Block{{Code: setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY}, {Code: setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY}}}
	for _, s := range []struct {
		do   func()
		want float64
	}{
		{func() { metrics.Planned(webKey, nil, waiting) }, 2},
		{func() { metrics.Planned(other, nil, waiting) }, 4},
		{func() { metrics.Held(webKey, adapters.ReasonForeignWriter, errors.New("x")) }, 4},
		{func() { metrics.Planned(webKey, nil, &setplanv1.Plan{Converged: true}) }, 2},
		{func() { metrics.Forgotten(other) }, 0},
	} {
		s.do()
		if got := gathered(t, registry)["setplan_adapter_blocks POD_NOT_READY"]; got != s.want {
			t.Errorf("got %g blocks, want %g", got, s.want)
		}
	}
}

// TestPlansAreServed: users who only observe see the plans.
func TestPlansAreServed(t *testing.T) {
	plans := NewPlans()
	plans.Planned(webKey, &setplanv1.Snapshot{}, &setplanv1.Plan{
		Stages: []*setplanv1.Stage{{Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{createPod()}}}}},
		Blocks: []*setplanv1.Block{{Code: setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY, Severity: setplanv1.Severity_SEVERITY_WAIT, Subject: &setplanv1.Target{Kind: kindPod, Name: "web-0"}, Message: "Not ready."}},
	})
	plans.Planned(adapters.Key{Namespace: "a", Name: "gone"}, &setplanv1.Snapshot{}, &setplanv1.Plan{})
	plans.Forgotten(adapters.Key{Namespace: "a", Name: "gone"})
	plans.Held(webKey, adapters.ReasonGate, nil)
	plans.Held(webKey, adapters.ReasonPlannerUnreachable, nil)
	answer := httptest.NewRecorder()
	plans.ServeHTTP(answer, httptest.NewRequest("GET", "/plans", nil))
	want := `[{"set":"default/web","observedAt":"1970-01-01T00:00:00Z","converged":false,"actions":{"create_pod":1},"next":["create pod web-0"],"blocks":[` +
		`{"code":"BLOCK_CODE_POD_NOT_READY","severity":"SEVERITY_WAIT","subject":"Pod/web-0","message":"Not ready."}],"held":"planner unreachable"}]` + "\n"
	if diff := cmp.Diff(want, answer.Body.String()); diff != "" {
		t.Error(diff)
	}
}

// TestPlansNameWhatWouldBeDone: the first actions in order, and in observe mode in the log, too.
func TestPlansNameWhatWouldBeDone(t *testing.T) {
	plan := &setplanv1.Plan{}
	for i := range mostNext + 2 {
		gone := deletePod(is("p", ""))
		gone.Target.Name = fmt.Sprintf("web-%d", mostNext+1-i)
		plan.Stages = append(plan.Stages, &setplanv1.Stage{Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{gone}}}})
	}
	var log bytes.Buffer
	plans := NewPlans()
	for _, observer := range []adapters.Observer{plans, NewLogs(slog.New(slog.NewTextHandler(&log, nil)), true)} {
		observer.Planned(webKey, &setplanv1.Snapshot{}, plan)
	}
	list := plans.list()
	if len(list) != 1 || len(list[0].Next) != mostNext || list[0].Next[0] != "delete pod web-11" || list[0].Next[9] != "delete pod web-2" || list[0].MoreNext != 2 {
		t.Errorf("%+v", list)
	}
	if want := `next="delete pod web-11, delete pod web-10, `; !strings.Contains(log.String(), want) || !strings.Contains(log.String(), "more=2") {
		t.Errorf("%s lacks %s", &log, want)
	}
}

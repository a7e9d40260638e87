package server

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/setplan/setplan/engine/forecast"
	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// comingUp asks how a set of so many pods comes up.
func comingUp(pods int32) *setplanv1.ForecastRequest {
	r := request()
	r.Snapshot.Set.Replicas = &pods
	return &setplanv1.ForecastRequest{Start: r}
}

// foreseen reads a forecast to its end.
func foreseen(ctx context.Context, planner setplanv1.PlannerServiceClient, request *setplanv1.ForecastRequest) (steps []*setplanv1.ForecastStep, result *setplanv1.ForecastResult, err error) {
	stream, err := planner.Forecast(ctx, request)
	if err != nil {
		return nil, nil, err
	}
	for {
		part, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF):
			return steps, result, nil
		case err != nil:
			return steps, result, err
		case part.GetStep() != nil && result == nil:
			steps = append(steps, part.GetStep())
		case part.GetResult() != nil && result == nil:
			result = part.GetResult()
		default:
			return nil, nil, errors.New("something comes after the result, or nothing is in a part")
		}
	}
}

// TestForecast: the steps come in order, and last the result, which is what the same process would be told.
func TestForecast(t *testing.T) {
	r := start(t, Config{}, nil)
	ask := comingUp(3)
	ask.Times = &setplanv1.ForecastTimes{ReadyAfter: durationpb.New(7 * time.Second)}
	steps, result, err := foreseen(testContext(t), r.planner(t), ask)
	if err != nil {
		t.Fatal(err)
	}
	var pods []string
	for i, step := range steps {
		if int(step.GetNumber()) != i+1 {
			t.Errorf("step %d has number %d", i+1, step.GetNumber())
		}
		for _, a := range step.GetActions() {
			if a.GetOperation() == "create_pod" {
				pods = append(pods, a.GetTarget().GetName()+" "+step.GetAt().AsTime().Format("05"))
			}
		}
	}
	if diff := cmp.Diff([]string{"web-0 00", "web-1 07", "web-2 14"}, pods); diff != "" {
		t.Error(diff)
	}
	if result.GetVerdict() != setplanv1.ForecastVerdict_FORECAST_VERDICT_CONVERGED || len(result.GetAdded()) != 3 || result.GetTimes().GetReadyAfter().AsDuration() != 7*time.Second {
		t.Errorf("the result is %v", result)
	}
	var here []*setplanv1.ForecastStep
	inside, err := NewService(ServiceOptions{}).Foresee(testContext(t), ask, func(step *setplanv1.ForecastStep) error {
		here = append(here, step)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(here, steps, protocmp.Transform()) + cmp.Diff(inside, result, protocmp.Transform()); diff != "" {
		t.Errorf("-in process +over the network\n%s", diff)
	}
	if text := proto.Message(result).(*setplanv1.ForecastResult).String(); strings.Contains(text, secret) {
		t.Error("a forecast shows the template")
	}
}

// TestForecastRefusals: as for plans, with paths that say where in the request the mistake is.
func TestForecastRefusals(t *testing.T) {
	r := start(t, Config{Limits: Limits{MaxPods: 2}}, nil)
	planner := r.planner(t)
	tests := map[string]struct {
		edit   func(*setplanv1.ForecastRequest)
		code   codes.Code
		reason string
		field  string
	}{
		"nothing":           {func(f *setplanv1.ForecastRequest) { f.Start = nil }, codes.InvalidArgument, "INVALID_SNAPSHOT", "start.capabilities"},
		"no snapshot":       {func(f *setplanv1.ForecastRequest) { f.Start.Snapshot = nil }, codes.InvalidArgument, "INVALID_SNAPSHOT", "start.snapshot"},
		"no uid":            {func(f *setplanv1.ForecastRequest) { f.Start.Snapshot.Set.Uid = "" }, codes.InvalidArgument, "INVALID_SNAPSHOT", "start.snapshot.set.uid"},
		"a name too long":   {func(f *setplanv1.ForecastRequest) { f.Start.Snapshot.Set.Uid = strings.Repeat("x", 300) }, codes.InvalidArgument, "INVALID_SNAPSHOT", "start.snapshot.set.uid"},
		"an unknown policy": {func(f *setplanv1.ForecastRequest) { f.Start.Snapshot.Policy = &setplanv1.Policy{Behavior: 77} }, codes.FailedPrecondition, "UNSUPPORTED_POLICY", ""},
		"a time for ever": {func(f *setplanv1.ForecastRequest) {
			f.Times = &setplanv1.ForecastTimes{GoneAfter: durationpb.New(1000 * 24 * time.Hour)}
		}, codes.InvalidArgument, "INVALID_SNAPSHOT", "times.gone_after"},
		"no time": {func(f *setplanv1.ForecastRequest) {
			f.Times = &setplanv1.ForecastTimes{DrainedAfter: &durationpb.Duration{Seconds: 1, Nanos: -1}}
		}, codes.InvalidArgument, "INVALID_SNAPSHOT", "times.drained_after"},
		"too many pods": {func(f *setplanv1.ForecastRequest) { f.Start.Snapshot.Pods = make([]*setplanv1.Pod, 3) }, codes.ResourceExhausted, "TOO_MANY_PODS", ""},
		"a long tail": {func(f *setplanv1.ForecastRequest) {
			f.ProtoReflect().SetUnknown(append([]byte{0x9a, 0x06, 0xb8, 0x17}, make([]byte, 3000)...))
		}, codes.InvalidArgument, "INVALID_SNAPSHOT", "request"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ask := comingUp(1)
			test.edit(ask)
			for i := range ask.GetStart().GetSnapshot().GetPods() {
				ask.Start.Snapshot.Pods[i] = &setplanv1.Pod{Name: "x"}
			}
			_, result, err := foreseen(testContext(t), planner, ask)
			want(t, err, test.code, test.reason)
			if bad := detail[*errdetails.BadRequest](err); test.field != "" && (len(bad.GetFieldViolations()) == 0 || bad.GetFieldViolations()[0].GetField() != test.field) {
				t.Errorf("%v, want %s", bad, test.field)
			}
			if result != nil {
				t.Error("there is a result")
			}
		})
	}
	goesOn(t, planner)
}

// TestForecastOfThousandPods comes through in one call, and in time.
func TestForecastOfThousandPods(t *testing.T) {
	r := start(t, Config{}, nil)
	ask := comingUp(1000)
	ask.Start.Snapshot.Set.PodManagementPolicy = "Parallel"
	_, result, err := foreseen(testContext(t), r.planner(t), ask)
	if err != nil || len(result.GetAdded()) != 1000 {
		t.Errorf("%d pods, %v", len(result.GetAdded()), err)
	}
}

// endlessly foresees a step after another for as long as somebody waits for them, each with a text of so many bytes.
func endlessly(s *Server, bytes int) {
	s.service.foresee = func(stop func() bool, _ *model.Snapshot, _ forecast.Options) (func(func(forecast.Step) bool), func() *forecast.Result) {
		return func(yield func(forecast.Step) bool) {
			step := forecast.Step{Actions: []model.Action{{Kind: model.KindPod, Name: strings.Repeat("x", bytes), Op: model.DeletePod{}}}}
			for n := 1; !stop(); n++ {
				if step.Number = n; !yield(step) {
					return
				}
			}
		}, func() *forecast.Result { return nil }
	}
}

// TestForecastEndsWithItsCall: who has gone costs nothing any more.
func TestForecastEndsWithItsCall(t *testing.T) {
	r := start(t, Config{}, func(s *Server) { endlessly(s, 10) })
	ctx, cancel := context.WithCancel(testContext(t))
	defer cancel()
	stream, err := r.planner(t).Forecast(ctx, comingUp(1))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := stream.Recv(); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	givesBack(t, r.Server.admission)
}

// TestForecastDeadline: a forecast ends with the time of its caller, who is told so.
func TestForecastDeadline(t *testing.T) {
	r := start(t, Config{}, func(s *Server) { endlessly(s, 10) })
	ctx, cancel := context.WithTimeout(testContext(t), 200*time.Millisecond)
	defer cancel()
	_, _, err := foreseen(ctx, r.planner(t), comingUp(1))
	if status.Code(err) != codes.DeadlineExceeded {
		t.Errorf("the forecast ends with %v", err)
	}
	givesBack(t, r.Server.admission)
}

// TestUnreadForecastHoldsNobodyUp: while a caller does not read its steps, others have its turn.
func TestUnreadForecastHoldsNobodyUp(t *testing.T) {
	r := start(t, Config{Turns: 1}, func(s *Server) { endlessly(s, 1<<20) })
	stream, err := r.planner(t).Forecast(testContext(t), comingUp(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		goesOn(t, r.planner(t))
	}
}

// TestForecastWorstCase is there for those who ask, and complete for a small set.
func TestForecastWorstCase(t *testing.T) {
	planner := start(t, Config{}, nil).planner(t)
	for pods, complete := range map[int32]bool{3: true, 6: false} {
		ask := comingUp(pods)
		ask.Pessimistic = true
		_, result, err := foreseen(testContext(t), planner, ask)
		if err != nil || result.GetWorstCase() == nil || result.GetWorstCase().GetComplete() != complete {
			t.Errorf("%d pods: %v, %v", pods, result.GetWorstCase(), err)
		}
	}
	if _, result, err := foreseen(testContext(t), planner, comingUp(1)); err != nil || result.GetWorstCase() != nil {
		t.Errorf("nobody asked for %v, %v", result.GetWorstCase(), err)
	}
}

// TestForecastBudget: a forecast that takes too much ends early over the network and says why; who asks in the same process may go on.
func TestForecastBudget(t *testing.T) {
	planner := start(t, Config{}, nil).planner(t)
	ask := comingUp(90_000)
	ask.MaxSteps = 1<<31 - 1
	_, result, err := foreseen(testContext(t), planner, ask)
	if err != nil || result.GetVerdict() != setplanv1.ForecastVerdict_FORECAST_VERDICT_UNDECIDED || !strings.Contains(result.GetLimit(), "budget") {
		t.Errorf("%v, %v", result, err)
	}
	ask = comingUp(3)
	ask.MaxSteps = 2
	_, result, err = foreseen(testContext(t), planner, ask)
	if err != nil || !strings.Contains(result.GetLimit(), "max_steps") {
		t.Errorf("%v, %v", result, err)
	}
	steps := 0
	result, err = NewService(ServiceOptions{}).Foresee(testContext(t), comingUp(50_000), func(*setplanv1.ForecastStep) error {
		if steps++; steps > 3 {
			return errors.New("enough")
		}
		return nil
	})
	if steps <= 3 || err == nil {
		t.Errorf("in the same process: %d steps, %v, %v", steps, result.GetLimit(), err)
	}
}

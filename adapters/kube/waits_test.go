package kube

import (
	"context"
	"errors"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// waited returns how often sets have waited for something, and how long in all.
func waited(t *testing.T, registry *prometheus.Registry, what string) (times uint64, seconds float64) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			if family.GetName() == "setplan_adapter_wait_duration_seconds" && metric.GetLabel()[0].GetValue() == what {
				times, seconds = metric.GetHistogram().GetSampleCount(), metric.GetHistogram().GetSampleSum()
			}
		}
	}
	return times, seconds
}

// TestEveryWaitIsTold: while a set waits in the adapter, /plans says for what and how long, and a metric counts the wait
// afterwards.
func TestEveryWaitIsTold(t *testing.T) {
	now := time.Unix(1_700_000_000, 0).UTC()
	clock := func() time.Time { return now }
	registry := prometheus.NewRegistry()
	waits := NewWaits(registry, clock)
	plans := NewPlans(waits)
	served := func() string {
		answer := httptest.NewRecorder()
		plans.ServeHTTP(answer, httptest.NewRequest("GET", "/plans", nil))
		return answer.Body.String()
	}

	waits.begin(webKey, waitWorker, 0) // never planned
	now = now.Add(3 * time.Second)
	waits.begin(webKey, waitWorker, 0) // parked again
	waits.begin(webKey, waitBackOff, 10*time.Second)
	for _, want := range []string{`"set":"default/web"`, `{"for":"worker","since":"2023-11-14T22:13:20Z","message":"All workers`,
		`{"for":"back-off","since":"2023-11-14T22:13:23Z","until":"2023-11-14T22:13:33Z"`} {
		if got := served(); !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
	waits.end(webKey, waitWorker)
	waits.end(webKey, waitWorker) // it no longer waits
	waits.end(webKey, waitRetries)
	if times, seconds := waited(t, registry, waitWorker); times != 1 || seconds != 3 {
		t.Errorf("waited %d times, %g s", times, seconds)
	}
	waits.Forgotten(webKey)
	if got := served(); got != "[]\n" {
		t.Errorf("a set that is gone: %s", got)
	}

	waiting, come := make(chan struct{}), make(chan struct{})
	turn := waits.turn(func(context.Context, adapters.Key) (func(), error) {
		waiting <- struct{}{}
		<-come
		return func() {}, nil
	})
	ended := make(chan error)
	for range 2 {
		go func() {
			_, err := turn(t.Context(), webKey)
			ended <- err
		}()
	}
	<-waiting
	<-waiting // both; otherwise the first may have its turn before the other comes
	if !slices.ContainsFunc(waits.of(webKey), func(s WaitSummary) bool { return s.For == waitWrite }) {
		t.Error("two writes wait, and /plans does not say so")
	}
	come <- struct{}{}
	<-ended
	if len(waits.of(webKey)) != 1 {
		t.Error("one of two writes still waits, and /plans does not say so")
	}
	come <- struct{}{}
	<-ended
	if got := waits.of(webKey); len(got) != 0 {
		t.Errorf("nothing waits: %v", got)
	}
	if times, _ := waited(t, registry, waitWrite); times != 2 {
		t.Errorf("%d writes waited", times)
	}
}

// TestControllerTellsWaits: the controller records that a set waits for its next try, for the budget and for a worker.
func TestControllerTellsWaits(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	registry := prometheus.NewRegistry()
	waits := NewWaits(registry, time.Now)
	var during [][]WaitSummary
	planner := plannerFunc(func() (*setplanv1.Plan, error) {
		during = append(during, waits.of(webKey))
		if len(during) == 3 {
			cancel()
		}
		return nil, errors.New("away")
	})
	pace := NewPace()
	loop := adapters.NewLoop(NewSource(StatefulSets(), filledCaches(t, webSet(t, "set")), nil, time.Now), nil, planner,
		adapters.Observers{pace, waits}, adapters.Options{})
	controller := NewController(loop, pace, NewRetries(time.Now), waits, NewMetrics(registry), registry, quiet)
	controller.Changed(webKey, Change{})
	controller.Run(ctx, 1)
	if times, _ := waited(t, registry, waitBackOff); times != 2 || slices.ContainsFunc(during, func(w []WaitSummary) bool { return len(w) > 0 }) {
		t.Errorf("waited %d times for the next try; while it was worked on: %v", times, during)
	}
	if left := waits.of(webKey); len(left) != 1 || left[0].For != waitBackOff {
		t.Errorf("in the end: %v", left)
	}
}

// TestParkedIsTold: a set without a worker, or without a turn in the budget, is reported as waiting.
func TestParkedIsTold(t *testing.T) {
	registry := prometheus.NewRegistry()
	waits := NewWaits(registry, time.Now)
	pace, retries := NewPace(), NewRetries(time.Now)
	planner := plannerFunc(func() (*setplanv1.Plan, error) { return &setplanv1.Plan{}, nil })
	loop := adapters.NewLoop(NewSource(StatefulSets(), filledCaches(t, webSet(t, "set")), nil, time.Now), nil, planner,
		adapters.Observers{pace, retries, waits}, adapters.Options{})
	controller := NewController(loop, pace, retries, waits, NewMetrics(registry), registry, quiet)
	controller.lanes = NewLanes(1, controller.queue.Add)
	other := adapters.Key{Namespace: "default", Name: "other"}
	in, _ := controller.lanes.begin(other, false)
	controller.work(t.Context(), webKey)
	if is := waits.of(webKey); len(is) != 1 || is[0].For != waitWorker {
		t.Errorf("no worker is free: %v", is)
	}
	controller.lanes.end(in)
	retries.budget.bucket.AllowN(time.Now(), retriesAtOnce)
	for range failuresInARow {
		retries.ended(webKey, errors.New("refused"), time.Now())
	}
	controller.work(t.Context(), webKey)
	if is := waits.of(webKey); len(is) != 1 || is[0].For != waitRetries {
		t.Errorf("the budget is used up: %v", is)
	}
}

package kube

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// failedPace is a pace whose last pass over a set has failed so often that the next one is minutes away.
func failedPace() *Pace {
	p := testPace()
	for range 20 {
		p.retries.own.When(webKey)
	}
	p.changed(webKey, foreign)
	p.begin(webKey)
	p.end(webKey, 0, errors.New("no"))
	return p
}

// TestFailedPassWaits: what a failed pass wrote does not start the next pass; others' changes do, and a bound claim may be what it waits for.
func TestFailedPassWaits(t *testing.T) {
	for _, change := range []Change{own, ownStatus} {
		p := failedPace()
		p.changed(webKey, change)
		if p.begin(webKey) {
			t.Errorf("a %s that came back begins a pass too early", change.Kind)
		}
		if wait := p.of(webKey).wait(); wait < 3*time.Minute {
			t.Errorf("a %s that came back begins one in %s", change.Kind, wait)
		}
	}
	for _, change := range []Change{foreign, boundClaim, {Write: adapters.Write{Kind: "StatefulSet", Name: "foreign"}}} {
		p := failedPace()
		if p.changed(webKey, change); !p.begin(webKey) {
			t.Errorf("news waits %s: %v", p.of(webKey).wait(), change)
		}
	}
}

// TestHeldIsNoSuccess: a pass that met a closed gate, or another controller, does not show whether the set still fails.
func TestHeldIsNoSuccess(t *testing.T) {
	p := failedPace()
	before := p.retries.own.NumRequeues(webKey)
	for _, planned := range []bool{false, true} {
		p.changed(webKey, foreign)
		p.begin(webKey)
		if planned {
			p.Planned(webKey, nil, &setplanv1.Plan{})
		}
		p.end(webKey, 0, nil)
		if got := p.retries.own.NumRequeues(webKey); got != before && !planned || got != 0 && planned {
			t.Errorf("%d failures in a row after a pass without an error; with a plan: %t", got, planned)
		}
	}
}

// TestBusyPlannerIsNotAsked: news of a set does not make us ask a busy planner sooner than it wants.
func TestBusyPlannerIsNotAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy, err := grpcstatus.New(codes.ResourceExhausted, "busy").WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(time.Second)})
		if err != nil {
			t.Fatal(err)
		}
		var one sync.Mutex // the work queue gives a set to one worker at a time
		passes := 0
		pace := NewPace()
		pace.echo = func(adapters.Key, ...adapters.Write) bool { return false }
		work := func() {
			one.Lock()
			defer one.Unlock()
			if pace.begin(webKey) {
				passes++
				pace.Held(webKey, adapters.ReasonPlannerBusy, busy.Err())
				pace.end(webKey, 0, fmt.Errorf("%w: %w", adapters.ErrPlannerBusy, busy.Err()))
			}
		}
		pace.queue = func(_ adapters.Key, wait time.Duration) { time.AfterFunc(wait, work) }
		for range 100 {
			pace.changed(webKey, Change{})
			time.Sleep(100 * time.Millisecond)
		}
		synctest.Wait()
		one.Lock()
		if passes < 10 || passes > 11 {
			t.Errorf("asked %d times in ten seconds, want once a second", passes)
		}
		one.Unlock()
		time.Sleep(time.Minute)
	})
}

// TestEditsOfABusyPlannersSet: a planner that says it is busy keeps a set for seconds, whatever it says, and not from somebody who edits it.
func TestEditsOfABusyPlannersSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy, err := grpcstatus.New(codes.ResourceExhausted, "busy").WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(1000 * time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		for name, row := range map[string]struct {
			change Change
			own    bool
			ends   bool
		}{
			"its spec or its annotations": {Change{Write: adapters.Write{Kind: "StatefulSet"}}, false, true},
			"its status, by us":           {Change{Write: adapters.Write{Kind: "StatefulSet"}}, true, false},
			"a pod":                       {Change{Write: adapters.Write{Kind: kindPod}}, false, false},
			"a pod that is gone":          {Change{}, false, false},
		} {
			for _, during := range []bool{false, true} { // the pass
				pace := NewPace()
				pace.echo, pace.queue = func(adapters.Key, ...adapters.Write) bool { return row.own }, func(adapters.Key, time.Duration) {}
				pace.ask(webKey, 0)
				pace.begin(webKey)
				if during {
					pace.changed(webKey, row.change)
				}
				pace.Held(webKey, adapters.ReasonPlannerBusy, busy.Err())
				pace.end(webKey, 0, fmt.Errorf("%w: %w", adapters.ErrPlannerBusy, busy.Err()))
				if !during {
					pace.changed(webKey, row.change)
				}
				if time.Sleep(time.Second); pace.begin(webKey) != row.ends {
					t.Errorf("%s changes, during the pass: %t: a pass begins: %t", name, during, !row.ends)
				}
			}
		}
		time.Sleep(time.Minute)
	})
}

package kube

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/setplan/setplan/adapters"
)

// TestFailedPassWaits: the status that a failed pass wrote does not start the next pass; others' changes do.
func TestFailedPassWaits(t *testing.T) {
	for _, kind := range []string{kindPod, "StatefulSet"} {
		ours := true
		pace := NewPace()
		pace.queue = func(adapters.Key) {}
		pace.echo = func(adapters.Key, ...adapters.Write) bool { return ours }
		if !pace.begin(webKey) {
			t.Fatal("the first pass may not begin")
		}
		pace.failed(webKey)
		pace.ask(webKey, time.Hour)
		pace.end(webKey)
		pace.changed(webKey, Change{Write: adapters.Write{Kind: kind, Name: "x"}})
		if pace.begin(webKey) {
			t.Errorf("a %s that came back begins a pass too early", kind)
		}
		if until := time.Until(pace.sets[webKey].rings); until < 59*time.Minute {
			t.Errorf("a %s that came back begins one in %s", kind, until)
		}
		ours = false
		pace.changed(webKey, Change{Write: adapters.Write{Kind: kind, Name: "x"}})
		if !pace.begin(webKey) {
			t.Errorf("news about a %s has to wait", kind)
		}
	}
}

// TestBoundClaimAfterFailure: a pass that failed may have a retry minutes away, and a claim that was bound may be what it waits for.
func TestBoundClaimAfterFailure(t *testing.T) {
	pace := NewPace()
	pace.queue = func(adapters.Key) {}
	pace.echo = func(_ adapters.Key, writes ...adapters.Write) bool { return len(writes) == 0 }
	pace.begin(webKey)
	pace.failed(webKey)
	pace.ask(webKey, time.Hour)
	pace.end(webKey)
	pace.changed(webKey, boundClaim)
	if !pace.begin(webKey) {
		t.Errorf("a bound claim begins a pass in %s", time.Until(pace.sets[webKey].rings))
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
		pace.queue = func(key adapters.Key) {
			one.Lock()
			defer one.Unlock()
			if pace.begin(key) {
				passes++
				pace.Held(key, adapters.ReasonPlannerBusy, busy.Err())
				pace.failed(key)
				pace.ask(key, 15*time.Second)
				pace.end(key)
			}
		}
		for range 100 {
			pace.changed(webKey, Change{})
			pace.queue(webKey)
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
				pace.echo, pace.queue = func(adapters.Key, ...adapters.Write) bool { return row.own }, func(adapters.Key) {}
				pace.begin(webKey)
				if during {
					pace.changed(webKey, row.change)
				}
				pace.Held(webKey, adapters.ReasonPlannerBusy, busy.Err())
				pace.failed(webKey)
				pace.ask(webKey, 15*time.Second)
				pace.end(webKey)
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

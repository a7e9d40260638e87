package server

import (
	"context"
	"runtime"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestForecastsHaveAShare: callers that have used nothing, as many as there are, get half of the memory and of the turns for forecasts; a plan fits beside
// them, and they beside plans.
func TestForecastsHaveAShare(t *testing.T) {
	for turns, may := range map[int]int{1: 1, 2: 1, 4: 2} {
		a := still(t)
		a.turns = turns
		begun := 0
		for range 100 {
			w := &waiter{caller: &caller{}, stage: stageBegin, forecast: true, bytes: a.need(1000, true)}
			if a.fits(w) {
				a.take(w)
				begun++
			}
		}
		if begun != may || a.foreseen.held > a.bytes/2 {
			t.Errorf("of %d turns forecasts take %d, and %d bytes", turns, begun, a.foreseen.held)
		}
		a.taken, a.foreseen.taken = 0, 0 // all wait for their callers to read
		for range 100 {
			w := &waiter{caller: &caller{}, stage: stageBegin, forecast: true, bytes: a.need(1000, true)}
			if a.fits(w) {
				a.take(w)
			}
			a.taken, a.foreseen.taken = 0, 0
		}
		plans := 0
		for range 3 {
			w := &waiter{caller: &caller{}, stage: stageBegin, bytes: a.need(1000, false)}
			if a.fits(w) {
				a.take(w)
				plans++
			}
			a.taken = 0
		}
		if a.foreseen.held > a.bytes/2 || a.foreseen.held < a.bytes/4 || plans != 3 {
			t.Errorf("forecasts hold %d of %d bytes, and %d plans fit beside them", a.foreseen.held, a.bytes, plans)
		}
	}
}

// TestPlansGoBeforeForecasts: forecasts of many callers that have used nothing count as one, which has used much.
func TestPlansGoBeforeForecasts(t *testing.T) {
	a := still(t)
	for range 20 {
		(&turn{of: a, caller: &caller{}, forecast: true, since: a.clock().Add(-20 * time.Millisecond)}).charge(a.clock())
	}
	foresees, plans := &waiter{caller: &caller{}, stage: stageBegin, forecast: true}, &waiter{caller: &caller{}, stage: stageBegin}
	plans.caller.own.granted = 7 // it was served later than the other
	if !a.before(plans, foresees) || a.before(foresees, plans) {
		t.Error("a forecast goes before a plan")
	}
	a.charge(plans.caller, time.Second) // it floods, and forecasts have their share
	if a.before(plans, foresees) || !a.before(foresees, plans) {
		t.Error("a flood of plans goes before a forecast")
	}
	running := &turn{of: a, caller: &caller{}, forecast: true}
	a.waiting = []*waiter{{caller: &caller{}, stage: stageBegin}}
	if !running.owes() {
		t.Error("a forecast keeps its turn although a plan waits")
	}
	if (&turn{of: a, caller: &caller{}}).owes() {
		t.Error("a plan gives its turn to one that has used as much")
	}
}

// TestUnreadForecastEnds: a forecast whose caller takes no further step gives back its memory, and its turn, after a while.
func TestUnreadForecastEnds(t *testing.T) {
	r := start(t, Config{}, func(s *Server) {
		endlessly(s, 2000)
		s.admission.waits.step = 300 * time.Millisecond
		s.admission.waits.answer = time.Hour
	})
	message, err := proto.Marshal(comingUp(1))
	if err != nil {
		t.Fatal(err)
	}
	c := r.dialRaw(t, 0)
	c.callMethod(t, setplanv1.PlannerService_Forecast_FullMethodName, 1, message)
	waitFor(t, func() bool { _, _, _, held, _ := r.admission.state(); return held >= memoryAtLeast })
	waitFor(t, func() bool {
		open, taken, _, held, _ := r.admission.state()
		return open == 0 && taken == 0 && held < memoryAtLeast
	})
	goesOn(t, r.planner(t))
}

// TestReadForecastGoesOn: whoever reads, however slowly, is not cut off.
func TestReadForecastGoesOn(t *testing.T) {
	r := start(t, Config{}, func(s *Server) {
		endlessly(s, 64<<10)
		s.admission.waits.step = time.Second
	})
	ctx, cancel := context.WithCancel(testContext(t))
	defer cancel()
	stream, err := r.planner(t).Forecast(ctx, comingUp(1))
	if err != nil {
		t.Fatal(err)
	}
	for range 12 {
		time.Sleep(100 * time.Millisecond)
		for range 20 {
			if _, err := stream.Recv(); err != nil {
				t.Fatal(err)
			}
		}
		runtime.Gosched()
	}
}

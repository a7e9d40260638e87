package server

import (
	"cmp"
	"context"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// named makes a request for a set of that name.
func named(name string) *setplanv1.PlanRequest {
	r := request()
	r.Snapshot.Set.Name = name
	return r
}

// working is an engine that works on sets called "heavy" until it is told to end. It asks its meter all the time.
type working struct {
	begun chan struct{}
	end   chan struct{}
}

func newWorking() *working { return &working{make(chan struct{}, 100), make(chan struct{})} }

func (w *working) install(s *Server) {
	s.service.decide = func(in *model.Snapshot, stop func() bool) *model.Plan {
		if in.Set.Name != "heavy" {
			return engine.DecideUntil(in, stop)
		}
		w.begun <- struct{}{}
		for {
			select {
			case <-w.end:
				return &model.Plan{Converged: true}
			default:
				if stop() {
					return nil
				}
			}
		}
	}
}

// flood makes that many calls for the heavy set over one connection, and returns the result of each.
func flood(t *testing.T, r *running, calls int) <-chan error {
	planner, out := r.planner(t), make(chan error, calls)
	for range calls {
		go func() {
			_, err := planner.Plan(testContext(t), named("heavy"))
			out <- err
		}()
	}
	return out
}

// state is how much the admission has given out.
func (a *admission) state() (open, taken, waiting int, held, reading int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.open, a.taken, len(a.waiting), a.held, a.reading
}

// givesBack fails unless, in the end, nothing is taken.
func givesBack(t *testing.T, a *admission) {
	t.Helper()
	waitFor(t, func() bool {
		open, taken, waiting, held, reading := a.state()
		return open == 0 && taken == 0 && waiting == 0 && held == 0 && reading == 0
	})
}

// overloaded fails unless err tells the caller to try again.
func overloaded(t *testing.T, err error) {
	t.Helper()
	want(t, err, codes.ResourceExhausted, "OVERLOADED")
	if delay := detail[*errdetails.RetryInfo](err).GetRetryDelay().AsDuration(); delay != time.Second {
		t.Errorf("retry delay %v, want 1 s", delay)
	}
}

// TestSmallCallsBesideAFlood: a long call makes room for a caller who has had less.
func TestSmallCallsBesideAFlood(t *testing.T) {
	w := newWorking()
	r := start(t, Config{}, func(s *Server) { w.install(s); s.admission.turns = 1 })
	ended := flood(t, r, 5)
	<-w.begun
	for range 20 {
		goesOn(t, r.planner(t))
	}
	close(w.end)
	for range 5 {
		if err := <-ended; err != nil {
			t.Errorf("a call that had to pause: %v", err)
		}
	}
	givesBack(t, r.admission)
}

// TestOneTurnIsForOthers: a caller who has used much does not get the last turn, even where its calls never pause.
func TestOneTurnIsForOthers(t *testing.T) {
	b := newBlocking()
	r := start(t, Config{}, func(s *Server) { b.install(s); s.admission.turns = 2 })
	ended := make(chan error, 4)
	call := func(planner setplanv1.PlannerServiceClient) {
		go func() {
			_, err := planner.Plan(testContext(t), request())
			ended <- err
		}()
	}
	greedy := r.planner(t)
	call(greedy)
	<-b.asked
	time.Sleep(2 * freely)
	b.answer <- struct{}{}
	givesBack(t, r.admission)

	call(greedy)
	<-b.asked
	call(greedy)
	waitFor(t, func() bool { _, _, waiting, _, _ := r.admission.state(); return waiting == 1 })
	call(r.planner(t))
	<-b.asked // the other caller's
	if _, taken, waiting, _, _ := r.admission.state(); taken != 2 || waiting != 1 {
		t.Errorf("%d turns are taken and %d calls wait, want 2 and 1", taken, waiting)
	}
	b.answer <- struct{}{}
	b.answer <- struct{}{}
	<-b.asked
	b.answer <- struct{}{}
	for range 4 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	givesBack(t, r.admission)
}

// TestFullIsShed: calls beyond a caller's share of the places are shed at once, and others still get in.
func TestFullIsShed(t *testing.T) {
	b := newBlocking()
	r := start(t, Config{}, func(s *Server) { b.install(s); s.admission.maxCalls = 8; s.admission.turns = 8 })
	first, ended := r.planner(t), make(chan error, 4)
	for range 4 {
		go func() {
			_, err := first.Plan(testContext(t), request())
			ended <- err
		}()
		<-b.asked
	}
	_, err := first.Plan(testContext(t), request())
	overloaded(t, err)
	go func() {
		_, err := r.planner(t).Plan(testContext(t), request())
		ended <- err
	}()
	<-b.asked
	for range 5 {
		b.answer <- struct{}{}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	givesBack(t, r.admission)
}

// TestWaitingEnds: a call that gets no turn is told so before its caller gives up.
func TestWaitingEnds(t *testing.T) {
	b := newBlocking()
	r := start(t, Config{}, func(s *Server) { b.install(s); s.admission.turns = 1 })
	planner := r.planner(t)
	go func() { _, _ = planner.Plan(testContext(t), request()) }()
	<-b.asked
	ctx, cancel := context.WithTimeout(testContext(t), time.Second)
	defer cancel()
	_, err := planner.Plan(ctx, request())
	overloaded(t, err)
	close(b.answer)
	givesBack(t, r.admission)
}

// TestMemoryIsBounded: a call begins only when there is memory for it.
func TestMemoryIsBounded(t *testing.T) {
	b := newBlocking()
	r := start(t, Config{}, func(s *Server) {
		b.install(s)
		s.admission.turns = 10
		s.admission.bytes = 2*memoryAtLeast + 1<<20 // for two, and not for three
	})
	ended := make(chan error, 3)
	for range 3 {
		go func() {
			_, err := r.planner(t).Plan(testContext(t), request())
			ended <- err
		}()
	}
	<-b.asked
	<-b.asked
	waitFor(t, func() bool { _, _, waiting, _, _ := r.admission.state(); return waiting == 1 })
	if _, taken, _, held, _ := r.admission.state(); taken != 2 || held > 2*memoryAtLeast+1<<20 {
		t.Errorf("%d calls have begun, with %d bytes", taken, held)
	}
	b.answer <- struct{}{}
	<-b.asked
	close(b.answer)
	for range 3 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	givesBack(t, r.admission)
}

// TestLargestDeadline: a decision ends even if its caller would wait for ever.
func TestLargestDeadline(t *testing.T) {
	w := newWorking()
	r := start(t, Config{}, func(s *Server) { w.install(s); s.admission.waits.call = 200 * time.Millisecond })
	began := time.Now()
	_, err := r.planner(t).Plan(testContext(t), named("heavy"))
	if status.Code(err) != codes.DeadlineExceeded || time.Since(began) > patience/2 {
		t.Errorf("err = %v after %s, want DEADLINE_EXCEEDED long before the caller's own", err, time.Since(began))
	}
	givesBack(t, r.admission)
}

// TestDrainShedsWhatWaits: a server that shuts down finishes what it has begun, and sheds what waits.
func TestDrainShedsWhatWaits(t *testing.T) {
	b := newBlocking()
	r := start(t, Config{}, func(s *Server) { b.install(s); s.admission.turns = 1 })
	planner, begun, waits := r.planner(t), make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := planner.Plan(testContext(t), request())
		begun <- err
	}()
	<-b.asked
	go func() {
		_, err := planner.Plan(testContext(t), request())
		waits <- err
	}()
	waitFor(t, func() bool { _, _, waiting, _, _ := r.admission.state(); return waiting == 1 })
	r.stop()
	want(t, <-waits, codes.Unavailable, "DRAINING")
	close(b.answer)
	if err := <-begun; err != nil {
		t.Errorf("the call that had begun: %v", err)
	}
}

// TestPlaceOfAnEndedCall: a call that is ended for another gives its place back at once, not when it notices.
func TestPlaceOfAnEndedCall(t *testing.T) {
	a := newAdmission(plainInflightBytes, newAdmissionMetrics(nil))
	many, one := &caller{}, &caller{}
	var first *message
	for range 2 {
		if err := a.enter(many); err != nil {
			t.Fatal(err)
		}
		m := &message{of: a, caller: many, stream: deaf{}}
		a.unbegun = append(a.unbegun, m)
		first = cmp.Or(first, m)
	}
	a.maxCalls = 2 // only now: while places are left for others a caller may have no more than its share
	if err := a.enter(one); err != nil {
		t.Fatal(err)
	}
	if a.open != 2 || many.open != 1 || first.ended.Load() == nil {
		t.Errorf("%d calls are open, %d of them of the caller that had both", a.open, many.open)
	}
	if a.leave(first); a.open != 2 || many.open != 1 {
		t.Errorf("its place was given back twice: %d and %d", a.open, many.open)
	}
}

// deaf is the stream of a caller that has gone.
type deaf struct{ incoming }

func (deaf) WriteStatus(*status.Status) error { return nil }

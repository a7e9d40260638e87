package server

import (
	"strings"
	"testing"
	"time"
	"unsafe"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// inside is the stream of a connection that gRPC closes: gRPC gives back the unsent answers while it holds the connection's lock, and
// WriteStatus needs that lock, too.
type inside struct {
	incoming
	of *admission
}

func (s inside) WriteStatus(*status.Status) error {
	given := make(chan struct{})
	go func() {
		defer close(given)
		(&answer{BufferPool: noPool{}, of: s.of, caller: &caller{}}).Put(nil)
	}()
	select {
	case <-given:
		return nil
	case <-time.After(5 * time.Second):
		return status.Error(codes.Internal, "locked")
	}
}

type noPool struct{}

func (noPool) Get(int) *[]byte { return nil }
func (noPool) Put(*[]byte)     {}

// tellsOf records the results of WriteStatus.
type tellsOf struct {
	inside
	errs *[]error
}

func (s tellsOf) WriteStatus(why *status.Status) error {
	err := s.inside.WriteStatus(why)
	*s.errs = append(*s.errs, err)
	return err
}

// TestEndingLocksNothing: a call is ended with the admission unlocked; otherwise it and a closing connection would wait for each other.
func TestEndingLocksNothing(t *testing.T) {
	for name, end := range map[string]func(*admission){
		"its bytes do not come":  func(a *admission) { a.endLate(a.clock().Add(time.Hour)) },
		"for another one's call": func(a *admission) { _ = a.enter(&caller{}) },
	} {
		t.Run(name, func(t *testing.T) {
			a := newAdmission(plainInflightBytes, newAdmissionMetrics(nil))
			m, errs := open(t, a)
			m.stream = tellsOf{inside{of: a}, errs}
			end(a)
			if len(*errs) != 1 || (*errs)[0] != nil {
				t.Errorf("the caller was told %v, want once and no lock", *errs)
			}
		})
	}
}

// open returns a message of a caller that has all places, and a list for what its stream is told.
func open(t *testing.T, a *admission) (*message, *[]error) {
	t.Helper()
	c := &caller{}
	for range 2 {
		if err := a.enter(c); err != nil {
			t.Fatal(err)
		}
	}
	a.maxCalls = c.open
	m := &message{of: a, caller: c, stream: deaf{}}
	m.expect()
	a.unbegun = append(a.unbegun, m)
	return m, &[]error{}
}

// TestEndedOnce: a call that was ended for its silence is not ended again for another call: its caller already knows the reason.
func TestEndedOnce(t *testing.T) {
	a := newAdmission(plainInflightBytes, newAdmissionMetrics(nil))
	m, _ := open(t, a)
	a.endLate(a.clock().Add(time.Hour))
	a.maxCalls = a.open // full again
	_ = a.enter(&caller{})
	if why := m.ended.Load(); why.Code() != codes.DeadlineExceeded {
		t.Errorf("the log says %v, and the caller was told %v", why.Code(), codes.DeadlineExceeded)
	}
}

// TestEndedBeforeItBegins: a call that was ended at the last moment does not go on: its caller has already seen its end.
func TestEndedBeforeItBegins(t *testing.T) {
	a := newAdmission(plainInflightBytes, newAdmissionMetrics(nil))
	m, _ := open(t, a)
	_ = a.enter(&caller{})
	if err := m.begins(); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("it goes on: %v", err)
	}
}

// jumped is the same moment after the machine's clock was set forward by an hour.
func jumped(t *testing.T, now time.Time) time.Time {
	t.Helper()
	later := now
	*(*uint64)(unsafe.Pointer(&later)) += 3600 << 30 // the clock's seconds; the monotonic time is another field
	if later.Unix()-now.Unix() != 3600 || later.Sub(now) != 0 {
		t.Fatal("the package time stores times differently")
	}
	return later
}

// TestClockIsSet: setting the machine's clock makes no call late.
func TestClockIsSet(t *testing.T) {
	a := newAdmission(plainInflightBytes, newAdmissionMetrics(nil))
	l := newConnections(nil, a, 1)
	c := &connection{of: l}
	l.open[c] = struct{}{}
	m, _ := open(t, a)
	c.writes()
	after := jumped(t, time.Now())
	a.endLate(after)
	if why := m.ended.Load(); why != nil {
		t.Errorf("a call was ended: %v", why)
	}
	if stuck, _ := l.unread(after); len(stuck) > 0 {
		t.Error("a connection was closed although it is written to")
	}
	late := after.Add(time.Minute)
	a.endLate(late)
	if stuck, _ := l.unread(late); len(stuck) != 1 || m.ended.Load() == nil {
		t.Error("no call is late after a minute")
	}
}

// TestAnswerForNobody: an answer to a closed connection does not count, because nothing would ever give its bytes back.
func TestAnswerForNobody(t *testing.T) {
	a := newAdmission(plainInflightBytes, newAdmissionMetrics(nil))
	c := &caller{}
	a.forgetAnswers(c)
	response := wrapperspb.String(strings.Repeat("x", 1<<20))
	if _, err := a.answer(c, response); err != nil {
		t.Fatal(err)
	}
	if a.held != 0 {
		t.Errorf("%d bytes are held for ever", a.held)
	}
}

package kube

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/verify"
	setplan "github.com/setplan/setplan/clients/go"
)

// roughly compares a wait with its jitter.
func roughly(got, want time.Duration) bool {
	return float64(got) >= (1-jitter)*float64(want) && float64(got) <= (1+jitter)*float64(want)
}

// TestRetries: a set waits for minutes in the end after failures of its own, and only for seconds after those of its planner.
func TestRetries(t *testing.T) {
	r := newRetries()
	own, away := errors.New("quota"), fmt.Errorf("%w: refused", adapters.ErrPlannerUnreachable)
	busy := fmt.Errorf("%w: come again", adapters.ErrPlannerBusy)
	revoked := fmt.Errorf("%w: UNKNOWN_CALLER", adapters.ErrCallerRefused)
	said := func(code codes.Code) error { return fmt.Errorf("plan: %w", grpcstatus.Error(code, "no")) }
	for name, row := range map[string]struct {
		err         error
		first, last time.Duration
	}{
		"its own":                      {own, 50 * time.Millisecond, 5 * time.Minute},
		"the planner is away":          {away, 50 * time.Millisecond, 12 * time.Second},
		"we are not served":            {revoked, 50 * time.Millisecond, 12 * time.Second},
		"the planner fails":            {said(codes.Internal), 50 * time.Millisecond, 12 * time.Second},
		"it refuses the snapshot":      {said(codes.InvalidArgument), 50 * time.Millisecond, 12 * time.Second},
		"it never has room for it":     {said(codes.ResourceExhausted), 50 * time.Millisecond, 5 * time.Minute},
		"it is another plan than ours": {fmt.Errorf("plan: %w", adapters.ErrPlanDiffers), 50 * time.Millisecond, lastLie},
		"a plan that is dropped":       {fmt.Errorf("%w: fence", adapters.ErrPlanDropped), 50 * time.Millisecond, 4 * time.Second},
		"a plan that is refused":       {fmt.Errorf("failed: %w", &verify.Refusal{}), 50 * time.Millisecond, 4 * time.Second},
		"an answer that is not read":   {fmt.Errorf("plan: %w", setplan.ErrAnswer), 50 * time.Millisecond, 4 * time.Second},
		"the planner is busy":          {busy, time.Second, 12 * time.Second},
	} {
		key := adapters.Key{Namespace: name, Name: "web"}
		for failure, want := 0, 50*time.Millisecond; failure < 40; failure, want = failure+1, min(2*want, row.last) {
			got := r.after(key, row.err)
			if !roughly(got, max(want, row.first)) {
				t.Errorf("%s, failure %d: waits %s, want about %s", name, failure+1, got, max(want, row.first))
			}
		}
		r.forget(key)
		if got := r.after(key, row.err); !roughly(got, row.first) {
			t.Errorf("%s: waits %s after a success", name, got)
		}
	}
}

// TestComeAgain: a busy planner is asked no sooner than it wants, but it is asked.
func TestComeAgain(t *testing.T) {
	r := newRetries()
	for asked, most := range map[time.Duration]time.Duration{0: firstCall, time.Second: time.Second, 10 * time.Second: 10 * time.Second, time.Minute: lastAsked, 1000 * time.Hour: lastAsked} {
		s, err := grpcstatus.New(codes.ResourceExhausted, "busy").WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(asked)})
		if err != nil {
			t.Fatal(err)
		}
		busy := fmt.Errorf("plan for db: %w", fmt.Errorf("%w: %w", adapters.ErrPlannerBusy, s.Err()))
		for range 100 {
			got := r.after(webKey, busy)
			r.forget(webKey)
			if got < min(asked, lastAsked) || got < firstCall || got > 15*time.Second || !roughly(got, most) {
				t.Fatalf("asked to wait %s, but it waits %s", asked, got)
			}
		}
	}
}

// TestFailuresOfThePlanner: what a set waits for its planner does not make it wait longer after a failure of its own.
func TestFailuresOfThePlanner(t *testing.T) {
	r := newRetries()
	for range 20 {
		r.after(webKey, adapters.ErrPlannerUnreachable)
	}
	if got := r.after(webKey, errors.New("quota")); !roughly(got, firstRetry) {
		t.Errorf("its first failure: waits %s", got)
	}
}

// TestRetriesOfANamespace: a thousand failing sets share a number of retries, and do not delay the only one of another namespace.
func TestRetriesOfANamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, no := newRetries(), errors.New("quota")
		var last time.Duration
		for i := range 1000 {
			last = r.after(adapters.Key{Namespace: "busy", Name: fmt.Sprint(i)}, no)
		}
		if want := (1000 - retriesAtOnce) * time.Second / retriesASecond; !roughly(last, want) {
			t.Errorf("the last of a thousand waits %s, want about %s", last, want)
		}
		if got := r.after(webKey, no); !roughly(got, firstRetry) {
			t.Errorf("another namespace's set waits %s", got)
		}
	})
}

// TestIdleNamespacesAreForgotten: nothing is kept of a namespace whose sets have not failed for a while.
func TestIdleNamespacesAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &namespaceLimiter{of: map[string]*rate.Limiter{}}
		for i := range 10 {
			l.When(adapters.Key{Namespace: fmt.Sprint(i)})
			time.Sleep(time.Second)
		}
		if len(l.of) != 1 {
			t.Errorf("%d namespaces are remembered", len(l.of))
		}
	})
}

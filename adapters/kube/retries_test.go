package kube

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

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
	now := time.Unix(1000, 0)
	r := NewRetries(func() time.Time { return now })
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
		key := adapters.Key{Name: name}
		for failure, want := 0, 50*time.Millisecond; failure < 40; failure, want = failure+1, min(2*want, row.last) {
			got := r.ended(key, row.err, now)
			if !roughly(got, max(want, row.first)) {
				t.Errorf("%s, failure %d: waits %s, want about %s", name, failure+1, got, max(want, row.first))
			}
		}
		if r.ended(key, nil, now) != 0 || r.slow(key) {
			t.Errorf("%s: a success does not end it", name)
		}
		if got := r.ended(key, row.err, now); !roughly(got, row.first) {
			t.Errorf("%s: waits %s after a success", name, got)
		}
		r.ended(key, nil, now)
	}
	if len(r.sets) != 0 {
		t.Errorf("it remembers %v", r.sets)
	}
}

// TestComeAgain: a busy planner is asked no sooner than it wants, but it is asked.
func TestComeAgain(t *testing.T) {
	now := time.Unix(1000, 0)
	r := NewRetries(func() time.Time { return now })
	for asked, most := range map[time.Duration]time.Duration{0: firstCall, time.Second: time.Second, 10 * time.Second: 10 * time.Second, time.Minute: lastAsked, 1000 * time.Hour: lastAsked} {
		s, err := grpcstatus.New(codes.ResourceExhausted, "busy").WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(asked)})
		if err != nil {
			t.Fatal(err)
		}
		busy := fmt.Errorf("plan for db: %w", fmt.Errorf("%w: %w", adapters.ErrPlannerBusy, s.Err()))
		for range 100 {
			got := r.ended(webKey, busy, now)
			r.ended(webKey, nil, now)
			if got < min(asked, lastAsked) || got < firstCall || got > lastCall || !roughly(got, most) {
				t.Fatalf("asked to wait %s, but it waits %s", asked, got)
			}
		}
	}
}

// TestRefused: a refusal by the API server costs a place in the budget at once; a conflict does not.
func TestRefused(t *testing.T) {
	now := time.Unix(1000, 0)
	r := NewRetries(func() time.Time { return now })
	for name, row := range map[string]struct {
		err  error
		slow bool
	}{
		"quota":    {apierrors.NewForbidden(corev1.Resource("pods"), "web-0", errors.New("quota")), true},
		"conflict": {apierrors.NewConflict(corev1.Resource("pods"), "web-0", errors.New("changed")), false},
	} {
		key := adapters.Key{Name: name}
		r.ended(key, fmt.Errorf("create_pod web-0: %w", row.err), now)
		if r.slow(key) != row.slow {
			t.Errorf("%s: slow is %t", name, !row.slow)
		}
	}
}

// TestSlow: one long pass makes a set slow, and a short one ends that.
func TestSlow(t *testing.T) {
	now := time.Unix(1000, 0)
	r := NewRetries(func() time.Time { return now })
	r.ended(webKey, nil, now.Add(-2*time.Second))
	if !r.slow(webKey) || !r.begin(webKey) {
		t.Error("a pass of two seconds does not make the set slow, or costs a place in the budget")
	}
	r.ended(webKey, nil, now.Add(-time.Second))
	if r.slow(webKey) || len(r.sets) != 0 {
		t.Error("a pass of one second makes the set slow")
	}
}

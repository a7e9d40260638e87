package monitor

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// guests are the answers of these tests' API server. A right may be revoked.
type guests struct {
	asked   atomic.Int64
	mu      sync.Mutex
	answers map[string]answer
}

func (g *guests) review(_ context.Context, token, _ string) (answer, error) {
	g.asked.Add(1)
	time.Sleep(time.Second)
	g.mu.Lock()
	defer g.mu.Unlock()
	if got, ok := g.answers[token]; ok {
		return got, nil
	}
	return unknownCaller, nil
}

func (g *guests) says(token string, got answer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.answers[token] = got
}

func reviewed(t *testing.T, g *guests) (of func(token, path string) answer) {
	r := newReviews(g.review, time.Now)
	return func(token, path string) answer {
		t.Helper()
		got, err := r.of(t.Context(), "10.0.0.1", token, path)
		if err != nil && !errors.Is(err, errTooMany) {
			t.Fatal(err)
		}
		return got
	}
}

// TestReviewsRemember: an answer counts for a while, for its token and its path.
func TestReviewsRemember(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &guests{answers: map[string]answer{"good": allowed, "poor": notAllowed}}
		of := reviewed(t, g)
		for _, step := range []struct {
			reason      string
			wait        time.Duration
			token, path string
			want        answer
			asked       int64 // so far
		}{
			{"the first time", 0, "good", "/metrics", allowed, 1},
			{"again", 0, "good", "/metrics", allowed, 1},
			{"another path is another right", 0, "good", "/plans", allowed, 2},
			{"a caller without the right", 0, "poor", "/metrics", notAllowed, 3},
			{"a no is remembered too", 5 * time.Second, "poor", "/metrics", notAllowed, 3},
			{"a short time", distrust, "poor", "/metrics", notAllowed, 4},
			{"a yes holds no longer than trust", trust, "good", "/metrics", allowed, 5},
		} {
			time.Sleep(step.wait)
			if got := of(step.token, step.path); got != step.want || g.asked.Load() != step.asked {
				t.Errorf("%s: got %q after %d reviews, want %q after %d", step.reason, got, g.asked.Load(), step.want, step.asked)
			}
		}
		g.says("good", notAllowed)
		time.Sleep(trust)
		if got := of("good", "/metrics"); got != notAllowed {
			t.Errorf("the right was revoked: got %q", got)
		}
	})
}

// TestReviewsAtOnce: simultaneous callers with one token cause one review.
func TestReviewsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &guests{answers: map[string]answer{"good": allowed}}
		of := reviewed(t, g)
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if got := of("good", "/metrics"); got != allowed {
					t.Errorf("got %q", got)
				}
			})
		}
		all.Wait()
		if n := g.asked.Load(); n != 1 {
			t.Errorf("%d reviews", n)
		}
	})
}

// TestReviewsFlood: ten thousand bad tokens cause only a few reviews, and a caller who was let in before still gets in.
func TestReviewsFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &guests{answers: map[string]answer{"good": allowed}}
		for n := range 10 {
			g.says(fmt.Sprint("new", n), allowed)
		}
		r := newReviews(g.review, time.Now)
		if got, err := r.of(t.Context(), "10.0.0.1", "good", "/metrics"); got != allowed {
			t.Fatal(got, err)
		}
		time.Sleep(2 * trust) // the yes is too old by now
		before := g.asked.Load()
		var flood sync.WaitGroup
		var turnedAway atomic.Int64
		for n := range 10_000 {
			flood.Go(func() {
				if _, err := r.of(t.Context(), "10.0.0.2", fmt.Sprint("bad", n), "/metrics"); errors.Is(err, errTooMany) {
					turnedAway.Add(1)
				}
			})
		}
		synctest.Wait()
		if got, err := r.of(t.Context(), "10.0.0.1", "good", "/metrics"); got != allowed {
			t.Errorf("a caller who was let in before is shut out: %q, %v", got, err)
		}
		for n := range 10 {
			if got, err := r.of(t.Context(), "10.0.0.1", fmt.Sprint("new", n), "/metrics"); got != allowed {
				t.Errorf("a caller with a new token is shut out: %q, %v", got, err)
			}
		}
		flood.Wait()
		if asked := g.asked.Load() - before - 11; asked > 2*addressAtOnce || asked+turnedAway.Load() != 10_000 {
			t.Errorf("the flood made %d reviews; %d were turned away", asked, turnedAway.Load())
		}
	})
}

// TestReviewsFailed: while the API server cannot be asked, nobody gets in and nothing is remembered.
func TestReviewsFailed(t *testing.T) {
	away := errors.New("away")
	calls := 0
	r := newReviews(func(context.Context, string, string) (answer, error) {
		calls++
		return "", away
	}, time.Now)
	for n := range 2 {
		if got, err := r.of(t.Context(), "10.0.0.1", "good", "/metrics"); got == allowed || !errors.Is(err, away) || calls != n+1 {
			t.Errorf("got %q, %v after %d calls", got, err, calls)
		}
	}
}

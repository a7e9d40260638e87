package kube

import (
	"errors"
	"maps"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/time/rate"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"k8s.io/client-go/util/workqueue"

	"github.com/setplan/setplan/adapters"
	setplan "github.com/setplan/setplan/clients/go"
)

// Back-off of a set whose pass ended with an error: each wait is twice the last, with jitter.
const (
	firstRetry = 50 * time.Millisecond
	// lastRetry bounds the wait after failures that come from the set, its namespace or the API server. Changes of its objects cause
	// earlier passes.
	lastRetry = 5 * time.Minute
	// lastAsked bounds the wait for a planner that is away, busy or fails, or refuses us or a snapshot, and the longest wait that a planner
	// may ask for. With the jitter it is 15 seconds: so long may a set wait for another planner.
	lastAsked = 12 * time.Second
	// lastLie bounds the wait after a plan that was refused here or did not fit the set: the next one may be another planner's.
	lastLie = 4 * time.Second
	// firstCall is the first wait for an overloaded planner that does not say when to try again.
	firstCall = time.Second
	jitter    = 0.25 // of a wait, more or less
)

// The retries that the failing sets of a namespace share.
const (
	retriesASecond = 10
	retriesAtOnce  = 100
)

// retries says when to try a set again after failures in a row: its own, and those of its planner. Other sets cost nothing.
type retries struct {
	own, calls workqueue.TypedRateLimiter[adapters.Key]
}

func newRetries() retries {
	return retries{
		own: workqueue.NewTypedMaxOfRateLimiter(
			workqueue.NewTypedItemExponentialFailureRateLimiter[adapters.Key](firstRetry, lastRetry),
			&namespaceLimiter{of: map[string]*rate.Limiter{}},
		),
		calls: workqueue.NewTypedItemExponentialFailureRateLimiter[adapters.Key](firstRetry, lastAsked),
	}
}

// after is called with each error.
func (r retries) after(key adapters.Key, err error) time.Duration {
	switch {
	case errors.Is(err, adapters.ErrPlannerBusy): // which says nothing about the set
		asked, _ := adapters.ComeAgain(err)
		least := min(max(asked, firstCall), lastAsked)
		return max(around(r.calls.When(key)), least+time.Duration(jitter*rand.Float64()*float64(least)))
	case errors.Is(err, adapters.ErrPlanDiffers), refusalOf(err) != nil, errors.Is(err, setplan.ErrAnswer), errors.Is(err, adapters.ErrPlanDropped):
		return around(min(r.calls.When(key), lastLie))
	case errors.Is(err, adapters.ErrCallerRefused), errors.Is(err, adapters.ErrPlannerUnreachable),
		status.Code(err) == codes.Internal, status.Code(err) == codes.InvalidArgument:
		return around(r.calls.When(key))
	}
	return around(r.own.When(key))
}

// forget is called when a set no longer fails, or is gone.
func (r retries) forget(key adapters.Key) {
	r.own.Forget(key)
	r.calls.Forget(key)
}

func around(wait time.Duration) time.Duration {
	return time.Duration(float64(wait) * (1 - jitter + 2*jitter*rand.Float64()))
}

// namespaceLimiter is the bucket of client-go's default limiter, one for each namespace: a thousand failing sets of one do not delay the
// only one of another.
type namespaceLimiter struct {
	mu sync.Mutex
	of map[string]*rate.Limiter
}

// When implements workqueue.TypedRateLimiter.
func (l *namespaceLimiter) When(key adapters.Key) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of[key.Namespace] == nil {
		maps.DeleteFunc(l.of, func(_ string, of *rate.Limiter) bool { return of.Tokens() >= retriesAtOnce })
		l.of[key.Namespace] = rate.NewLimiter(retriesASecond, retriesAtOnce)
	}
	return l.of[key.Namespace].Reserve().Delay()
}

// Forget implements workqueue.TypedRateLimiter.
func (l *namespaceLimiter) Forget(adapters.Key) {}

// NumRequeues implements workqueue.TypedRateLimiter.
func (l *namespaceLimiter) NumRequeues(adapters.Key) int { return 0 }

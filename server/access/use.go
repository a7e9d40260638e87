package access

import (
	"fmt"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// use is what a cluster has used of its limits. It outlives the policy: reading the file again gives nobody a new allowance.
type use struct {
	rate *rate.Limiter

	mu     sync.Mutex
	limits Limits
	open   int
}

func newUse(l Limits) *use {
	u := &use{rate: rate.NewLimiter(rate.Inf, 0)}
	u.limit(l)
	return u
}

func (u *use) limit(l Limits) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.limits = l
	if l.CallsPerSecond == 0 {
		u.rate.SetLimit(rate.Inf)
		return
	}
	u.rate.SetBurst(max(1, int(math.Min(2*l.CallsPerSecond, math.MaxInt32))))
	u.rate.SetLimit(rate.Limit(l.CallsPerSecond))
}

// Exceeded says which limit a call would exceed.
type Exceeded struct {
	Cluster, Limit string        // the limit's field in the policy
	Most           float64       // its value
	After          time.Duration // how long to wait before the next try
}

// Error implements error.
func (e *Exceeded) Error() string {
	return fmt.Sprintf("cluster %q is at its limit: %s is %v", e.Cluster, e.Limit, e.Most)
}

// busyDelay is how long to wait before the next try if too many calls are open.
const busyDelay = time.Second

// Begin counts a call that begins now. The caller calls end when the call has ended. The error is an *Exceeded.
func (c *Cluster) Begin(now time.Time) (end func(), err error) {
	u := c.use
	u.mu.Lock()
	defer u.mu.Unlock()
	if most := u.limits.ConcurrentCalls; most > 0 && u.open >= int(most) {
		return nil, &Exceeded{c.Name, "concurrentCalls", float64(most), busyDelay}
	}
	if turn := u.rate.ReserveN(now, 1); turn.DelayFrom(now) > 0 {
		after := turn.DelayFrom(now)
		turn.CancelAt(now)
		return nil, &Exceeded{c.Name, "callsPerSecond", u.limits.CallsPerSecond, after}
	}
	u.open++
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.open--
	}, nil
}

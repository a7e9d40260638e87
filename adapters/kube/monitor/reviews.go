package monitor

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"golang.org/x/sync/singleflight"
	"k8s.io/apimachinery/pkg/util/cache"
	"k8s.io/client-go/util/flowcontrol"
)

const (
	// trust is how long a yes counts: a right that was taken away ends after that time at the latest.
	trust = time.Minute
	// distrust is the same for a no. It is short, so that a right that was just given counts soon.
	distrust = 10 * time.Second
	// acquaintance is how long a caller who was let in is reviewed before strangers.
	acquaintance = time.Hour
	// remembered bounds how many callers are remembered, separately for allowed and refused ones.
	remembered = 1000
	// Reviews per second, and at once, for callers who were let in recently, for all others together, and for those of one address. A flood of bad
	// tokens neither floods the API server nor keeps Prometheus out, whether it was let in before or has a new token.
	friends, friendsAtOnce     = 20, 50
	strangers, strangersAtOnce = 20, 50
	anAddress, addressAtOnce   = 1, 10
)

// errTooMany means that the limit of reviews is reached.
var errTooMany = errors.New("too many tokens to review")

// caller is the hash of a token and a path: memory holds no tokens.
type caller [sha256.Size]byte

// reviews remembers answers, sends one review for equal callers at the same time, and keeps within the limits.
type reviews struct {
	ask      review
	now      func() time.Time
	let      *cache.LRUExpireCache // caller to the time of the last yes
	refused  *cache.LRUExpireCache // caller to the answer
	underWay singleflight.Group
	friends  flowcontrol.RateLimiter
	others   flowcontrol.RateLimiter
	from     *cache.LRUExpireCache // address to its limit, of others
}

func newReviews(ask review, now func() time.Time) *reviews {
	return &reviews{
		ask:     ask,
		now:     now,
		let:     cache.NewLRUExpireCache(remembered),
		refused: cache.NewLRUExpireCache(remembered),
		friends: flowcontrol.NewTokenBucketRateLimiter(friends, friendsAtOnce),
		others:  flowcontrol.NewTokenBucketRateLimiter(strangers, strangersAtOnce),
		from:    cache.NewLRUExpireCache(remembered),
	}
}

// of is the answer for a caller at an address.
func (r *reviews) of(ctx context.Context, address, token, path string) (answer, error) {
	key := caller(sha256.Sum256([]byte(path + "\x00" + token)))
	if known, ok := r.recent(key); ok {
		return known, nil
	}
	got, err, _ := r.underWay.Do(string(key[:]), func() (any, error) {
		if known, ok := r.recent(key); ok {
			return known, nil // an equal review has just ended
		}
		// Others may wait for this answer after the first caller has gone.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reviewTimeout)
		defer cancel()
		return r.fresh(ctx, key, address, token, path)
	})
	if err != nil {
		return "", err
	}
	return got.(answer), nil
}

func (r *reviews) recent(key caller) (answer, bool) {
	if at, ok := r.let.Get(key); ok && r.now().Before(at.(time.Time).Add(trust)) {
		return allowed, true
	}
	if no, ok := r.refused.Get(key); ok {
		return no.(answer), true
	}
	return "", false
}

func (r *reviews) fresh(ctx context.Context, key caller, address, token, path string) (answer, error) {
	if _, known := r.let.Get(key); !known && !(r.limitOf(address).TryAccept() && r.others.TryAccept()) || known && !r.friends.TryAccept() {
		return "", errTooMany
	}
	got, err := r.ask(ctx, token, path)
	switch {
	case err != nil:
		return "", err
	case got == allowed:
		r.let.Add(key, r.now(), acquaintance)
	default:
		r.let.Remove(key)
		r.refused.Add(key, got, distrust)
	}
	return got, nil
}

// limitOf is the limit of the strangers of an address. Two callers that come at once to a new address may each get one.
func (r *reviews) limitOf(address string) flowcontrol.RateLimiter {
	if limit, known := r.from.Get(address); known {
		return limit.(flowcontrol.RateLimiter)
	}
	limit := flowcontrol.NewTokenBucketRateLimiter(anAddress, addressAtOnce)
	r.from.Add(address, limit, acquaintance)
	return limit
}

package tokens

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// share is how many reviews one asker gets, or all together.
type share struct {
	perSecond rate.Limit
	atOnce    int
}

func (s share) limiter() *rate.Limiter { return rate.NewLimiter(s.perSecond, s.atOnce) }

// Calls that wait for a review have no place in the server yet, and each may have sent a quarter of a megabyte. So they are bounded here: of
// one asker, about as many as a connection has; and of all together, 32 MiB for tokens that are known and 32 MiB for others.
const (
	waitingOfOne = 32
	waitingOfAll = 128
)

// turns shares the reviews among those who ask for them, so that whoever sends many tokens takes nobody else's turn.
type turns struct {
	each share
	all  *rate.Limiter

	mu      sync.Mutex
	waiting int
	of      map[string]*asker
}

// asker is an address, or an account whose token was accepted.
type asker struct {
	rate    *rate.Limiter
	waiting int
}

func newTurns(each, all share) *turns {
	return &turns{each: each, all: all.limiter(), of: map[string]*asker{}}
}

// wait lets a call wait for a review, or does not. Call done when it no longer waits.
func (t *turns) wait(who string, now time.Time) (done func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.asker(who, now)
	if a.waiting >= waitingOfOne || t.waiting >= waitingOfAll {
		return nil, false
	}
	a.waiting++
	t.waiting++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		a.waiting--
		t.waiting--
	}, true
}

// take takes a review, if there is one left for this asker.
func (t *turns) take(who string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.asker(who, now).rate.AllowN(now, 1) && t.all.AllowN(now, 1)
}

// asker remembers a bounded number of them. Where there is no room it forgets those who have their whole share again, and else any.
func (t *turns) asker(who string, now time.Time) *asker {
	if a := t.of[who]; a != nil {
		return a
	}
	if len(t.of) >= remembered {
		for other, a := range t.of {
			if a.waiting == 0 && a.rate.TokensAt(now) >= float64(t.each.atOnce) {
				delete(t.of, other)
			}
		}
		for other := range t.of {
			if len(t.of) < remembered {
				break
			}
			delete(t.of, other)
		}
	}
	a := &asker{rate: t.each.limiter()}
	t.of[who] = a
	return a
}

// network is what one machine may call from: an address or, of IPv6, the 64 bits that a network gives to a machine.
func network(from netip.Addr) string {
	from = from.Unmap().WithZone("")
	if from.Is6() {
		prefix, _ := from.Prefix(64) // of an IPv6 address there is one
		return prefix.String()
	}
	return from.String()
}

package server

import (
	"context"
	"slices"
	"time"
)

// What a call waits for, the later the more it holds.
type stage int

const (
	stageRead stage = iota
	stageBegin
	stageResume
)

// waiter is a call that waits for something.
type waiter struct {
	caller *caller
	stage  stage
	// forecast: it has a share of its own.
	forecast bool
	bytes    int64
	since    uint64
	given    chan struct{}
}

// await blocks until the call is given what it waits for. On an error it has nothing.
func (a *admission) await(ctx context.Context, w *waiter) error {
	a.mu.Lock()
	a.queue(w)
	a.share()
	a.mu.Unlock()
	select {
	case <-w.given: // at once, most of the time
		return nil
	default:
	}
	limit := time.NewTimer(a.waitingTime(ctx))
	defer limit.Stop()
	select {
	case <-w.given:
		return nil
	case <-ctx.Done():
		return a.giveUp(w, abandoned(ctx))
	case <-limit.C:
		return a.giveUp(w, a.shed(shedWait))
	case <-a.closed:
		return a.giveUp(w, draining())
	}
}

// waitingTime leaves the caller half of its time, so that it learns that there is much to do, and not only that nobody answers.
func (a *admission) waitingTime(ctx context.Context) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return min(a.waits.wait, time.Until(deadline)/2)
	}
	return a.waits.wait
}

func (a *admission) queue(w *waiter) {
	a.sequence++
	w.since, w.given = a.sequence, make(chan struct{})
	a.waiting = append(a.waiting, w)
}

// giveUp ends the waiting; what was given in the last moment is given back.
func (a *admission) giveUp(w *waiter, err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	select {
	case <-w.given:
		a.giveBack(w)
	default:
		a.waiting = slices.DeleteFunc(a.waiting, func(other *waiter) bool { return other == w })
	}
	a.share()
	return err
}

// share gives out what there is, for as long as there is somebody whom it fits.
func (a *admission) share() {
	for {
		next := a.next()
		if next < 0 {
			return
		}
		w := a.waiting[next]
		a.waiting = slices.Delete(a.waiting, next, next+1)
		a.take(w)
		a.sequence++
		w.caller.account().granted = a.sequence
		close(w.given)
	}
}

// next is the waiter to give something to: of those whom it fits the first in turn. While a caller that is not greedy waits
// for memory no greedy one begins.
func (a *admission) next() int {
	modest := slices.ContainsFunc(a.waiting, func(w *waiter) bool {
		return w.stage == stageBegin && !w.forecast && !a.greedy(w.caller) && !a.fits(w)
	})
	best := -1
	for i, w := range a.waiting {
		if !a.fits(w) || modest && w.stage == stageBegin && a.greedy(w.caller) {
			continue
		}
		if best < 0 || a.before(w, a.waiting[best]) {
			best = i
		}
	}
	return best
}

// used is what counts of a waiter against another one.
func (a *admission) used(w, other *waiter) time.Duration {
	if w.forecast && !other.forecast {
		a.foreseen.all.charge(a.clock(), 0)
		return max(w.caller.account().used, a.foreseen.all.used)
	}
	return w.caller.account().used
}

// before orders those who wait: who has used least first or, of those who wait to be read, who has least room; then who was
// given nothing for longest; of one caller what has begun before what has not, and then as they came.
func (a *admission) before(w, next *waiter) bool {
	of, other := w.caller.account(), next.caller.account()
	same := of == other && w.forecast == next.forecast
	switch {
	case (w.stage == stageRead) != (next.stage == stageRead): // they do not wait for the same
		return w.stage == stageRead
	case same && w.stage != next.stage:
		return w.stage > next.stage
	case same:
		return w.since < next.since
	case w.stage == stageRead && of.reading != other.reading:
		return of.reading < other.reading
	case w.stage != stageRead && a.used(w, next) != a.used(next, w):
		return a.used(w, next) < a.used(next, w)
	}
	return of.granted < other.granted
}

// fits reports whether there is what w waits for.
func (a *admission) fits(w *waiter) bool {
	switch w.stage {
	case stageRead: // a quarter of the memory, of which a caller may have as much as is left, or one message that is larger
		return a.reading == 0 || w.caller.account().reading+w.bytes <= a.bytes/4-a.reading
	case stageBegin:
		if a.held+w.bytes > a.room(w.caller) || w.forecast && a.foreseen.held+w.bytes > a.bytes/2 {
			return false
		}
	}
	return a.taken < a.mayTurn(w.caller) && !(w.forecast && a.foreseen.taken >= a.mayForesee())
}

func (a *admission) take(w *waiter) {
	switch w.stage {
	case stageRead:
		a.read(w.caller, w.bytes)
	case stageBegin:
		a.reserve(w.caller, w.forecast, w.bytes)
		a.turn(w.forecast, 1)
	case stageResume:
		a.turn(w.forecast, 1)
	}
}

func (a *admission) giveBack(w *waiter) {
	switch w.stage {
	case stageRead:
		a.read(w.caller, -w.bytes)
	case stageBegin:
		a.reserve(w.caller, w.forecast, -w.bytes)
		a.turn(w.forecast, -1)
	case stageResume:
		a.turn(w.forecast, -1)
	}
}

// turn gives turns, or takes them back.
func (a *admission) turn(forecast bool, n int) {
	a.taken += n
	if forecast {
		a.foreseen.taken += n
	}
}

// reserve is hold for what a call may take once it has begun.
func (a *admission) reserve(c *caller, forecast bool, bytes int64) {
	a.hold(c, bytes)
	if forecast {
		a.foreseen.held += bytes
	}
}

func (a *admission) hold(c *caller, bytes int64) {
	a.held += bytes
	c.held += bytes
	c.account().held += bytes
}

func (a *admission) read(c *caller, bytes int64) {
	a.reading += bytes
	c.account().reading += bytes
}

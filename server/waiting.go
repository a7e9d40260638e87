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
	bytes  int64
	since  uint64
	given  chan struct{}
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
		return w.stage == stageBegin && !a.greedy(w.caller) && !a.fits(w)
	})
	best := -1
	for i, w := range a.waiting {
		if !a.fits(w) || modest && w.stage == stageBegin && a.greedy(w.caller) {
			continue
		}
		if best < 0 || before(w, a.waiting[best]) {
			best = i
		}
	}
	return best
}

// before orders those who wait: who has used least first or, of those who wait to be read, who has least room; then who was
// given nothing for longest; of one caller what has begun before what has not, and then as they came.
func before(a, b *waiter) bool {
	of, other := a.caller.account(), b.caller.account()
	switch {
	case (a.stage == stageRead) != (b.stage == stageRead): // they do not wait for the same
		return a.stage == stageRead
	case of == other && a.stage != b.stage:
		return a.stage > b.stage
	case of == other:
		return a.since < b.since
	case a.stage == stageRead && of.reading != other.reading:
		return of.reading < other.reading
	case a.stage != stageRead && of.used != other.used:
		return of.used < other.used
	}
	return of.granted < other.granted
}

// fits reports whether there is what w waits for.
func (a *admission) fits(w *waiter) bool {
	switch w.stage {
	case stageRead: // a quarter of the memory, of which a caller may have as much as is left, or one message that is larger
		return a.reading == 0 || w.caller.account().reading+w.bytes <= a.bytes/4-a.reading
	case stageBegin:
		return a.held+w.bytes <= a.room(w.caller) && a.taken < a.mayTurn(w.caller)
	}
	return a.taken < a.mayTurn(w.caller)
}

func (a *admission) take(w *waiter) {
	switch w.stage {
	case stageRead:
		a.read(w.caller, w.bytes)
	case stageBegin:
		a.hold(w.caller, w.bytes)
		a.taken++
	case stageResume:
		a.taken++
	}
}

func (a *admission) giveBack(w *waiter) {
	switch w.stage {
	case stageRead:
		a.read(w.caller, -w.bytes)
	case stageBegin:
		a.hold(w.caller, -w.bytes)
		a.taken--
	case stageResume:
		a.taken--
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

package server

import (
	"slices"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// overdueEvery is how often the server looks for what is overdue, which is how much longer than its time somebody may have.
//
// One look serves all. A timer for each message, answer and write costs a small call more than its decision: most that is sent
// arrives at once, and each timer may wake a thread that has nothing to do.
const overdueEvery = 250 * time.Millisecond

// endOverdue ends what others leave unfinished, until it is told to stop.
func (l *connections) endOverdue(stop <-chan struct{}) {
	tick := time.NewTicker(overdueEvery)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			now := l.admission.clock()
			l.admission.endLate(now)
			l.closeUnread(now)
		}
	}
}

// endLate ends the calls whose next bytes have not come in time, or whose callers have not taken the next part of their answer.
func (a *admission) endLate(now time.Time) {
	for _, m := range a.late(now) {
		m.tell()
	}
}

// late ends them, and lists those whose callers are to be told.
func (a *admission) late(now time.Time) (ended []*message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, m := range a.parted {
		if until := m.until.Load(); until != 0 && a.passed(now) > until {
			a.metrics.shed.WithLabelValues(shedSlow).Inc()
			m.ended.Store(status.Newf(codes.DeadlineExceeded, "a part of the answer was not read for %s", a.waits.step))
			m.cut()
		}
	}
	for _, m := range slices.Clone(a.unbegun) {
		if until := m.until.Load(); until != 0 && a.passed(now) > until {
			a.metrics.shed.WithLabelValues(shedSlow).Inc()
			a.end(m, status.Errorf(codes.DeadlineExceeded, "nothing more of the request arrived for %s", a.waits.read))
			ended = append(ended, m)
		}
	}
	return ended
}

// closeUnread closes the connections whose other side does not read: what is to be sent would stay here.
func (l *connections) closeUnread(now time.Time) {
	stuck, unread := l.unread(now)
	l.admission.metrics.closed.WithLabelValues(closedForAnswer).Add(float64(unread))
	for _, c := range stuck {
		_ = c.Close()
	}
}

// unread lists them, and counts those that have not read an answer.
func (l *connections) unread(now time.Time) (stuck []*connection, unread int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.open {
		since := c.writing.Load()
		switch {
		case l.admission.overdue(&c.caller, now):
			unread++
			stuck = append(stuck, c)
		case since != 0 && l.admission.passed(now)-since > int64(l.admission.waits.write):
			stuck = append(stuck, c)
		}
	}
	return stuck, unread
}

// overdue reports whether an answer should have been sent.
func (a *admission) overdue(c *caller, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for o := range c.answers {
		if now.After(o.until) {
			return true
		}
	}
	return false
}

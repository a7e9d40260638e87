package kube

import (
	"sync"
	"time"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const (
	// echoWait is how long a pass waits for news if the only changes are those of the last pass itself. Then only a status is left
	// to write, or nothing. Usually other news comes sooner, and its pass writes both.
	echoWait = 500 * time.Millisecond
	// statusWait is the same if the only change is our own status. Then usually nothing is left to do, and finding that out can wait:
	// a volume or a pod takes about as long to start, and causes a pass anyway.
	statusWait = 5 * time.Second
	// firstPause and lastPause are the shortest and the longest time between passes that only write the status: while hundreds of
	// pods become ready, a status for each helps nobody.
	firstPause = 25 * time.Millisecond
	lastPause  = 200 * time.Millisecond
)

// Pace says when the next pass over a set is due. Whatever asks for one can only bring it forward, and a pass answers all that asked before
// it. It postpones passes that most likely have only a status to write, or nothing, for seconds at most. After a busy planner every pass waits
// as long as the planner asked for.
type Pace struct {
	echo  func(adapters.Key, ...adapters.Write) bool // reports whether changes are our own; set by the controller
	queue func(adapters.Key, time.Duration)          // set by the controller

	mu      sync.Mutex
	sets    map[adapters.Key]*beat
	retries retries
}

// beat is what Pace knows about one set.
type beat struct {
	working  bool          // a pass is under way
	planned  bool          // it has got a plan
	meant    []Change      // changes during the pass; whose they are is known when it ends
	due      time.Time     // when the next pass is due; zero if nothing asks for one
	earliest time.Time     // no pass before, unless the set is edited
	failed   bool          // the last pass failed: its own writes are no reason to try again early
	pause    time.Duration // after the last pass, if it only wrote the status; else 0
}

var _ adapters.Observer = (*Pace)(nil)

// NewPace makes the observer; a controller uses it.
func NewPace() *Pace { return &Pace{sets: map[adapters.Key]*beat{}, retries: newRetries()} }

func (p *Pace) of(key adapters.Key) *beat {
	b := p.sets[key]
	if b == nil {
		b = &beat{}
		p.sets[key] = b
	}
	return b
}

// changed notes a change.
func (p *Pace) changed(key adapters.Key, by Change) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := p.of(key)
	if b.working {
		b.meant = append(b.meant, by)
		return
	}
	p.judge(key, b, by)
	p.wake(key, b)
}

// judge asks for a pass because of changes: at once if they are news, that is somebody else's, and later if they are echoes of our own writes.
func (p *Pace) judge(key adapters.Key, b *beat, changes ...Change) {
	for _, c := range changes {
		own := p.echo(key, c.Write)
		if c.ofSet() && !own { // somebody has edited it, and waits
			b.earliest = time.Time{}
		}
		switch {
		case c.bound && !b.failed && p.echo(key): // no pass waits for the caches or for its next try
			b.within(echoWait)
		case !own:
			b.within(0)
		case b.failed:
		case c.Kind == kindPod || c.Kind == kindClaim || c.Kind == kindRevision:
			b.within(echoWait)
		default:
			b.within(statusWait)
		}
	}
}

// within brings the next pass forward.
func (b *beat) within(wait time.Duration) {
	if at := time.Now().Add(wait); b.due.IsZero() || at.Before(b.due) {
		b.due = at
	}
}

// wait is how long the next pass has to wait, if one was asked for.
func (b *beat) wait() time.Duration { return max(time.Until(b.due), time.Until(b.earliest)) }

// wake puts a set into the queue for its next pass.
func (p *Pace) wake(key adapters.Key, b *beat) {
	if !b.working && !b.due.IsZero() {
		p.queue(key, b.wait())
	}
}

// ask asks for a pass after a while at the latest.
func (p *Pace) ask(key adapters.Key, after time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := p.of(key)
	b.within(after)
	p.wake(key, b)
}

// begin reports whether a pass is due. If not, the set is queued again when it is.
func (p *Pace) begin(key adapters.Key) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := p.sets[key]
	switch {
	case b == nil || b.due.IsZero():
		return false // a pass has answered whatever asked
	case b.wait() > 0:
		p.wake(key, b)
		return false
	}
	*b = beat{working: true, pause: b.pause}
	return true
}

// end is called when a pass has ended: with an error, or asking for the next one after a while if that is not 0. It returns when a failed pass
// is tried again.
func (p *Pace) end(key adapters.Key, after time.Duration, err error) (retry time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := p.sets[key]
	if b == nil {
		return 0 // the set is gone
	}
	b.working, b.failed = false, err != nil
	switch {
	case b.failed:
		retry = p.retries.after(key, err)
		after = retry
	case b.planned: // otherwise it was held, and not tried
		p.retries.forget(key)
	}
	if after > 0 {
		b.within(after)
	}
	if until := time.Now().Add(b.pause); b.pause > 0 && until.After(b.earliest) {
		b.earliest = until
	}
	p.judge(key, b, b.meant...)
	b.meant = nil
	p.wake(key, b)
	return retry
}

// Planned implements adapters.Observer: it sees which passes only write the status.
func (p *Pace) Planned(key adapters.Key, _ *setplanv1.Snapshot, plan *setplanv1.Plan) {
	counts := adapters.CountOperations(plan)
	p.mu.Lock()
	defer p.mu.Unlock()
	b := p.of(key)
	b.planned = true
	if len(counts) != 1 || counts["update_status"] == 0 {
		b.pause = 0
		return
	}
	b.pause = min(max(2*b.pause, firstPause), lastPause)
}

// Applied implements adapters.Observer.
func (p *Pace) Applied(adapters.Key, *setplanv1.Snapshot, *setplanv1.Action, adapters.Result) {}

// Held implements adapters.Observer: nobody comes again before a busy planner wants it.
func (p *Pace) Held(key adapters.Key, reason string, err error) {
	if reason == adapters.ReasonPlannerBusy {
		asked, _ := adapters.ComeAgain(err)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.of(key).earliest = time.Now().Add(min(asked, lastAsked))
	}
}

// Forgotten implements adapters.Observer.
func (p *Pace) Forgotten(key adapters.Key) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.sets, key)
	p.retries.forget(key)
}

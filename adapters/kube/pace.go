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

// Pace decides when a queued set is worked on. It postpones passes that most likely have only a status to write, or nothing, for
// seconds at most. It never drops a pass, and never postpones one that a plan or an error asked for. But after a busy planner every
// pass waits as long as the planner asked for.
type Pace struct {
	echo  func(adapters.Key, ...adapters.Write) bool // reports whether changes are our own; set by the controller
	queue func(adapters.Key)                         // set by the controller

	mu   sync.Mutex
	sets map[adapters.Key]*beat
}

// beat is what Pace knows about one set.
type beat struct {
	working  bool      // a pass is under way
	meant    []Change  // changes during the pass; whose they are is known when it ends
	news     bool      // somebody else has changed something
	echo     bool      // a write of ours to a pod, a claim or a revision has come back, or a claim was bound
	status   bool      // a status of ours has come back
	due      bool      // the timer has run out
	asked    time.Time // the time that a plan or an error asked for; else zero
	failed   bool      // the last pass failed: its own writes are no reason to try again early
	earliest time.Time // no pass before, unless the set is edited: the time that a busy planner asked for; else zero
	timer    *time.Timer
	rings    time.Time     // when the timer runs out
	pause    time.Duration // after the last pass, if it only wrote the status; else 0
	ended    time.Time     // when the last pass ended
}

var _ adapters.Observer = (*Pace)(nil)

// NewPace makes the observer; a controller uses it.
func NewPace() *Pace { return &Pace{sets: map[adapters.Key]*beat{}} }

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
	} else {
		p.judge(key, b, by)
	}
}

// judge notes whether changes are news, that is somebody else's, or echoes of our own writes.
func (p *Pace) judge(key adapters.Key, b *beat, changes ...Change) {
	for _, c := range changes {
		if c.ofSet() && !p.echo(key, c.Write) { // somebody has edited it, and waits
			b.earliest = time.Time{}
		}
		switch {
		case b.news:
		case c.bound && !b.failed && p.echo(key): // no pass waits for the caches or for its next try
			b.echo = true
		case !p.echo(key, c.Write):
			b.news = true
		case c.Kind == kindPod || c.Kind == kindClaim || c.Kind == kindRevision:
			b.echo = true
		default:
			b.status = true
		}
	}
}

// begin reports whether a pass may begin now. If not, the set is queued again when it may.
func (p *Pace) begin(key adapters.Key) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := p.of(key)
	wait := time.Until(b.ended.Add(b.pause))
	switch {
	case b.news:
	case b.failed && !b.asked.IsZero():
		wait = max(wait, time.Until(b.asked))
	case b.echo:
		wait = max(wait, echoWait)
	case b.status:
		wait = max(wait, statusWait)
	}
	if !b.asked.IsZero() {
		wait = min(wait, time.Until(b.asked))
	}
	wait = max(wait, time.Until(b.earliest))
	if wait > 0 && !b.due {
		p.ringAfter(key, b, wait)
		return false
	}
	if b.timer != nil {
		b.timer.Stop()
	}
	*b = beat{working: true, pause: b.pause}
	return true
}

// ringAfter puts the set into the queue after a while, or earlier if an earlier time was set before.
func (p *Pace) ringAfter(key adapters.Key, b *beat, wait time.Duration) {
	rings := time.Now().Add(wait)
	if b.timer != nil && !b.rings.After(rings) {
		return
	}
	if b.timer != nil {
		b.timer.Stop()
	}
	b.rings = rings
	b.timer = time.AfterFunc(wait, func() { p.ring(key, b) })
}

func (p *Pace) ring(key adapters.Key, b *beat) {
	p.mu.Lock()
	begun := b.timer == nil // the pass began just before the timer ran out
	b.due = !begun
	p.mu.Unlock()
	if !begun {
		p.queue(key)
	}
}

// ask sets the time by which the next pass begins, whatever else it would wait for. The controller calls it within a pass, and queues the
// set again at that time.
func (p *Pace) ask(key adapters.Key, after time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of(key).asked = time.Now().Add(after)
}

// failed says that the pass under way ends with an error.
func (p *Pace) failed(key adapters.Key) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of(key).failed = true
}

// end is called when a pass has ended, with or without success.
func (p *Pace) end(key adapters.Key) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := p.sets[key]
	if b == nil {
		return // the set is gone
	}
	b.working, b.ended = false, time.Now()
	p.judge(key, b, b.meant...)
	b.meant = nil
}

// Planned implements adapters.Observer: it sees which passes only write the status.
func (p *Pace) Planned(key adapters.Key, _ *setplanv1.Snapshot, plan *setplanv1.Plan) {
	counts := adapters.CountOperations(plan)
	p.mu.Lock()
	defer p.mu.Unlock()
	b := p.of(key)
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
}

package server

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc/status"
)

// The bounds of all calls together. What each of them is for, and the command that shows it, is in docs/security.md.
const (
	// maxCalls bounds the calls that are open: each holds what a stream holds unread, see window.
	maxCalls = 256
	// freely is the processor time that a caller may use before it is greedy: so much at once, or a thirtieth of a core for
	// long. Small calls take less than a millisecond.
	freely = 50 * time.Millisecond
	// halfLife is the time in which half of a caller's use is forgotten: five seconds after a flood it is like any other.
	halfLife = time.Second
	// company is how long a caller that has called makes greedy ones leave a turn to others. An adapter that has a server to
	// itself has all of it.
	company = 10 * time.Second
)

// waits are how long the server waits for others.
type waits struct {
	// call ends a call whose caller would wait for longer: a plan is for now.
	call time.Duration
	// wait ends the waiting of a call, which is told to come again.
	wait time.Duration
	// read is for the next megabyte of a request, and for its beginning and its end.
	read time.Duration
	// step is for a caller to read a part of an answer that is being made: it keeps memory from others meanwhile.
	step time.Duration
	// answer is for a caller to read its answer. What ends then is the connection: gRPC has no way to take back a message.
	answer time.Duration
	// write is for a connection to take something of what is written to it.
	write time.Duration
}

var defaultWaits = waits{call: 30 * time.Second, wait: 5 * time.Second, read: 5 * time.Second, step: 3 * time.Second, answer: 10 * time.Second,
	write: 20 * time.Second}

// admission decides which of the calls go on when there is more to do than the machine can. A call
//
//	enters    or is shed where too many are open (enter)
//	is read   once there is room for a message of its size (reading.go)
//	begins    with the memory that it may take, and a turn on a processor (turn.go)
//	pauses    where somebody waits who has had less
//	ends      and keeps the memory of its answer until that is sent (answers.go)
//
// What there is goes to the caller who has had least of it. A caller is greedy once it has used much of the processors, or
// holds much of the memory; a quarter of the memory and, where there are several, one of the processors are for those who
// are not. So a caller with little to ask gets its answer beside any number of calls that take as much as a call may take.
//
// Forecasts have at most half of the memory and half of the processors, whoever asks for them: plans never wait for them to end. Where they compete
// with plans, all forecasts count as one caller, so that many connections with a forecast each get no more than one connection does.
type admission struct {
	maxCalls int
	turns    int   // that may be taken at once
	bytes    int64 // that may be held at once
	waits    waits
	metrics  *admissionMetrics
	clock    func() time.Time
	known    map[string]bool // methods of all services; nil: any may be one

	mu       sync.Mutex
	open     int      // calls
	asides   []*aside // calls of other services, as they came
	taken    int      // turns
	held     int64    // bytes of calls that have begun and of answers
	foreseen share    // what forecasts have of that
	reading  int64    // bytes of messages that are read, or have been and wait to begin
	waiting  []*waiter
	unbegun  []*message // of calls that have not begun, as they came
	parted   []*message // of calls that send their answer in parts
	sequence uint64     // counts grants and waiters
	latest   *account
	others   time.Time // when somebody else called than the time before
	clusters map[string]*account
	closed   chan struct{}
	born     time.Time
}

func newAdmission(bytes int64, metrics *admissionMetrics) *admission {
	return &admission{
		maxCalls: maxCalls,
		turns:    runtime.GOMAXPROCS(0),
		bytes:    bytes,
		waits:    defaultWaits,
		metrics:  metrics,
		clock:    time.Now,
		clusters: map[string]*account{},
		closed:   make(chan struct{}),
		born:     time.Now(),
	}
}

// passed is how long after the admission began a moment is. It fits an atomic number and, other than the nanoseconds since 1970, does not
// change where somebody sets the clock of the machine.
func (a *admission) passed(now time.Time) int64 { return int64(now.Sub(a.born)) }

// enter lets a call in, or sheds it. A caller may have as many calls open as there are places left, and more in the place of
// another's who has more.
func (a *admission) enter(c *caller) error {
	victim, err := a.place(c)
	if victim != nil {
		victim.tell()
	}
	return err
}

// place takes a place for a call. It may be another one's, whose caller is to be told.
func (a *admission) place(c *caller) (victim *message, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c.account().open >= a.maxCalls-a.open {
		if victim = a.endOne(c); victim == nil {
			return nil, a.shed(shedCalls)
		}
	}
	a.open++
	c.open++
	c.account().open++
	c.calls = true
	if a.latest != c.account() {
		a.latest, a.others = c.account(), a.clock()
	}
	return victim, nil
}

// endOne ends a call that has not begun, where its caller has more open than c: the oldest of whoever has most. Else some
// connections that call and say nothing would keep everybody else out.
func (a *admission) endOne(c *caller) *message {
	var victim *message
	for _, m := range a.unbegun {
		if has := m.caller.account().open; has > c.account().open && (victim == nil || has > victim.caller.account().open) {
			victim = m
		}
	}
	if victim != nil {
		a.end(victim, a.shed(shedCalls))
	}
	return victim
}

// end ends a call before it begins. Tell its caller when the admission is unlocked.
func (a *admission) end(m *message, why error) {
	a.begun(m)
	a.gone(m) // and not when it notices, or its place would be nobody's meanwhile
	m.ended.Store(status.Convert(why))
}

// begun is for a call that begins, or ends before.
func (a *admission) begun(m *message) {
	a.unbegun = slices.DeleteFunc(a.unbegun, func(other *message) bool { return other == m })
}

func (a *admission) leave(m *message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gone(m)
	m.caller.ended = a.clock()
}

// gone gives back the place of a call, once.
func (a *admission) gone(m *message) {
	if m.gone {
		return
	}
	m.gone = true
	a.open--
	m.caller.open--
	m.caller.account().open--
}

// lastCall is for who looks for a connection to close.
func (a *admission) lastCall(c *caller) (busy, ever bool, ended time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return c.open > 0 || c.held > 0, c.calls, c.ended
}

// close sheds the calls that wait to begin, and every later one that would.
func (a *admission) close() { close(a.closed) }

// share is what forecasts have.
type share struct {
	taken int   // turns
	held  int64 // bytes, without answers
	all   account
}

// charge adds to what a caller has used of the processors, which is forgotten as time goes by.
func (a *admission) charge(c *caller, used time.Duration) { c.account().charge(a.clock(), used) }

func (of *account) charge(now time.Time, used time.Duration) {
	if of.used > 0 {
		of.used = time.Duration(float64(of.used) * math.Exp2(-float64(now.Sub(of.usedAt))/float64(halfLife)))
	}
	of.used, of.usedAt = of.used+used, now
}

// greedy reports whether a caller has had much.
func (a *admission) greedy(c *caller) bool {
	a.charge(c, 0)
	return c.account().used > freely || c.account().held > a.bytes/4
}

// room is how many bytes a caller may have held in all, its own and others'.
func (a *admission) room(c *caller) int64 {
	if a.greedy(c) {
		return a.bytes / 4 * 3
	}
	return a.bytes
}

// mayTurn is how many turns may be taken where one is given to a caller.
func (a *admission) mayTurn(c *caller) int {
	if a.greedy(c) && a.clock().Sub(a.others) < company {
		return max(1, a.turns-1)
	}
	return a.turns
}

// need is the memory that a request may take. More than what a greedy caller may have nobody needs, nor a forecast more than what there is for
// forecasts: such a request waits until it is alone.
func (a *admission) need(size int, forecast bool) int64 {
	if forecast {
		return min(MemoryFor(size)+ForecastMemory, a.bytes/2)
	}
	return min(MemoryFor(size), a.bytes/4*3)
}

// mayForesee is how many forecasts may have a turn at once.
func (a *admission) mayForesee() int { return max(1, a.turns/2) }

const (
	memoryAtLeast  = 48 << 20 // what a plan's own bounds come to
	memoryPerByte  = 48       // of short elements and values, whose number is limited:
	memoryOfShort  = 128 << 20
	memoryOfCopies = 2 // the bytes as they came, and in the message
)

// ForecastMemory is what a forecast may take beside what a plan of its request may, in bytes.
const ForecastMemory = 32 << 20

// MemoryFor is what a request of so many bytes may take once it has begun, in bytes: the request, the messages made of it,
// the plan and its bytes. "make measure WHAT=cost" fails where a request takes more.
func MemoryFor(size int) int64 {
	n := int64(size)
	return memoryAtLeast + min(memoryPerByte*n, memoryOfShort) + memoryOfCopies*n
}

package forecast

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
)

// Budget is what a forecast may spend, with its worst case. It is counted and never timed, so that it ends the same forecast at the same place
// everywhere. Run and Worst take from it what they spend.
type Budget struct {
	// Work is in units of an object looked at, a name compared or some bytes copied.
	Work int
	// Objects are the pods, claims and revisions that are there or wanted at first, and those that are made.
	Objects int
	// Bytes are those of all that: what is there once and shared by many objects counts once.
	Bytes int
}

// Served is the budget of a forecast that somebody else asks for: less than two seconds of a processor and 200 MB, with the reading of the request.
// It is enough for a set of 500 pods with a claim each that is updated one pod after the other, and for one of 9,000 that comes up at once.
func Served() *Budget { return &Budget{Work: 24_000_000, Objects: 40_000, Bytes: 32 << 20} }

// What is counted for a plan. A unit is at most some 50 nanoseconds then.
const (
	// planWork is for a plan of a small set, and what is around it; objectWork for each object that is there or wanted; saidWork for an action or a
	// block, which takes memory and sentences.
	planWork   = 150
	objectWork = 5
	saidWork   = 500
	// usualTexts are the bytes of templates and revisions of nearly all sets, which most plans do not read. What is beyond is counted as if each did.
	usualTexts = 64 << 10
	// bytesPerUnit are bytes of text that are copied, parsed or compared.
	bytesPerUnit = 64
	// treeBytes are for a value of JSON that is parsed into a tree, beside its text.
	treeBytes = 8
	// objectBytes are for an object beside its texts, and stateBytes for a state that has been seen.
	objectBytes = 600
	stateBytes  = 80
	// workAtOnce is the work between two looks at whether to stop.
	workAtOnce = 2048
)

// meter counts what a forecast spends. Who calls it may not come back: within ends there.
type meter struct {
	stop     func() bool
	budget   *Budget
	all      Budget // at first
	unseen   int    // work since the last look
	elements int    // that are not counted yet
	ended    bool
	because  string // it ended; "": it was stopped
}

func newMeter(stop func() bool, budget *Budget) *meter {
	if stop == nil {
		stop = func() bool { return false }
	}
	if budget == nil {
		budget = &Budget{math.MaxInt, math.MaxInt, math.MaxInt}
	}
	return &meter{stop: stop, budget: budget, all: *budget}
}

// within runs f to its end, or to where the meter ends it.
func (m *meter) within(f func()) {
	defer func() {
		if m.ended {
			recover()
		}
	}()
	f()
}

func (m *meter) end(because string) {
	m.ended, m.because = true, because
	panic(because)
}

// work counts units before or while they are done.
func (m *meter) work(units int) {
	if m.budget.Work -= units; m.budget.Work < 0 {
		m.end(overBudget(fmt.Sprintf("%d units of work", m.all.Work)))
	}
	if m.unseen += units; m.unseen >= workAtOnce {
		m.look()
	}
}

// few counts elements that are only looked at: four are a unit.
func (m *meter) few(elements int) {
	m.elements += elements
	m.work(m.elements / 4)
	m.elements %= 4
}

// text is work on some bytes.
func (m *meter) text(bytes int) { m.work(bytes/bytesPerUnit + 1) }

// parsing is work on some bytes of JSON.
func (m *meter) parsing(bytes int) { m.work(bytes/4 + 1) }

// sorting is counted by formula: how many comparisons it takes depends on the order that a list happens to have.
func (m *meter) sorting(n int) { m.work(n * bits.Len(uint(n)) / 4) }

func (m *meter) look() {
	if m.unseen = 0; m.stop() {
		m.end("")
	}
}

// objects counts what is there or made, with the bytes that it has for itself.
func (m *meter) objects(n, bytes int) {
	if m.budget.Objects -= n; m.budget.Objects < 0 {
		m.end(overBudget(fmt.Sprintf("%d objects that are there, wanted or made", m.all.Objects)))
	}
	m.keep(n*objectBytes + bytes)
}

// keep counts bytes that are kept; a negative number of them is given back.
func (m *meter) keep(bytes int) {
	if m.budget.Bytes -= bytes; m.budget.Bytes < 0 {
		m.end(overBudget(fmt.Sprintf("%d MiB for what it makes and notes", m.all.Bytes>>20)))
	}
	m.work(max(bytes, 0) / bytesPerUnit)
}

// decide is a plan within what is left. texts are the bytes of what plans read.
func (m *meter) decide(s *model.Snapshot, texts int) *model.Plan {
	objects := len(s.Pods) + len(s.Claims) + len(s.Revisions) + int(s.Set.Replicas)
	for i := range s.Pods {
		if c := s.Pods[i].Containers; c != nil {
			objects += 2 * (len(c.Containers) + len(c.Init))
		}
	}
	m.work(planWork + objectWork*objects + texts/16 + max(0, texts-usualTexts)/2)
	plan := engine.DecideUntil(s, m.stop)
	if plan == nil {
		m.end("")
	}
	m.work(saidWork * len(plan.Blocks))
	for _, stage := range plan.Stages {
		for _, step := range stage.Steps {
			m.work(saidWork * len(step.Actions))
		}
	}
	return plan
}

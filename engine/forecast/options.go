package forecast

import "time"

// Options say how far to look, and what to assume of hosts. The zero value is usable.
type Options struct {
	// MaxSteps is how many plans a forecast may take before it is Undecided. 0 is the most: 1,000, and 20 for each pod that is there or wanted.
	MaxSteps int
	// Budget is what the forecast may spend; nil: no limit.
	Budget *Budget
	// Hosts is what to assume. A field that is not positive has its default.
	Hosts Hosts
}

// Hosts is what the forecast assumes of the machines and programs that it cannot see. The answer repeats it.
type Hosts struct {
	// ReadyAfter is the time from the start of a pod to its readiness; by default 10 seconds. A pod starts as soon as its claims are there.
	ReadyAfter time.Duration
	// GoneAfter is the time from the deletion of a pod that a node has to its end; by default 10 seconds. Other pods go at once.
	GoneAfter time.Duration
	// DrainedAfter is the time from the start of a drain pod to its success, with every token handed back; by default one minute.
	DrainedAfter time.Duration
	// AnsweredAfter is the time from the question whether a pod may go to the answer that it may; by default 10 seconds.
	AnsweredAfter time.Duration
}

// The defaults of Options.
const (
	leastSteps  = 1_000
	stepsPerPod = 20

	defaultWait  = 10 * time.Second
	defaultDrain = time.Minute
)

// mostSteps are for a set with so many pods that are there or wanted.
func mostSteps(pods int) int { return leastSteps + stepsPerPod*pods }

// filled puts in the defaults.
func (o Options) filled(pods int) Options {
	if most := mostSteps(pods); o.MaxSteps <= 0 || o.MaxSteps > most {
		o.MaxSteps = most
	}
	for _, wait := range []*time.Duration{&o.Hosts.ReadyAfter, &o.Hosts.GoneAfter, &o.Hosts.AnsweredAfter} {
		if *wait <= 0 {
			*wait = defaultWait
		}
	}
	if o.Hosts.DrainedAfter <= 0 {
		o.Hosts.DrainedAfter = defaultDrain
	}
	return o
}

package forecast

import (
	"time"

	"github.com/setplan/setplan/engine/model"
)

// Verdict is how a forecast ends.
type Verdict int32

// The verdicts.
const (
	_              Verdict = iota
	Converged              // nothing is left to do
	BlockedForEver         // the plan no longer changes, and no event is due: Result.Blocks says what somebody has to do
	Undecided              // there was no end within Options.MaxSteps or Options.Budget
)

func (v Verdict) String() string {
	return [...]string{"UNSPECIFIED", "CONVERGED", "BLOCKED_FOR_EVER", "UNDECIDED"}[v]
}

// Result is what a rollout comes to.
type Result struct {
	Verdict Verdict
	// Limit says which limit ended an Undecided forecast, and what to do about it.
	Limit string
	Steps int
	// From is Snapshot.ObservedAt, and To when nothing happens any more, by the clock of the forecast.
	From, To time.Time
	// Blocks are those of the last plan. After Converged they say what the spec holds back on purpose, and which settings people should correct.
	Blocks []model.Block

	// Events are those after the last step.
	Events []Event

	// Restarts are the pods of the range that are deleted, in this order.
	Restarts []Restart
	// Added are the other pods that are made, in this order, without drain pods; Removed the pods that leave the set.
	Added, Removed []PodChange
	// Updated are the pods that are brought to another revision in place, in this order, each once it is there; they stay.
	Updated []PodChange
	// ContainerRestarts are the pods that are given other images for that, in this order: their containers start again.
	ContainerRestarts []PodChange
	// DrainPods are the drain pods that are made, in this order.
	DrainPods []PodChange

	// Peak is the most pods of the range that are missing, terminating, not ready or not yet available at once, and when that is first so. An
	// ordinal that had no pod at first counts from when its pod has been available: a scale-up takes nothing away.
	Peak struct {
		Unavailable int
		At          time.Time
	}
	// AtFirst counts pods of the range, by the same rule, before the first step, and the ordinals that had no pod.
	AtFirst struct{ Unavailable, Missing int }

	// Claims are in the order of the writes; a deleted claim is listed when its deletion is certain.
	Claims struct{ Made, Changed, Deleted []ClaimChange }
	// Irreversible is what cannot be undone, in order.
	Irreversible []Irreversible

	// SetGone reports that the set itself has gone.
	SetGone bool

	// Hosts and Assumptions are what all that rests on: the times, and sentences for people.
	Hosts       Hosts
	Assumptions []string
}

// Restart is a pod of the range that is deleted and made again.
type Restart struct {
	Pod string
	// From and To are revisions. To is empty if the pod is not made again by the end of the forecast.
	From, To string
	Why      model.Cause // of the deletion
	// DeletedAt is when it is deleted, and MadeAt when it is made again; zero: it is not.
	DeletedAt, MadeAt time.Time
}

// PodChange is a pod that is made or deleted without being restarted.
type PodChange struct {
	Pod, Revision string
	Why           model.Cause
	At            time.Time
}

// ClaimChange is a claim that is made, changed or deleted. Why is zero where the garbage collector deletes it.
type ClaimChange struct {
	Claim string
	Why   model.Cause
	At    time.Time
}

// Irreversible is an object whose deletion cannot be undone.
type Irreversible struct {
	// Kind is as actions name it: a claim takes its data along, unless its volume is retained; without a revision there is no way back to it.
	Kind, Name string
	Message    string
	At         time.Time
}

// Step is one plan that writes, applied, and what hosts did since the step before.
type Step struct {
	Number  int            // from 1
	At      time.Time      // by the clock of the forecast
	Events  []Event        // before the plan, in order
	Actions []model.Action // those that wrote
	Blocks  []model.Block
	// Unavailable counts pods after the actions, as Result.Peak does.
	Unavailable int
}

// Event is something that hosts or the cluster do by themselves.
type Event struct {
	At   time.Time
	Kind EventKind
	// Subject is a kind as actions name it, and Name the name of that object.
	Subject, Name string
}

// EventKind says what has happened.
type EventKind int32

// The events.
const (
	_         EventKind = iota
	Started             // a host has taken a pod
	Ready               // a pod is ready
	Available           // a pod has been ready for minReadySeconds
	Gone                // a terminating pod or claim, or the set, is gone
	Bound               // a claim has its volume
	Drained             // a drain pod has succeeded
	Answered            // a pod that was asked whether it may go says yes, or somebody agrees to its update
	Collected           // the garbage collector has deleted an object: its owners are gone
	Disowned            // the garbage collector has removed references to owners that are gone, or that let it go
)

func (k EventKind) String() string {
	return [...]string{"UNSPECIFIED", "STARTED", "READY", "AVAILABLE", "GONE", "BOUND", "DRAINED", "ANSWERED", "COLLECTED", "DISOWNED"}[k]
}

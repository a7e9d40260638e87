package forecast

import (
	"time"

	"github.com/setplan/setplan/engine/model"
)

// Step is one plan that writes, applied, and what hosts did since the step before.
type Step struct {
	Number  int            // from 1
	At      time.Time      // by the clock of the forecast
	Events  []Event        // before the plan, in order
	Actions []model.Action // those that wrote
	Blocks  []model.Block
	// Unavailable counts pods after the actions, as Result.PeakUnavailable does.
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

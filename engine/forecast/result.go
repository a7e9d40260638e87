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

	// PeakUnavailable is the most pods of the range that are missing, terminating, not ready or not yet available at once, and PeakAt when
	// that is first so. An ordinal that had no pod at first counts from when its pod has been available: a scale-up takes nothing away.
	PeakUnavailable int
	PeakAt          time.Time
	// UnavailableAtFirst counts pods of the range, by the same rule, before the first step; MissingAtFirst the ordinals that had no pod.
	UnavailableAtFirst, MissingAtFirst int

	// ClaimsMade, ClaimsChanged and ClaimsDeleted are in the order of the writes; a deleted claim is listed when its deletion is certain.
	ClaimsMade, ClaimsChanged, ClaimsDeleted []ClaimChange
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

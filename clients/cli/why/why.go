// Package why explains what a set waits for. The planner's blocks say what is held back. This package looks up what no snapshot
// holds: why a pod does not start, why a claim is not deleted, who refuses a write. It decides nothing and only reads.
package why

import (
	"slices"
	"time"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/show"
	"github.com/setplan/setplan/clients/cli/world"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Case is a set, what was read about it, and its plan.
type Case struct {
	World    *world.World
	Key      adapters.Key
	Snapshot *setplanv1.Snapshot
	Plan     *setplanv1.Plan
	// Dated says that the objects are from the time of the snapshot. A file without a time may be from any time.
	Dated bool
	// PlanAt returns the plan for the same objects at an earlier time. Nil if unknown.
	PlanAt func(time.Time) *setplanv1.Plan
	// Flags lead kubectl, and this program, to the cluster; none are needed to the usual one.
	Flags []string
	// Program is how this program is called.
	Program string
}

// Reason is one thing that a set waits for.
type Reason struct {
	// Code is the code of the planner's block, or one of this package.
	Code string `json:"code"`
	// Severity is "attention", "wait" or "info".
	Severity string `json:"severity"`
	// Subject is the object to look at first, such as "Pod/web-0".
	Subject string `json:"subject"`
	// Message says what is held back.
	Message string `json:"message"`
	// Cause says why, if the cluster shows more than the planner's snapshot.
	Cause string `json:"cause,omitempty"`
	// Evidence is what objects of the cluster say, each with its object.
	Evidence []string `json:"evidence,omitempty"`
	// Remedy is what would help; empty if only time helps.
	Remedy string `json:"remedy,omitempty"`
	// Commands carry out the remedy. People must fill in words in capitals.
	Commands []string `json:"commands,omitempty"`
	// Waiting names what else waits for this.
	Waiting []string `json:"waiting,omitempty"`
	// Since and NotBefore are the planner's.
	Since     *time.Time `json:"since,omitempty"`
	NotBefore *time.Time `json:"notBefore,omitempty"`

	rank int
}

// The codes of reasons that are no blocks: the planner does not see what keeps its plans from being carried out.
const (
	// CodePaused: the adapter leaves the set alone and says so in an event.
	CodePaused = "ADAPTER_PAUSED"
	// CodeRefused: the API refuses an action of the plan.
	CodeRefused = "ACTION_REFUSED"
	// CodeRefusedBefore: the API has refused such an action, and it may have been at another revision.
	CodeRefusedBefore = "ACTION_REFUSED_BEFORE"
	// CodeNobodyActs: there is something to do, and no sign that anybody does it.
	CodeNobodyActs = "NOBODY_ACTS"
)

// The words of severities.
const (
	Attention = "attention"
	Wait      = "wait"
	Info      = "info"
)

// Report is the explanation for a set.
type Report struct {
	Set       string    `json:"set"`
	Converged bool      `json:"converged"`
	Reasons   []*Reason `json:"reasons"`
	// Updates say what differs between the revisions that pods are updated from and the one that they are updated to.
	Updates []string `json:"updates,omitempty"`
	// Next is what the plan does now, in words, without the status.
	Next []string `json:"next,omitempty"`
	// At is the time of the explanation.
	At time.Time `json:"at"`

	own string // the version of the set's kind
}

// NeedsSomebody reports whether the set waits for somebody to act.
func (r *Report) NeedsSomebody() bool {
	return slices.ContainsFunc(r.Reasons, func(reason *Reason) bool { return reason.Severity == Attention })
}

// Waits reports whether a reason is more than information.
func (r *Report) Waits() bool {
	return slices.ContainsFunc(r.Reasons, func(reason *Reason) bool { return reason.Severity != Info })
}

// Explain makes the report, with the root cause first.
func Explain(c *Case) *Report {
	report := &Report{Set: c.Key.String(), Converged: c.Plan.GetConverged(), At: c.now(), Reasons: []*Reason{}, own: c.World.Kind.APIVersion()}
	report.Reasons = append(report.Reasons, c.paused()...)
	report.Reasons = append(report.Reasons, c.refused()...)
	if !slices.ContainsFunc(report.Reasons, func(r *Reason) bool { return explainsIdleness(r.Code) }) { // an adapter that says what keeps it from acting is there
		report.Reasons = append(report.Reasons, c.nobodyActs()...)
	}
	for _, block := range c.Plan.GetBlocks() {
		report.Reasons = append(report.Reasons, c.reasons(block)...)
	}
	sortByRank(report.Reasons)
	for _, reason := range report.Reasons {
		if reason.Since != nil && reason.Since.After(report.At) { // by another clock
			reason.Since = nil
		}
		reason.Commands = c.there(reason.Commands)
	}
	report.Updates = show.Updates(c.Snapshot, c.Plan)
	report.Next = next(c.Plan)
	return report
}

func (c *Case) now() time.Time { return c.Snapshot.GetObservedAt().AsTime() }

// key names an object of the set's namespace.
func (c *Case) key(name string) adapters.Key {
	return adapters.Key{Namespace: c.Key.Namespace, Name: name}
}

// next lists the actions of a plan in words, without the status, which every step writes.
func next(plan *setplanv1.Plan) []string {
	var list []string
	for action := range actions(plan) {
		if action.GetUpdateStatus() == nil {
			list = append(list, operation(action)+" "+action.GetTarget().GetName())
		}
	}
	return list
}

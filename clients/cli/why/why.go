// Package why explains what a set waits for. The planner's blocks say what is held back; what they cannot know, because
// no snapshot holds it, is looked up here: why a pod does not start, why a claim does not go, who refuses a write. It
// decides nothing and only reads.
package why

import (
	"slices"
	"time"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/world"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Case is a set, what was read around it, and its plan.
type Case struct {
	World    *world.World
	Key      adapters.Key
	Snapshot *setplanv1.Snapshot
	Plan     *setplanv1.Plan
	// Dated: the objects are as they were at the time of the snapshot. A file without a time may be of any.
	Dated bool
	// PlanAt is the plan that the same objects had at an earlier time; nil where nobody can say.
	PlanAt func(time.Time) *setplanv1.Plan
}

// Reason is one thing that a set waits for.
type Reason struct {
	// Code is that of the planner's block, or one of this package.
	Code string `json:"code"`
	// Severity is "attention", "wait" or "info".
	Severity string `json:"severity"`
	// Subject is the object to look at first, such as "Pod/web-0".
	Subject string `json:"subject"`
	// Message says what is held back.
	Message string `json:"message"`
	// Cause says why, where the cluster shows more than the planner's snapshot.
	Cause string `json:"cause,omitempty"`
	// Evidence is what the cluster says, each with the object that says it.
	Evidence []string `json:"evidence,omitempty"`
	// Remedy is what would help. Empty where only time helps.
	Remedy string `json:"remedy,omitempty"`
	// Commands carry the remedy out. A word in capitals is for people to fill in.
	Commands []string `json:"commands,omitempty"`
	// Waiting names what waits for this beside the subject.
	Waiting []string `json:"waiting,omitempty"`
	// Since and NotBefore are the planner's.
	Since     *time.Time `json:"since,omitempty"`
	NotBefore *time.Time `json:"notBefore,omitempty"`

	rank int
}

// The codes of reasons that are no block: the planner does not see what keeps its plans from being carried out.
const (
	// CodePaused: the adapter has left the set alone and says so in an event.
	CodePaused = "ADAPTER_PAUSED"
	// CodeRefused: the API refuses an action of the plan.
	CodeRefused = "ACTION_REFUSED"
	// CodeNobodyActs: there is something to do, and nothing shows that anybody does it.
	CodeNobodyActs = "NOBODY_ACTS"
)

// The words of severities.
const (
	Attention = "attention"
	Wait      = "wait"
	Info      = "info"
)

// Report is what there is to say about a set.
type Report struct {
	Set       string    `json:"set"`
	Converged bool      `json:"converged"`
	Reasons   []*Reason `json:"reasons"`
	// Next is what the plan does now, in words, the status aside.
	Next []string `json:"next,omitempty"`
	// At is the moment that all this is about.
	At time.Time `json:"at"`
}

// NeedsSomebody reports whether the set waits for something that does not come by itself.
func (r *Report) NeedsSomebody() bool {
	return slices.ContainsFunc(r.Reasons, func(reason *Reason) bool { return reason.Severity == Attention })
}

// Explain makes the report: the true first cause first, which the others wait for.
func Explain(c *Case) *Report {
	report := &Report{Set: c.Key.String(), Converged: c.Plan.GetConverged(), At: c.now(), Reasons: []*Reason{}}
	report.Reasons = append(report.Reasons, c.paused()...)
	report.Reasons = append(report.Reasons, c.refused()...)
	if len(report.Reasons) == 0 { // an adapter that says what keeps it from acting is there
		report.Reasons = append(report.Reasons, c.nobodyActs()...)
	}
	for _, block := range c.Plan.GetBlocks() {
		report.Reasons = append(report.Reasons, c.reason(block))
	}
	sortByRank(report.Reasons)
	report.Next = next(c.Plan)
	return report
}

func (c *Case) now() time.Time { return c.Snapshot.GetObservedAt().AsTime() }

// key names an object of the set's namespace.
func (c *Case) key(name string) adapters.Key {
	return adapters.Key{Namespace: c.Key.Namespace, Name: name}
}

// next lists the actions of a plan in words. The status is written at every step and moves nothing.
func next(plan *setplanv1.Plan) []string {
	var list []string
	for action := range actions(plan) {
		if action.GetUpdateStatus() == nil {
			list = append(list, operation(action)+" "+action.GetTarget().GetName())
		}
	}
	return list
}

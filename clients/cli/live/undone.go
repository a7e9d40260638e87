package live

import (
	"strings"
	"time"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Undone notices a plan that nobody carries out, because it stays the same.
type Undone struct {
	plan  string
	since time.Time
}

// patience is how long a plan may stay the same before that is shown. An adapter needs less than a second.
const patience = 10 * time.Second

// Saw takes a plan at a time, and returns how long it has stayed the same, if that is too long. It returns 0 otherwise, or if there is
// nothing to do but write the status.
func (u *Undone) Saw(plan *setplanv1.Plan, now time.Time) time.Duration {
	b := &strings.Builder{}
	for _, stage := range plan.GetStages() {
		for _, step := range stage.GetSteps() {
			for _, action := range step.GetActions() {
				if action.GetUpdateStatus() == nil {
					b.WriteString(adapters.OperationName(action) + " " + action.GetTarget().GetName() + "\n")
				}
			}
		}
	}
	if b.String() != u.plan {
		u.plan, u.since = b.String(), now
	}
	if u.plan == "" || now.Sub(u.since) < patience {
		return 0
	}
	return now.Sub(u.since)
}

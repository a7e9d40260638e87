package verify

import (
	"fmt"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Verifier checks one plan against one snapshot. It reads only those parts of the snapshot that an action concerns, so a plan without
// actions costs nothing.
type Verifier struct {
	snapshot *setplanv1.Snapshot
	set      *setplanv1.StatefulSet
	checks   []check

	pods      map[string]*setplanv1.Pod
	claims    map[string]*setplanv1.Claim
	revisions map[string]*setplanv1.Revision
	made      string           // the revision that the plan makes
	madeSays  *node            // what it says of claim templates
	read      map[string]*node // templates, by what they are
	all       []*node          // see templates
	claimed   []*claimTemplate // see claimTemplates
	asked     *policy          // see policy
	spans     []Span           // see inRange

	belongings map[string][]*setplanv1.Claim // claims of the set by the uid of an owner
	released   map[string]bool               // claim and owner, by uid, where the plan has taken the reference off
}

// Against makes a verifier for one plan.
func Against(snapshot *setplanv1.Snapshot) *Verifier {
	return &Verifier{snapshot: snapshot, set: snapshot.GetSet(), checks: list, read: map[string]*node{}, released: map[string]bool{}}
}

// Stage checks every action of a stage. The error is a *Refusal of the first that fails; then nothing of the stage may be sent.
// Stages must be passed in the order of the plan.
func (v *Verifier) Stage(stage *setplanv1.Stage) error {
	if v.pods == nil {
		v.pods, v.claims, v.revisions = byName(v.snapshot.GetPods()), byName(v.snapshot.GetClaims()), byName(v.snapshot.GetRevisions())
	}
	for _, step := range stage.GetSteps() {
		for _, action := range step.GetActions() {
			if err := v.action(stage, action); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v *Verifier) action(stage *setplanv1.Stage, action *setplanv1.Action) error {
	s := v.subject(stage, action)
	for i := range v.checks {
		if c := &v.checks[i]; c.about(s) {
			if why := c.fault(s); why != "" {
				return &Refusal{Check: c.name, Action: action, why: why}
			}
		}
	}
	s.remember()
	return nil
}

// Refusal is why an action is not sent.
type Refusal struct {
	Check  string // the name of a check: there are few, so it can be a metric's label
	Action *setplanv1.Action
	why    string
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("refused unsent (%s): %s %s %s: %s", r.Check, operationOf(r.Action),
		quote(r.Action.GetTarget().GetKind()), quote(r.Action.GetTarget().GetName()), r.why)
}

// longest is how much an error quotes of a text from outside.
const longest = 80

// quote keeps a planner's text from filling logs and events.
func quote(text string) string {
	if len(text) > longest {
		text = text[:longest] + "..."
	}
	return fmt.Sprintf("%q", text)
}

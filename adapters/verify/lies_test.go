package verify

import (
	"errors"
	"slices"
	"testing"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// lie makes an honest action wrong in one way, which one check must find.
type lie struct {
	of, name, check string
	tell            func(*scene)
}

func (l lie) scene() *scene {
	s := truths[l.of]()
	l.tell(s)
	return s
}

// TestLies: each lie is found by the check for it.
func TestLies(t *testing.T) {
	found := map[string]bool{}
	for _, l := range lies {
		err := l.scene().verdict(list)
		var refusal *Refusal
		if !errors.As(err, &refusal) || refusal.Check != l.check {
			t.Errorf("%s, %s: %v instead of a refusal by %s", l.of, l.name, err, l.check)
			continue
		}
		found[refusal.Check] = true
	}
	for _, c := range list {
		if !found[c.name] {
			t.Errorf("no lie is for the check %s", c.name)
		}
	}
}

// backedUp are checks whose lies another check would find, too, and why they exist anyway.
var backedUp = map[string]string{
	"name":     "every name is held against the set's, the snapshot's or a template's by a check of its kind; this one is for a kind that is to come",
	"manifest": "nothing would be found in an unreadable manifest, but the reason would be missing",
}

// TestEveryCheckIsNeeded removes the checks one at a time: then a lie passes.
func TestEveryCheckIsNeeded(t *testing.T) {
	for i, removed := range list {
		without := slices.Delete(slices.Clone(list), i, i+1)
		passed := 0
		for _, l := range lies {
			if l.check == removed.name && l.scene().verdict(without) == nil {
				passed++
			}
		}
		if _, excused := backedUp[removed.name]; (passed == 0) != excused {
			t.Errorf("without the check %s %d of its lies pass; excused: %t", removed.name, passed, excused)
		}
	}
}

// TestReleasedInThePlan: an owner reference that the plan has removed no longer counts.
func TestReleasedInThePlan(t *testing.T) {
	snapshot := fixture()
	v := Against(snapshot)
	finalizer := truths["set_finalizer"]().action
	release := act(kindClaim, "data-web-0", true)
	release.Operation = &setplanv1.Action_SetClaimOwners{SetClaimOwners: &setplanv1.SetClaimOwners{Owners: []*setplanv1.OwnerReference{reference("other", "other", false)}}}
	stage := func(actions ...*setplanv1.Action) *setplanv1.Stage {
		return &setplanv1.Stage{Steps: []*setplanv1.Step{{Actions: actions}}}
	}
	if err := v.Stage(stage(finalizer)); err == nil {
		t.Error("the claim belongs to the set")
	}
	if err := v.Stage(stage(release, finalizer)); err != nil {
		t.Error(err)
	}
}

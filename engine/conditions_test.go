package engine

import (
	"testing"
	"time"
)

// planned is the status that a plan writes, or nil.
func plannedStatus(p *Plan) *Status {
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if op, ok := a.Op.(UpdateStatus); ok {
					return &op.Status
				}
			}
		}
	}
	return nil
}

func TestConditions(t *testing.T) {
	for _, row := range []struct {
		name                 string
		make                 func() *world
		progressing, blocked string // reasons; empty: no status is written
	}{
		{"a set at rest that was taken over is left alone", func() *world { return newWorld(2) }, "", ""},
		{"a missing pod is created", func() *world { return newWorld(2).without("web-1") }, "WaitingForPods", "NoActionRequired"},
		{"a pod is outside the range", func() *world {
			w := newWorld(3)
			w.Set.Replicas = 2
			return w
		}, "Scaling", "NoActionRequired"},
		{"a new template", func() *world { return newWorld(2).image("web:2") }, "Updating", "NoActionRequired"},
		{"the partition holds every pod", func() *world {
			w := newWorld(2).image("web:2")
			w.Set.RollingUpdate.Partition = 2
			return w
		}, "HeldBySpec", "NoActionRequired"},
		{"OnDelete holds every pod", func() *world {
			w := newWorld(2).image("web:2")
			w.Set.StrategyType, w.Set.RollingUpdate = "OnDelete", nil
			return w
		}, "HeldBySpec", "NoActionRequired"},
		{"a pod is not ready", func() *world {
			w := newWorld(2)
			w.p("web-1").Ready = false
			return w
		}, "WaitingForPods", "NoActionRequired"},
		{"the set is being deleted", func() *world {
			w := newWorld(2)
			w.Set.DeletedAt = noon
			return w
		}, "Deleting", "NoActionRequired"},
		{"a stranger bears a name", func() *world {
			w := newWorld(2)
			w.p("web-1").Owners = []Owner{{Kind: "Thing", Name: "other", UID: "other", Controller: true}}
			return w
		}, "Scaling", "PodNameTaken"},
		{"the API refuses a pod", func() *world {
			w := newWorld(2).without("web-1")
			id := Decide(&w.Snapshot).Stages[0].Steps[0].Actions[0].ID
			w.Outcomes = []Outcome{{ActionID: id, Result: OutcomeRejected, Count: 3, Message: "exceeded quota"}}
			return w
		}, "Scaling", "ActionFailedBefore"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := row.make()
			st := plannedStatus(Decide(&w.Snapshot))
			if row.progressing == "" {
				if st != nil {
					t.Errorf("writes %+v", st)
				}
				return
			}
			if st == nil || len(st.Conditions) != 2 {
				t.Fatalf("writes %+v", st)
			}
			if got := st.Conditions[0].Reason; got != row.progressing {
				t.Errorf("Reconciling: %s", got)
			}
			if got := st.Conditions[1].Reason; got != row.blocked {
				t.Errorf("Blocked: %s", got)
			}
			// Once they are stored, they are not written again.
			w.Set.Status = *st
			w.ObservedAt = noon.Add(time.Minute)
			if again := plannedStatus(Decide(&w.Snapshot)); again != nil {
				t.Errorf("writes again: %+v", again)
			}
		})
	}
}

// TestOptionalConditions: Repairing and Draining appear when they become true, and stay with status False afterwards.
func TestOptionalConditions(t *testing.T) {
	w := newWorld(2)
	w.p("web-1").Ready, w.p("web-1").Revision, w.p("web-1").ReadyChangedAt = false, "web-bad", noon.Add(-time.Hour)
	w.p("web-1").StartedAt = noon.Add(-time.Hour)
	st := plannedStatus(Decide(&w.Snapshot))
	if c := condition(st, ConditionRepairing); c == nil || c.Status != "True" || condition(st, ConditionDraining) != nil {
		t.Fatalf("%+v", st.Conditions)
	}
	w.Set.Status = *st
	w.without("web-1")
	if c := condition(plannedStatus(Decide(&w.Snapshot)), ConditionRepairing); c == nil || c.Status != "False" {
		t.Errorf("repaired: %+v", c)
	}

	w = draining(3).scaledTo(2)
	w.drainPod(2, PodRunning)
	w.Set.Status.Conditions = nil
	st = plannedStatus(Decide(&w.Snapshot))
	if c := condition(st, ConditionDraining); c == nil || c.Status != "True" || condition(st, ConditionRepairing) != nil ||
		condition(st, ConditionReconciling).Reason != "Draining" {
		t.Fatalf("%+v", st)
	}
}

func condition(st *Status, name string) *Condition {
	if st == nil {
		return nil
	}
	for i := range st.Conditions {
		if st.Conditions[i].Type == name {
			return &st.Conditions[i]
		}
	}
	return nil
}

// TestConditionTimes: the time is that of the status's last change, not the reason's.
func TestConditionTimes(t *testing.T) {
	w := newWorld(2).without("web-1")
	w.Set.Replicas = 3
	w.Set.Status = *plannedStatus(Decide(&w.Snapshot))
	w.ObservedAt = noon.Add(time.Minute)
	w.pod(1).Ready = false
	w.Set.Replicas = 2
	later := plannedStatus(Decide(&w.Snapshot))
	if c := later.Conditions[0]; c.Reason != "WaitingForPods" || !c.ChangedAt.Equal(noon) {
		t.Errorf("still progressing: %+v", c)
	}
	w.Set.Status = *later
	w.p("web-1").Ready = true
	w.p("web-1").ReadyChangedAt = noon
	done := plannedStatus(Decide(&w.Snapshot))
	if c := done.Conditions[0]; c.Reason != "Complete" || !c.ChangedAt.Equal(noon.Add(time.Minute)) {
		t.Errorf("done: %+v", c)
	}
}

// TestConditionsNeedTheCapability: an adapter of the first release is sent no conditions, and no write only for them.
func TestConditionsNeedTheCapability(t *testing.T) {
	w := newWorld(2)
	w.p("web-1").Ready = false
	w.Set.Status = *plannedStatus(Decide(&w.Snapshot))
	w.Set.Status.Conditions = nil
	w.Capabilities &^= CanSetConditions
	if st := plannedStatus(Decide(&w.Snapshot)); st != nil {
		t.Errorf("writes %+v", st)
	}
}

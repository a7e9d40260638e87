package engine

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// planned is the status that a plan writes, or nil.
func plannedStatus(p *model.Plan) *model.Status {
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if op, ok := a.Op.(model.UpdateStatus); ok {
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
		{"a pod is being deleted, and the update is done", func() *world {
			w := newWorld(2)
			w.Set.PodManagementPolicy = "Parallel"
			w.p("web-1").DeletedAt = noon
			return w
		}, "WaitingForPods", "NoActionRequired"},
		{"a pod is being deleted, and the partition holds every pod", func() *world {
			w := newWorld(2).image("web:2")
			w.Set.PodManagementPolicy, w.Set.RollingUpdate.Partition = "Parallel", 2
			w.p("web-1").DeletedAt = noon
			return w
		}, "WaitingForPods", "NoActionRequired"},
		{"a pause holds the update", func() *world {
			w := newWorld(2).image("web:2")
			w.Set.Annotations = map[string]string{policy.Pause: "Updates"}
			return w
		}, "Paused", "NoActionRequired"},
		{"the set is being deleted", func() *world {
			w := newWorld(2)
			w.Set.DeletedAt = noon
			return w
		}, "Deleting", "NoActionRequired"},
		{"a stranger bears a name", func() *world {
			w := newWorld(2)
			w.p("web-1").Owners = []model.Owner{{Kind: "Thing", Name: "other", UID: "other", Controller: true}}
			return w
		}, "Scaling", "PodNameTaken"},
		{"the API refuses a pod", func() *world {
			w := newWorld(2).without("web-1")
			id := Decide(&w.Snapshot).Stages[0].Steps[0].Actions[0].ID
			w.Outcomes = []model.Outcome{{ActionID: id, Result: model.OutcomeRejected, Count: 3, Message: "exceeded quota"}}
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

// TestDone: the plan says so if and only if the condition does, whether or not anything is to be written. Somebody may have to act on a set that is done.
func TestDone(t *testing.T) {
	for reason, row := range map[string]struct {
		change          func(*world)
		done, converged bool
	}{
		"at rest":                        {func(*world) {}, true, true},
		"by the rules of Kubernetes":     {func(w *world) { w.Rules = model.Kubernetes136() }, true, true},
		"a pod is being deleted":         {func(w *world) { w.p("web-1").DeletedAt = noon }, false, false},
		"by the rules of Kubernetes too": {func(w *world) { w.Rules, w.p("web-1").DeletedAt = model.Kubernetes136(), noon }, false, false},
		"an annotation is invalid":       {func(w *world) { w.Set.Annotations = map[string]string{policy.Repair: "Sometimes"} }, true, false},
		"an update is paused": {func(w *world) {
			w.image("web:2").Set.Annotations = map[string]string{policy.Pause: "Updates"}
		}, false, false},
		"nothing is held back by a pause": {func(w *world) { w.Set.Annotations = map[string]string{policy.Pause: "Updates"} }, true, true},
		"the lists are incomplete":        {func(w *world) { w.Coverage = model.Coverage{} }, false, false},
	} {
		w := newWorld(2)
		w.Set.PodManagementPolicy = "Parallel"
		row.change(w)
		p := Decide(&w.settled().Snapshot)
		if p.Done != row.done || p.Converged != row.converged {
			t.Errorf("%s: done is %t, converged is %t", reason, p.Done, p.Converged)
		}
		if st := plannedStatus(p); st != nil && len(st.Conditions) > 0 && (st.Conditions[0].Status == state.ConditionFalse) != p.Done {
			t.Errorf("%s: done is %t, and Reconciling is %s", reason, p.Done, st.Conditions[0].Status)
		}
	}
}

// TestSinceOfATerminatingPod: metadata.deletionTimestamp is when its grace period ends.
func TestSinceOfATerminatingPod(t *testing.T) {
	for reason, row := range map[string]struct {
		until, since time.Duration
		known, to    bool
	}{
		"it has time":                     {10 * time.Minute, -5 * time.Second, true, true},
		"it had":                          {-time.Minute, -2 * time.Minute, true, false},
		"nobody says how long":            {10 * time.Minute, 0, false, true},
		"it was asked for by other clock": {10 * time.Minute, time.Second, false, true},
	} {
		w := newWorld(2)
		p := w.p("web-1")
		p.DeletedAt = noon.Add(row.until)
		if row.since != 0 {
			p.LeavingSince = noon.Add(row.since)
		}
		for _, b := range Decide(&w.settled().Snapshot).Blocks {
			since := time.Time{}
			if row.known {
				since = p.LeavingSince
			}
			if b.Code == model.BlockPodTerminating && (!b.Since.Equal(since) || strings.Contains(b.Message, "at the latest") != row.to) {
				t.Errorf("%s: since %s, %s", reason, b.Since, b.Message)
			}
		}
	}
}

// TestOptionalConditions: Repairing and Draining appear when they become true, and stay with status False afterwards.
func TestOptionalConditions(t *testing.T) {
	w := newWorld(2)
	w.p("web-1").Ready, w.p("web-1").Revision, w.p("web-1").ReadyChangedAt = false, "web-bad", noon.Add(-time.Hour)
	w.p("web-1").StartedAt = noon.Add(-time.Hour)
	st := plannedStatus(Decide(&w.Snapshot))
	if c := condition(st, state.ConditionRepairing); c == nil || c.Status != "True" || condition(st, state.ConditionDraining) != nil {
		t.Fatalf("%+v", st.Conditions)
	}
	w.Set.Status = *st
	w.without("web-1")
	if c := condition(plannedStatus(Decide(&w.Snapshot)), state.ConditionRepairing); c == nil || c.Status != "False" {
		t.Errorf("repaired: %+v", c)
	}

	w = draining(3).scaledTo(2)
	w.drainPod(2, model.PodRunning)
	w.Set.Status.Conditions = nil
	st = plannedStatus(Decide(&w.Snapshot))
	if c := condition(st, state.ConditionDraining); c == nil || c.Status != "True" || condition(st, state.ConditionRepairing) != nil ||
		condition(st, state.ConditionReconciling).Reason != "Draining" {
		t.Fatalf("%+v", st)
	}
}

func condition(st *model.Status, name string) *model.Condition {
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
	w.Capabilities &^= model.CanSetConditions
	if st := plannedStatus(Decide(&w.Snapshot)); st != nil {
		t.Errorf("writes %+v", st)
	}
}

// TestUnplannedIsTold: where an annotation keeps anything from being planned, the conditions say so, once; everything else of the status stays.
func TestUnplannedIsTold(t *testing.T) {
	for name, test := range map[string]struct {
		edit func(w *world)
		want string
	}{
		"an annotation":             {func(*world) {}, "Invalid InvalidPolicy "},
		"an edit of the spec":       {func(w *world) { w.image("web:2") }, ""},
		"a set that is deleted":     {func(w *world) { w.Set.DeletedAt = noon }, ""},
		"the rules of Kubernetes":   {func(w *world) { w.Rules.StatusConditions = false }, ""},
		"without the capability":    {func(w *world) { w.lacks(model.CanSetConditions) }, ""},
		"beside another controller": {func(w *world) { w.Policy.Scope = model.ScopeDrainOnly }, ""},
	} {
		w := newWorld(2).asks(policy.Reserved, "x")
		test.edit(w)
		p, got := Decide(&w.Snapshot), ""
		if st := plannedStatus(p); st != nil {
			for _, c := range st.Conditions {
				got += c.Reason + " "
			}
			was := w.Set.Status
			was.Conditions = st.Conditions
			if !reflect.DeepEqual(*st, was) || p.Done {
				t.Errorf("%s: done: %t, %+v", name, p.Done, st)
			}
			w.Set.Status = *st
			if plannedStatus(Decide(&w.Snapshot)) != nil {
				t.Errorf("%s: the same is written again", name)
			}
		}
		check(t, name, "conditions", got, test.want)
	}
}

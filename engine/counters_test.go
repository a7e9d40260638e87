package engine

import (
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// TestStatusCountsCreated: a status that counts pods of its own plan is left out if the plan fails, and differs in nothing from the next one.
func TestStatusCountsCreated(t *testing.T) {
	w := newWorld(3).without("web-1").without("web-2")
	p := Decide(&w.Snapshot)
	last := p.Stages[len(p.Stages)-1]
	if last.Phase != model.PhaseStatus || last.AlwaysRun {
		t.Errorf("the last stage is %+v", last)
	}
	st := plannedStatus(p)
	if st.Replicas != 2 || st.CurrentReplicas != 2 || st.UpdatedReplicas != 2 || st.ReadyReplicas != 1 || st.AvailableReplicas != 1 {
		t.Errorf("status %+v", st)
	}
	w.Set.Status = *st
	w.pod(1).Ready = false
	if again := plannedStatus(Decide(&w.Snapshot)); again != nil {
		t.Errorf("once the pods are seen it writes %+v", again)
	}
}

// TestStatusCountsByRevision: below the partition a pod is made at the current revision.
func TestStatusCountsByRevision(t *testing.T) {
	for name, want := range map[string][3]int32{"web-0": {3, 2, 1}, "web-2": {3, 2, 1}} {
		w := newWorld(3).image("web:2")
		w.p("web-2").Revision = w.revision(2, string(w.Set.PodTemplate))
		w.Set.RollingUpdate = &model.RollingUpdate{Partition: 2}
		st := plannedStatus(Decide(&w.without(name).Snapshot))
		if got := [3]int32{st.Replicas, st.CurrentReplicas, st.UpdatedReplicas}; got != want {
			t.Errorf("%s: status %+v", name, st)
		}
	}
}

// TestStatusAfterAFailure: where something failed the last time, the counters tell what was seen, and are written in any case.
func TestStatusAfterAFailure(t *testing.T) {
	w := newWorld(2).without("web-1")
	create := Decide(&w.Snapshot).Stages[0].Steps[0].Actions[0]
	w.Outcomes = []model.Outcome{{ActionID: create.ID, Result: model.OutcomeError, Count: 1, Message: "timeout"}}
	p := Decide(&w.Snapshot)
	if st := plannedStatus(p); st.Replicas != 1 || st.UpdatedReplicas != 1 {
		t.Errorf("status %+v", st)
	}
	if last := p.Stages[len(p.Stages)-1]; last.Phase != model.PhaseStatus || !last.AlwaysRun {
		t.Errorf("the last stage is %+v", last)
	}
}

// TestStatusOfParallel: plans of Parallel sets go on after a failed create, so their status counts what was seen.
func TestStatusOfParallel(t *testing.T) {
	p := Decide(&newWorld(2).parallel().without("web-1").Snapshot)
	if st := plannedStatus(p); st.Replicas != 1 {
		t.Errorf("status %+v", st)
	}
	if last := p.Stages[len(p.Stages)-1]; !last.AlwaysRun {
		t.Errorf("the last stage is %+v", last)
	}
}

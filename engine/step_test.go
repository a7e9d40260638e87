package engine

import (
	"testing"

	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/drain"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/setstatus"
	"github.com/setplan/setplan/engine/state"
)

// newView is a view of which nothing is read yet.
func newView(s *model.Snapshot) (v view) {
	v.open(s, &plan.Caller{})
	return v
}

// seen reads a world into a view, as run does, and begins an empty draft for the next step.
func seen(t *testing.T, w *world) (v *view, dr *drain.Drain, mk *claimtemplate.Maker, out *state.Draft) {
	read, next, view := state.NewDraft(&w.Snapshot, &plan.Caller{}), state.NewDraft(&w.Snapshot, &plan.Caller{}), newView(&w.Snapshot)
	if !readSet(&view, &read) {
		t.Fatal(Describe(read.Plan))
	}
	dr = drain.Open(&view.Claims, &next)
	if !readObjects(&view, dr, &claimtemplate.Maker{View: &view.Known, Out: &read, Made: &claimtemplate.Made{}}, &read) {
		t.Fatal(Describe(read.Plan))
	}
	return &view, dr, &claimtemplate.Maker{View: &view.Known, Out: &next, Made: &claimtemplate.Made{}}, &next
}

// TestStepsByThemselves: a step needs what its signature says, and no step before it.
func TestStepsByThemselves(t *testing.T) {
	shrunk := newWorld(3)
	shrunk.Set.Replicas = 1
	for name, row := range map[string]struct {
		w    *world
		step func(v *view, dr *drain.Drain, mk *claimtemplate.Maker, out *state.Draft)
		want string
	}{
		"the range": {newWorld(3).without("web-1"), func(v *view, dr *drain.Drain, mk *claimtemplate.Maker, out *state.Draft) {
			bringUpReplicas(v, dr, mk, out)
		}, "create-pod web-1"},
		"scaling down": {shrunk, func(v *view, dr *drain.Drain, _ *claimtemplate.Maker, out *state.Draft) { scaleDown(v, dr, out) }, "delete-pod web-2"},
		"the update": {newWorld(3).image("web:2"), func(v *view, _ *drain.Drain, _ *claimtemplate.Maker, out *state.Draft) {
			status := setstatus.CountPlaced(&v.Claims)
			updatePods(v, &status, out)
			if status.CurrentReplicas != 2 {
				t.Errorf("%d pods count as current after one was deleted", status.CurrentReplicas)
			}
		}, "delete-pod web-2"},
	} {
		v, dr, mk, out := seen(t, row.w)
		row.step(v, dr, mk, out)
		check(t, name, "actions", actions(out.Plan), row.want)
	}
	v, _, _, out := seen(t, newWorld(3))
	setstatus.Write(&v.Claims, &model.Status{Replicas: 3, ReadyReplicas: 2}, out)
	if written := status(out.Plan); written == nil || written.ReadyReplicas != 2 {
		t.Errorf("the written status is not the given one: %s", Describe(out.Plan))
	}
}

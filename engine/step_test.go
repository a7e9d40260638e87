package engine

import (
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// newView is a view of which nothing is read yet.
func newView(s *model.Snapshot) (v view) {
	v.begin(s, &caller{})
	return v
}

// seen reads a world into a view, as run does, and begins an empty draft for the next step.
func seen(t *testing.T, w *world) (v *view, dr *drain, mk *maker, out *draft) {
	read, next, view := newDraft(&w.Snapshot, &caller{}), newDraft(&w.Snapshot, &caller{}), newView(&w.Snapshot)
	if !readSet(&view, &read) {
		t.Fatal(Describe(read.plan))
	}
	dr = openDrain(&view, &next)
	if !readObjects(&view, dr, &maker{&view, &read, &made{}}, &read) {
		t.Fatal(Describe(read.plan))
	}
	return &view, dr, &maker{&view, &next, &made{}}, &next
}

// TestStepsByThemselves: a step needs what its signature says, and no step before it.
func TestStepsByThemselves(t *testing.T) {
	shrunk := newWorld(3)
	shrunk.Set.Replicas = 1
	for name, row := range map[string]struct {
		w    *world
		step func(v *view, dr *drain, mk *maker, out *draft)
		want string
	}{
		"the range":    {newWorld(3).without("web-1"), func(v *view, dr *drain, mk *maker, out *draft) { bringUpReplicas(v, dr, mk, out) }, "create-pod web-1"},
		"scaling down": {shrunk, func(v *view, dr *drain, _ *maker, out *draft) { scaleDown(v, dr, out) }, "delete-pod web-2"},
		"the update": {newWorld(3).image("web:2"), func(v *view, _ *drain, _ *maker, out *draft) {
			status := countPlaced(v)
			updatePods(v, &status, out)
			if status.CurrentReplicas != 2 {
				t.Errorf("%d pods count as current after one was deleted", status.CurrentReplicas)
			}
		}, "delete-pod web-2"},
	} {
		v, dr, mk, out := seen(t, row.w)
		row.step(v, dr, mk, out)
		check(t, name, "actions", actions(out.plan), row.want)
	}
	v, _, _, out := seen(t, newWorld(3))
	writeStatus(v, &model.Status{Replicas: 3, ReadyReplicas: 2}, out)
	if written := status(out.plan); written == nil || written.ReadyReplicas != 2 {
		t.Errorf("the written status is not the given one: %s", Describe(out.plan))
	}
}

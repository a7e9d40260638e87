package engine

import (
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// chosen annotates pods so that they are recreated.
func (w *world) chosen(pods ...string) *world {
	for _, name := range pods {
		w.p(name).Annotations = &model.Annotations{Values: map[string]string{state.AnnotationRecreate: "true"}}
	}
	return w
}

// inTemplate gives the set a template with an annotation, and its pods the revision of that.
func inTemplate(w *world, name, value string) *world {
	w.Set.PodTemplate = []byte(strings.Replace(template, `"metadata":{`, `"metadata":{"annotations":{"`+name+`":"`+value+`"},`, 1))
	revision := w.revision(int64(len(w.Revisions)+1), string(w.Set.PodTemplate))
	for i := range w.Pods {
		w.Pods[i].Revision = revision
	}
	return w
}

// TestRecreateChosen: a pod that somebody has chosen goes within the budget, one in each plan.
func TestRecreateChosen(t *testing.T) {
	const primary = "role=primary"
	inOrder := func(w *world) *world { w.Set.PodManagementPolicy = ""; return w }
	tests := []struct {
		name         string
		edit         func(w *world)
		want, blocks string
	}{
		{"nobody", func(w *world) {}, "none", ""},
		{"an empty text", func(w *world) {
			w.p("web-1").Annotations = &model.Annotations{Values: map[string]string{state.AnnotationRecreate: ""}}
		}, "none", ""},
		{"another value", func(w *world) {
			notePod(w.p("web-1"), state.AnnotationRecreate, "false")
			notePod(w.p("web-2"), state.AnnotationRecreate, "True")
		}, "none", "RECREATE_WAITS web-1"},
		{"the template's own", func(w *world) { inTemplate(w, state.AnnotationRecreate, "true").chosen("web-0", "web-1", "web-2") }, "none", "RECREATE_WAITS web-0"},
		{"another value than the template's", func(w *world) { inTemplate(w, state.AnnotationRecreate, "false").chosen("web-1") }, "delete-pod web-1", ""},
		{"one", func(w *world) { w.chosen("web-1") }, "delete-pod web-1", ""},
		{"the highest of two", func(w *world) { w.chosen("web-0", "web-1") }, "delete-pod web-1", ""},
		{"one at a time, whatever the budget", func(w *world) {
			w.chosen("web-0", "web-1").Set.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Count: 3}
		}, "delete-pod web-1", ""},
		{"another is unavailable", func(w *world) { w.chosen("web-1").unready("web-2") }, "none", "POD_NOT_READY web-2, RECREATE_WAITS web-1"},
		{"the budget allows two", func(w *world) {
			w.chosen("web-1").unready("web-2").Set.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Count: 2}
		}, "delete-pod web-1", "POD_NOT_READY web-2"},
		{"it is unavailable itself", func(w *world) { w.chosen("web-0", "web-1").unready("web-0").unready("web-2") }, "delete-pod web-0", "POD_NOT_READY web-0"},
		{"it goes already", func(w *world) { w.chosen("web-1").p("web-1").DeletedAt = noon }, "none", "POD_TERMINATING web-1"},
		{"in order, all are well", func(w *world) { inOrder(w.chosen("web-1")) }, "delete-pod web-1", ""},
		{"in order, another is not", func(w *world) {
			inOrder(w.chosen("web-1").unready("web-2")).Set.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Count: 2}
		}, "none", "POD_NOT_READY web-2, RECREATE_WAITS web-1"},
		{"in order, it is not", func(w *world) { inOrder(w.chosen("web-1").unready("web-1")) }, "delete-pod web-1", "POD_NOT_READY web-1"},
		{"in order, it is not, nor is one below", func(w *world) { inOrder(w.chosen("web-1").unready("web-0").unready("web-1")) }, "delete-pod web-1",
			"POD_NOT_READY web-0"},
		{"in order, above it one is kept", func(w *world) {
			inOrder(w.asks(policy.InPlace, "InPlaceOnly").edited().atNewest("web-0"))
			w.Capabilities &^= model.CanUpdateImages
			w.neverReady("web-1", w.Revisions[0].Name)
			w.neverReady("web-2", w.Revisions[0].Name)
			w.chosen("web-1")
		}, "delete-pod web-1", "POD_NOT_READY web-1, UPDATE_NOT_IN_PLACE web-2"},
		{"in order, it goes already", func(w *world) { inOrder(w.chosen("web-1")).p("web-1").DeletedAt = noon }, "none", "POD_TERMINATING web-1"},
		{"in order, paused", func(w *world) { inOrder(w.asks(policy.Pause, "Updates").chosen("web-1").unready("web-1")) }, "none",
			"PAUSED web, POD_NOT_READY web-1"},
		{"an update comes first", func(w *world) {
			w.chosen("web-1").image("web:2").revision(2, strings.Replace(template, "web:1", "web:2", 1))
		}, "delete-pod web-2", "UPDATE_BUDGET web-1"},
		{"below the partition", func(w *world) { w.chosen("web-1").Set.RollingUpdate.Partition = 3 }, "delete-pod web-1", ""},
		{"no rollingUpdate", func(w *world) { w.chosen("web-1").Set.RollingUpdate = nil }, "delete-pod web-1", ""},
		{"OnDelete", func(w *world) { w.chosen("web-1").Set.StrategyType = "OnDelete" }, "delete-pod web-1", ""},
		{"paused", func(w *world) { w.chosen("web-1").asks(policy.Pause, "Updates") }, "none", "PAUSED web"},
		{"an odd budget", func(w *world) {
			w.chosen("web-1").Set.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Percent: "half"}
		}, "none", "INVALID_SPEC web"},
		{"a lost revision", func(w *world) {
			w.chosen("web-1").Set.RollingUpdate.Partition = 3
			w.Set.Status.CurrentRevision = "web-lost"
		}, "none", "INVALID_REVISION web-lost"},
		{"the leader is the last", func(w *world) { w.asks(policy.Rank, primary).leads("web-2", primary).chosen("web-0", "web-2") }, "delete-pod web-0", ""},
		{"the leader alone", func(w *world) { w.asks(policy.Rank, primary).leads("web-2", primary).chosen("web-2") }, "delete-pod web-2", ""},
		{"the leader waits for all", func(w *world) {
			w.asks(policy.Rank, primary).leads("web-2", primary).chosen("web-2").unready("web-0").Set.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Count: 2}
		}, "none", "POD_NOT_READY web-0, RECREATE_WAITS web-2"},
		{"an unready leader waits for all", func(w *world) {
			w.asks(policy.Rank, primary).leads("web-2", primary).chosen("web-2").unready("web-2").unready("web-0")
		}, "none", "POD_NOT_READY web-0, RECREATE_WAITS web-2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(3).parallel()
			test.edit(w)
			if test.name != "a lost revision" {
				w.settled()
			}
			plan := Decide(&w.Snapshot)
			got := actions(plan)
			if got == "" {
				got = "none"
			}
			check(t, test.name, "actions", got, test.want)
			check(t, test.name, "blocks", sortedBlocks(plan), test.blocks)
			for _, a := range allActions(plan) {
				if _, deletes := a.Op.(model.DeletePod); deletes && a.Cause.Code == model.CauseChosen && a.ResourceVersion == "" {
					t.Errorf("%s is deleted at any version", a.Name)
				}
			}
		})
	}
}

// TestChosenIsCountedNoMore: without rollingUpdate the revision of a new pod follows from the counters, so a pod that is recreated is taken off
// them.
func TestChosenIsCountedNoMore(t *testing.T) {
	w := newWorld(3)
	w.Set.RollingUpdate = nil
	w.chosen("web-2")
	for _, a := range allActions(Decide(&w.Snapshot)) {
		if op, is := a.Op.(model.UpdateStatus); is && (op.Status.CurrentReplicas != 2 || op.Status.UpdatedReplicas != 2) {
			t.Errorf("the status has %d current and %d updated pods, want 2", op.Status.CurrentReplicas, op.Status.UpdatedReplicas)
		} else if is {
			return
		}
	}
	t.Error("there is no status")
}

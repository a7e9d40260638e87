package engine

import (
	"testing"
	"time"

	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
)

// TestRefusedResizeStarvesNobody: an API server may refuse a resize for days. What other pods are to get does not wait for that, and the resize does not
// wait for them.
func TestRefusedResizeStarvesNobody(t *testing.T) {
	for reason, row := range map[string]struct {
		edit        func(w *world)
		want, again string
	}{
		"others start":     {func(w *world) {}, "resize web-2@1, start web-1@1, start web-0@1", "start web-1@1, start web-0@1, resize web-2@1"},
		"one is recreated": {func(w *world) { w.chosen("web-0") }, "resize web-2@1, start web-1@1, delete-pod web-0", "start web-1@1, delete-pod web-0, resize web-2@1"},
		"one arrives":      {func(w *world) { w.onTheWay(named(sized("2")), "web-1").ask("2", "web-1").get("web-1") }, "finish web-1@1, resize web-2@1, start web-0@1", "finish web-1@1, start web-0@1, resize web-2@1"},
	} {
		w := resized(3, sized("1"), sized("2")).have("1", "web-0", "web-1", "web-2").onTheWay(named(sized("2")), "web-2")
		row.edit(w)
		plan := Decide(&w.settled().Snapshot)
		check(t, reason, "writes", writes(plan), row.want)
		for _, a := range allActions(plan) {
			if _, resizes := a.Op.(model.ResizePod); resizes {
				w.Outcomes = []model.Outcome{{ActionID: a.ID, Result: model.OutcomeRejected, Count: 1, Message: "exceeded quota"}}
			}
		}
		again := Decide(&w.Snapshot)
		check(t, reason, "writes after it was refused", writes(again), row.again)
		last := again.Stages[len(again.Stages)-1]
		if last.Phase == model.PhaseStatus {
			last = again.Stages[len(again.Stages)-2]
		}
		if last.Phase != model.PhaseUpdate || !last.AlwaysRun || len(last.Steps) != 1 {
			t.Errorf("%s: the last stage is not the resize alone, whatever fails before:\n%s", reason, Describe(again))
		}
	}
}

// TestStartedAnew: a pod has restarted when the last of its containers has.
func TestStartedAnew(t *testing.T) {
	for reason, row := range map[string]struct {
		edit func(p *model.Pod, log *model.Container)
		want string
	}{
		"both, one after the other": {func(*model.Pod, *model.Container) {}, "12:00:05"},
		"the other one first":       {func(_ *model.Pod, log *model.Container) { log.StartedAt = noon.Add(-time.Second) }, "12:00:00"},
		"one of them has not":       {func(_ *model.Pod, log *model.Container) { log.ContainerID = "l1" }, "no"},
		"one of them does not run":  {func(_ *model.Pod, log *model.Container) { log.StartedAt = time.Time{} }, "no"},
		"the kubelet knows nothing": {func(p *model.Pod, _ *model.Container) { p.Containers.ObservedGeneration = 2 }, "no"},
		"nothing is under way":      {func(p *model.Pod, _ *model.Container) { p.Annotations = nil }, "no"},
	} {
		p := model.Pod{Annotations: &model.Annotations{Values: map[string]string{inplace.AnnotationUpdate: `{"at":1772366399,"containers":{"log":{"id":"l1","image":"log@sha256:a"},` +
			`"web":{"id":"a1","image":"web@sha256:a"}},"revision":"web-b"}`}}}
		p.Containers = &model.PodContainers{Generation: 3, ObservedGeneration: 3, Containers: []model.Container{{Name: "web", ContainerID: "b1", StartedAt: noon}},
			Init: []model.Container{{Name: "log", ContainerID: "l2", StartedAt: noon.Add(5 * time.Second)}}}
		row.edit(&p, &p.Containers.Init[0])
		got := "no"
		if at, ok := StartedAnew(&p); ok {
			got = at.Format(time.TimeOnly)
		}
		check(t, reason, "restarted", got, row.want)
	}
}

// TestFinish: the write at the end has the label of the revision, where the pod has another.
func TestFinish(t *testing.T) {
	var f inplace.Flight
	f.Revision = "web-b"
	check(t, "there", "write", detailOf(finishFlight(&f, &model.Pod{Revision: "web-a"})), " [controller-revision-hash=web-b setplan.io/in-place-update:{}]")
	check(t, "back", "write", detailOf(finishFlight(&f, &model.Pod{Revision: "web-b"})), " [setplan.io/in-place-update:{}]")
}

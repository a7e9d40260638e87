package forecast

import (
	"fmt"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
)

// onItsWay is a pod that was sent from web-a to web-b when its containers web and log were called web-1 and log-1. Container web has started since.
func onItsWay() *model.Pod {
	return &model.Pod{Name: "web-0", UID: "u", Revision: "web-a", PodStatus: model.PodStatus{Phase: model.PodRunning, StartedAt: noon.Add(-time.Hour), ReadyChangedAt: noon.Add(-time.Minute),
		Containers: &model.PodContainers{Generation: 2, ObservedGeneration: 2, Containers: []model.Container{
			{Name: "web", Image: "web:2", ContainerID: "web-2", StartedAt: noon.Add(-time.Second)}, {Name: "log", Image: "log:1", ContainerID: "log-1", StartedAt: noon.Add(-time.Hour)}}}}, Annotations: &model.Annotations{Values: map[string]string{inplace.AnnotationUpdate: `{"at":1,"containers":{"web":{"id":"web-1","image":""}},"revision":"web-b"}`}}}
}

// hostsAt are hosts of nothing, at noon.
func hostsAt() *hosts {
	c := newCluster(newMeter(nil, nil), &model.Snapshot{ObservedAt: noon})
	return &hosts{cluster: c, takes: Options{}.filled(1).Hosts, broken: brokenRevisions{known: map[string]bool{}}, assume: func(string, ...any) {}}
}

// TestOnlyWhatChangesStartsAnew: a container whose image stays runs on when another one's changes.
func TestOnlyWhatChangesStartsAnew(t *testing.T) {
	h, p := hostsAt(), onItsWay()
	h.later(p, Ready, noon.Add(time.Second))
	h.later(p, Gone, noon.Add(time.Hour))
	h.later(&model.Pod{Name: "web-1", UID: "other"}, Ready, noon.Add(time.Hour))
	h.setImages(p, model.UpdatePod{Containers: []model.ContainerImage{{Name: "web", Image: "web:3"}, {Name: "log", Image: "log:1"}}})
	h.restart(p)
	if of := p.Containers.Containers; of[0].ContainerID == "web-2" || of[0].Image != "web:3" || of[1].ContainerID != "log-1" || !of[1].StartedAt.Equal(noon.Add(-time.Hour)) {
		t.Errorf("%+v", of)
	}
	if at, due := h.next(); !due || !at.Equal(noon.Add(h.takes.ReadyAfter)) || len(h.due) != 3 {
		t.Errorf("only what was due of its readiness is not: %+v", h.due)
	}
	note := model.PatchAnnotations{Set: []model.KeyValue{{Key: "setplan.io/recreate", Value: "true"}}}
	c := newCluster(newMeter(nil, nil), &model.Snapshot{Pods: []model.Pod{*onItsWay()}})
	c.told = func(change) {}
	if err := c.do(&model.Action{Kind: model.KindPod, Name: "web-0", Op: note}); err != nil || c.Pods[0].Containers.Containers[0].ContainerID != "web-2" {
		t.Errorf("another annotation: %v, %+v", err, c.Pods[0].Containers)
	}
}

// TestNothingStartsAnew: not where there is no node, and nothing becomes ready with images that never worked.
func TestNothingStartsAnew(t *testing.T) {
	h, p := hostsAt(), onItsWay()
	p.Phase, p.StartedAt, p.Containers.Containers[0].StartedAt = model.PodPending, time.Time{}, time.Time{}
	h.restart(p)
	if !p.Containers.Containers[0].StartedAt.IsZero() || len(h.due) > 0 {
		t.Errorf("without a node: %+v, due %v", p.Containers, h.due)
	}
	p = onItsWay()
	p.Phase = model.PodFailed
	h.restart(p)
	if len(h.due) > 0 {
		t.Errorf("one that has ended: due %v", h.due)
	}
	p = onItsWay()
	h.broken.known["web-b"] = true
	h.restart(p)
	if p.Ready || len(h.due) > 0 {
		t.Errorf("images that never worked: due %v", h.due)
	}
}

// TestPodsOnTheirWay: what a host has yet to do with a pod that is not ready, and whether it gets ready.
func TestPodsOnTheirWay(t *testing.T) {
	for reason, row := range map[string]struct {
		edit func(p *model.Pod, web *model.Container)
		want string // unrevised, young again, stuck
	}{
		"it has just started": {func(*model.Pod, *model.Container) {}, "false true false"},
		"it had its time":     {func(_ *model.Pod, web *model.Container) { web.StartedAt = noon.Add(-time.Minute) }, "false false true"},
		"it had its time, and is ready": {func(p *model.Pod, web *model.Container) {
			p.Ready, web.StartedAt = true, noon.Add(-time.Minute)
		}, "false false false"},
		"the old container runs": {func(_ *model.Pod, web *model.Container) { web.ContainerID = "web-1" }, "true false false"},
		"it is being started": {func(_ *model.Pod, web *model.Container) {
			web.StartedAt, web.WaitingReason = time.Time{}, "ContainerCreating"
		}, "true false false"},
		"it cannot be started": {func(_ *model.Pod, web *model.Container) {
			web.StartedAt, web.WaitingReason = time.Time{}, "ImagePullBackOff"
		}, "false false true"},
		"there is no node": {func(p *model.Pod, web *model.Container) {
			p.Phase, p.StartedAt, web.StartedAt = model.PodPending, time.Time{}, time.Time{}
		}, "false false false"},
		"nothing is under way": {func(p *model.Pod, _ *model.Container) {
			p.Annotations = &model.Annotations{Values: map[string]string{inplace.AnnotationUpdate: "{}"}}
		}, "false false false"},
		"nothing is under way, and it crashes": {func(p *model.Pod, web *model.Container) {
			p.Annotations = &model.Annotations{Values: map[string]string{inplace.AnnotationUpdate: "{}"}}
			web.StartedAt, web.WaitingReason = time.Time{}, "CrashLoopBackOff"
		}, "false false false"},
		"nothing is shown": {func(p *model.Pod, _ *model.Container) { p.Containers = nil }, "false false false"},
	} {
		h, p := hostsAt(), onItsWay()
		row.edit(p, &p.Containers.Containers[0])
		if got := fmt.Sprint(h.unrevised(p), h.youngAgain(p), h.stuck(p)); got != row.want {
			t.Errorf("%s: %s, want %s", reason, got, row.want)
		}
	}
}

// TestStateOfPodsOnTheirWay: when a pod was sent, and which containers ran then, is no part of a state; where it was sent is.
func TestStateOfPodsOnTheirWay(t *testing.T) {
	state := func(record string) digest {
		p := onItsWay()
		p.Annotations = &model.Annotations{Values: map[string]string{inplace.AnnotationUpdate: record}}
		return newForecast(newMeter(nil, nil), &model.Snapshot{ObservedAt: noon, Pods: []model.Pod{*p}}, Options{}).state()
	}
	first := state(`{"at":1,"containers":{"web":{"id":"a","image":""}},"revision":"web-b"}`)
	if first != state(`{"at":2,"containers":{"web":{"id":"b","image":""}},"revision":"web-b"}`) {
		t.Error("sent later it is another state")
	}
	if first == state(`{"at":1,"containers":{"web":{"id":"a","image":""}},"revision":"web-c"}`) || first == state("{}") {
		t.Error("sent elsewhere it is the same state")
	}
}

package forecast

import (
	"slices"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
)

// otherImage is a set of three whose image differs, and changes in place.
func otherImage(t testing.TB, policy string) *model.Snapshot {
	return edit(running(t, newSet(3)), func(set *model.Set) {
		set.PodTemplate = image("web:2")
		set.Annotations = map[string]string{"setplan.io/in-place": policy}
	})
}

// underWayIn is a snapshot of the moment at which the first pod has got its image, and its host has started it.
func underWayIn(t testing.TB, s *model.Snapshot) *model.Snapshot {
	t.Helper()
	f := newForecast(newMeter(nil, nil), s, Options{})
	f.run(func(Step) bool { return len(f.record.result.ContainerRestarts) == 0 })
	if len(f.record.result.ContainerRestarts) != 1 {
		t.Fatal("no image has changed")
	}
	there := f.Snapshot
	return &there
}

// TestImagesInPlace: containers start again one pod after the other, and the labels follow.
func TestImagesInPlace(t *testing.T) {
	back := func(s *model.Snapshot) *model.Snapshot {
		return edit(s, func(set *model.Set) { set.PodTemplate = image("web:1") })
	}
	hangs := func(s *model.Snapshot) *model.Snapshot {
		return changePod(s, "web-2", func(p *model.Pod) {
			of := *p.Containers
			of.Containers = slices.Clone(of.Containers)
			of.Containers[0].StartedAt, of.Containers[0].WaitingReason = time.Time{}, "ImagePullBackOff"
			p.Containers = &of
		})
	}
	unseen := func(s *model.Snapshot) *model.Snapshot {
		return changePod(s, "web-2", func(p *model.Pod) {
			of := *p.Containers
			of.ObservedGeneration--
			p.Containers, p.Ready, p.ReadyChangedAt = &of, true, noon.Add(-time.Hour)
		})
	}
	old := func(s *model.Snapshot) *model.Snapshot {
		return changePod(s, "web-2", func(p *model.Pod) {
			of := *p.Containers
			of.Containers = slices.Clone(of.Containers)
			of.Containers[0].ContainerID, of.Containers[0].StartedAt = "forecast://"+p.UID+"/web/1", noon.Add(-time.Hour)
			p.Containers, p.Ready, p.ReadyChangedAt = &of, true, noon.Add(-time.Hour)
		})
	}
	alike := func(s *model.Snapshot) *model.Snapshot {
		return changePod(s, "web-2", func(p *model.Pod) {
			of := *p.Containers
			of.Containers = slices.Clone(of.Containers)
			of.Containers[0].StatusImage, of.Containers[0].ImageID = "web:1", "forecast:web:1"
			p.Containers, p.Ready, p.ReadyChangedAt = &of, true, noon.Add(-time.Hour)
		})
	}
	since := func(s *model.Snapshot, ago time.Duration) *model.Snapshot {
		aged := *s
		aged.ObservedAt = s.ObservedAt.Add(ago)
		return &aged
	}
	later := func(s *model.Snapshot) *model.Snapshot { return since(s, time.Minute) }
	half := func(s *model.Snapshot) *model.Snapshot { return since(s, 5*time.Second) }
	underWay := underWayIn(t, otherImage(t, "InPlaceIfPossible"))
	slow := edit(otherImage(t, "InPlaceOnly"), func(set *model.Set) { set.MinReadySeconds = 60 })
	lacks := *otherImage(t, "InPlaceIfPossible")
	lacks.Capabilities &^= model.CanUpdateImages
	for reason, row := range map[string]struct {
		s                           *model.Snapshot
		updated, revised, recreated string
		seconds                     float64
		verdict                     Verdict
	}{
		"where that is possible":             {otherImage(t, "InPlaceIfPossible"), "web-2 web-1 web-0", "web-2 web-1 web-0", "", 30, Converged},
		"only":                               {otherImage(t, "InPlaceOnly"), "web-2 web-1 web-0", "web-2 web-1 web-0", "", 30, Converged},
		"minReadySeconds":                    {slow, "web-2 web-1 web-0", "web-2 web-1 web-0", "", 210, Converged},
		"an adapter that cannot":             {&lacks, "", "", "web-2 web-1 web-0", 60, Converged},
		"one is under way":                   {underWay, "web-2 web-1 web-0", "web-1 web-0", "", 30, Converged},
		"one is under way, and not seen yet": {unseen(underWay), "web-2 web-1 web-0", "web-1 web-0", "", 30, Converged},
		"one is under way, and its old container still runs": {old(underWay), "web-2 web-1 web-0", "web-1 web-0", "", 30, Converged},
		"one is under way, and only time tells":              {alike(underWay), "web-2 web-1 web-0", "web-1 web-0", "", 80, Converged},
		"one has had its time":                               {later(underWay), "", "", "", 0, BlockedForEver},
		"one has had half of its time":                       {half(underWay), "web-2 web-1 web-0", "web-1 web-0", "", 25, Converged},
		"one hangs":                                          {hangs(underWay), "", "", "", 0, BlockedForEver},
		"one hangs, and is sent back":                        {back(hangs(underWay)), "web-2", "web-2", "", 10, Converged},
	} {
		_, r := forecastOf(t, row.s, Options{})
		if r.Verdict != row.verdict || names(r.Updated) != row.updated || names(r.ContainerRestarts) != row.revised || r.restarts() != row.recreated ||
			r.To.Sub(r.From).Seconds() != row.seconds || r.Peak.Unavailable > 1 {
			t.Errorf("%s: %v, updated %s, revised %s, recreated %s, after %s, %d unavailable\n%+v", reason, r.Verdict, names(r.Updated), names(r.ContainerRestarts), r.restarts(),
				r.To.Sub(r.From), r.Peak.Unavailable, r.Blocks)
		}
		if w := Worst(nil, row.s, Options{}); w.PeakUnavailable > 1 || !w.All {
			t.Errorf("%s, at worst: %+v", reason, w)
		}
	}
}

// TestImagesOfUnreadyPods: what has never become ready at a revision does not become so in place.
func TestImagesOfUnreadyPods(t *testing.T) {
	s := underWayIn(t, otherImage(t, "InPlaceOnly"))
	s = changePod(s, "web-2", func(p *model.Pod) {
		of := *p.Containers
		of.Containers = []model.Container{{Name: "web", Image: "web:2", WaitingReason: "CrashLoopBackOff"}}
		p.Containers = &of
	})
	s.Set.PodManagementPolicy, s.Set.RollingUpdate = "Parallel", &model.RollingUpdate{MaxUnavailable: &model.IntOrPercent{Count: 2}}
	_, r := forecastOf(t, s, Options{})
	if r.Verdict != BlockedForEver || names(r.ContainerRestarts) != "web-1" || names(r.Updated) != "" {
		t.Errorf("%v, updated %s, revised %s", r.Verdict, names(r.Updated), names(r.ContainerRestarts))
	}
}

// TestContainersOfMarkedPods: a pod that is marked shows what its revision says, and one without that revision shows nothing.
func TestContainersOfMarkedPods(t *testing.T) {
	s := running(t, newSet(1))
	mark := model.Action{Kind: model.KindPod, Name: "web-0", Op: model.PatchAnnotations{Set: []model.KeyValue{{Key: inplace.AnnotationUpdate, Value: "{}"}}}}
	for reason, row := range map[string]struct {
		change func(*model.Snapshot)
		want   int
	}{"its revision": {func(*model.Snapshot) {}, 1}, "gone": {func(s *model.Snapshot) { s.Revisions = nil }, 0},
		"unreadable": {func(s *model.Snapshot) {
			s.Revisions = []model.Revision{{Name: s.Pods[0].Revision, Data: []byte("{")}}
		}, 0}} {
		seen := *s
		row.change(&seen)
		c := newCluster(newMeter(nil, nil), &seen)
		c.told = func(change) {}
		if err := c.do(&mark); err != nil {
			t.Fatal(err)
		}
		of := c.Pods[0].Containers
		if of == nil || len(of.Containers) != row.want || row.want > 0 && (of.Containers[0].Image != "web:1" || of.Containers[0].StartedAt.IsZero()) {
			t.Errorf("%s: %+v", reason, of)
		}
	}
	c := newCluster(newMeter(nil, nil), s)
	c.told = func(change) {}
	other := model.Action{Kind: model.KindPod, Name: "web-0", Op: model.PatchAnnotations{Set: []model.KeyValue{{Key: "setplan.io/drain-request", Value: "q"}}}}
	if err := c.do(&other); err != nil || c.Pods[0].Containers != nil {
		t.Errorf("another annotation: %v, %+v", err, c.Pods[0].Containers)
	}
}

package inplace

import (
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/podtemplate"
)

// noon is the time of every test.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// podsOf is what is known of a snapshot before anything is read of it.
func podsOf(s *model.Snapshot) *Pods {
	var v Pods
	v.Begin(s, &plan.Caller{})
	return &v
}

func check(t *testing.T, reason, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s\n%s: %s\n%*s: %s", reason, what, got, len(what), "want", want)
	}
}

// proofOf is a pod of revision web-a on its way to web-b, whose kubelet knows of the images, and whose record was written a second ago. Container web
// ran a1 and has run b1 for a moment.
func proofOf() (p *model.Pod, r *Record, c *model.Container) {
	p = &model.Pod{Revision: "web-a", PodStatus: model.PodStatus{Ready: true, Phase: model.PodRunning, Containers: &model.PodContainers{Generation: 3, ObservedGeneration: 3, Containers: []model.Container{
		{Name: "web", Image: "web:b", StatusImage: "docker.io/library/web:b", ImageID: "web@sha256:b", ContainerID: "b1", StartedAt: noon}}}}}
	r = &Record{Revision: "web-b", At: noon.Add(-time.Second), Of: map[string]entry{"web": {ran: ran{ID: "a1", image: "web@sha256:a"}}}}
	return p, r, &p.Containers.Containers[0]
}

// good is what ran at the label's revision, in a record that has it.
var good = &ran{ID: "a1", image: "web@sha256:a"}

// TestProof has a row for each way to know, and not to know, that a container runs what it should. want is "proven", "note", "in <time>", or the
// container that is waited for.
func TestProof(t *testing.T) {
	// old is the container that ran before, other one that was started since; both have the old image, under its old name.
	old := func(c *model.Container) {
		c.ContainerID, c.ImageID, c.StatusImage = "a1", "web@sha256:a", "docker.io/library/web:a"
	}
	other := func(c *model.Container) { old(c); c.ContainerID = "a2" }
	back := func(r *Record, was ran) {
		r.Revision, r.Of["web"] = "web-a", entry{ran: was, good: good, open: true}
	}
	// preset is a container that had the image already; noted one of which nothing but time tells; between one that was started on the way elsewhere.
	preset := func(r *Record) {
		r.Of["web"] = entry{ran: ran{ID: "b1", image: "web@sha256:b"}}
	}
	noted := func(r *Record, c *model.Container, ago time.Duration) {
		other(c)
		r.Of["web"], r.seen, r.At = entry{ran: ran{ID: "a2", image: "web@sha256:a"}, good: good}, true, noon.Add(-ago)
	}
	between := func(r *Record, c *model.Container, ago time.Duration) {
		c.Image = "web:c"
		r.Of["web"], r.At = entry{ran: ran{ID: "b1", image: "web@sha256:b"}, good: good, open: true}, noon.Add(-ago)
	}
	for reason, row := range map[string]struct {
		edit func(p *model.Pod, r *Record, c *model.Container)
		want string
	}{
		"another container with another image":         {func(*model.Pod, *Record, *model.Container) {}, "proven"},
		"the kubelet has not seen the images":          {func(p *model.Pod, _ *Record, _ *model.Container) { p.Containers.ObservedGeneration = 2 }, "kubelet"},
		"a kubelet that does not say what it has seen": {func(p *model.Pod, _ *Record, _ *model.Container) { p.Containers.ObservedGeneration = 0 }, "proven"},
		"an API server that counts nothing": {func(p *model.Pod, _ *Record, _ *model.Container) {
			p.Containers.Generation, p.Containers.ObservedGeneration = 0, 0
		}, "proven"},
		"it does not run":              {func(_ *model.Pod, _ *Record, c *model.Container) { c.StartedAt = time.Time{} }, "web"},
		"it has no id":                 {func(_ *model.Pod, _ *Record, c *model.Container) { c.ContainerID = "" }, "web"},
		"the old container still runs": {func(_ *model.Pod, _ *Record, c *model.Container) { old(c) }, "web"},
		"the old container, and the record is old: its runtime may hang": {func(_ *model.Pod, r *Record, c *model.Container) {
			old(c)
			r.seen, r.At = true, noon.Add(-time.Hour)
		}, "web"},
		"somebody else had set the image before":   {func(_ *model.Pod, r *Record, _ *model.Container) { preset(r) }, "in 59s"},
		"the same, and the grace period is longer": {func(_ *model.Pod, r *Record, _ *model.Container) { preset(r); r.Revision = "web-slow" }, "in 1m9s"},
		"the same, and another one is stopped before it": {func(p *model.Pod, r *Record, _ *model.Container) {
			preset(r)
			r.Revision, r.Of["log"] = "web-slow", entry{ran: ran{ID: "l1", image: "log@sha256:a"}}
			p.Containers.Init = []model.Container{{Name: "log", Image: "log:b", ContainerID: "l2", ImageID: "log@sha256:b", StartedAt: noon}}
		}, "in 2m9s"},
		"the same, and the record is old": {func(_ *model.Pod, r *Record, _ *model.Container) {
			preset(r)
			r.At = noon.Add(-60 * time.Second)
		}, "note"},
		"the same, by its digest": {func(_ *model.Pod, r *Record, c *model.Container) {
			preset(r)
			c.Image, c.StatusImage = "web@sha256:b", ""
		}, "in 59s"},
		"the old one has crashed before its kubelet knew": {func(_ *model.Pod, _ *Record, c *model.Container) { other(c) }, "note"},
		"the old one has crashed, long ago": {func(_ *model.Pod, r *Record, c *model.Container) {
			other(c)
			c.StartedAt, r.At = noon.Add(-time.Hour), noon.Add(-2*time.Hour)
		}, "note"},
		"the same digest under another name":                 {func(_ *model.Pod, r *Record, c *model.Container) { c.ImageID = r.Of["web"].image }, "proven"},
		"the same digest, and the runtime says the old name": {func(_ *model.Pod, r *Record, c *model.Container) { other(c) }, "note"},
		"a name with its host": {func(_ *model.Pod, r *Record, c *model.Container) {
			c.ImageID, c.Image, c.StatusImage = r.Of["web"].image, "r.io/web:b", "r.io/web:b"
		}, "proven"},
		"a name of somebody's at Docker Hub": {func(_ *model.Pod, r *Record, c *model.Container) {
			c.ImageID, c.Image, c.StatusImage = r.Of["web"].image, "team/web:b", "docker.io/team/web:b"
		}, "proven"},
		"a name of another host": {func(_ *model.Pod, r *Record, c *model.Container) {
			c.ImageID, c.StatusImage = r.Of["web"].image, "r.io/web:b"
		}, "note"},
		"no image id, and the name": {func(_ *model.Pod, _ *Record, c *model.Container) { c.ImageID = "" }, "proven"},
		"no image id, and no name":  {func(_ *model.Pod, _ *Record, c *model.Container) { c.ImageID, c.StatusImage = "", "" }, "note"},
		"another image under the old name: the old one may have been pulled anew": {func(_ *model.Pod, _ *Record, c *model.Container) { c.StatusImage = "docker.io/library/web:a" }, "note"},
		"a name without a tag": {func(_ *model.Pod, r *Record, c *model.Container) {
			c.ImageID, c.Image, c.StatusImage = r.Of["web"].image, "r.io:5000/web", "r.io:5000/web:latest"
		}, "proven"},
		"somebody has taken the image back: the old container runs on": {func(_ *model.Pod, r *Record, c *model.Container) {
			old(c)
			c.Image, r.seen, r.At = "web:a", true, noon.Add(-time.Hour)
		}, "web"},
		"somebody has taken the image back: the old image starts again": {func(_ *model.Pod, r *Record, c *model.Container) { other(c); c.Image = "web:a" }, "web"},
		"somebody has taken the image back: noted before":               {func(_ *model.Pod, r *Record, c *model.Container) { noted(r, c, time.Hour); c.Image = "web:a" }, "web"},
		"somebody has taken the image of a sidecar back": {func(p *model.Pod, r *Record, _ *model.Container) {
			r.Of["log"] = entry{ran: ran{ID: "l1", image: "log@sha256:a"}}
			p.Containers.Init = []model.Container{{Name: "log", Image: "log:a", StatusImage: "log:a", ContainerID: "l2", ImageID: "log@sha256:a", StartedAt: noon}}
		}, "log"},
		"somebody writes images otherwise than the template": {func(_ *model.Pod, r *Record, c *model.Container) {
			c.ImageID, c.Image, c.StatusImage = r.Of["web"].image, "mirror/web:b", "mirror/web:b"
		}, "proven"},
		"a digest that is asked for": {func(_ *model.Pod, r *Record, c *model.Container) {
			r.Of["web"] = entry{}
			c.Image, c.StatusImage = "web@sha256:b", ""
		}, "proven"},
		"a digest that is asked for, and another one runs": {func(_ *model.Pod, r *Record, c *model.Container) {
			r.Of["web"] = entry{}
			c.Image, c.StatusImage = "web@sha256:c", ""
		}, "note"},
		"a digest that ran before, too": {func(_ *model.Pod, r *Record, c *model.Container) { other(c); c.Image = "web@sha256:a" }, "note"},
		"the container that had been there, and no digest is asked for": {func(_ *model.Pod, r *Record, c *model.Container) {
			preset(r)
			c.Image, c.StatusImage = "web@", ""
		}, "web"},

		"nothing had been said: the first container may be the old one": {func(_ *model.Pod, r *Record, c *model.Container) {
			r.Of["web"] = entry{}
			c.StatusImage = "docker.io/library/web:a"
		}, "note"},
		"nothing had been said, and the name": {func(_ *model.Pod, r *Record, _ *model.Container) { r.Of["web"] = entry{} }, "proven"},
		"no id had been said, and another image": {func(_ *model.Pod, r *Record, _ *model.Container) {
			r.Of["web"] = entry{ran: ran{ID: "", image: "web@sha256:a"}}
		}, "proven"},
		"the image before was never seen: another image may be that one": {func(_ *model.Pod, r *Record, c *model.Container) {
			r.Of["web"] = entry{ran: r.Of["web"].ran, good: good, open: true}
			c.StatusImage = ""
		}, "note"},
		"the image before was never seen, and the name": {func(_ *model.Pod, r *Record, _ *model.Container) {
			r.Of["web"] = entry{ran: r.Of["web"].ran, good: good, open: true}
		}, "proven"},

		"noted, and time has passed":     {func(_ *model.Pod, r *Record, c *model.Container) { noted(r, c, 60*time.Second) }, "proven"},
		"noted, and time has not passed": {func(_ *model.Pod, r *Record, c *model.Container) { noted(r, c, 59*time.Second) }, "in 1s"},
		"noted, and it has restarted since": {func(_ *model.Pod, r *Record, c *model.Container) {
			noted(r, c, time.Hour)
			c.ContainerID = "a3"
		}, "note"},
		"noted by a clock that was ahead":   {func(_ *model.Pod, r *Record, c *model.Container) { noted(r, c, -time.Hour) }, "note"},
		"written by a clock that was ahead": {func(_ *model.Pod, r *Record, _ *model.Container) { preset(r); r.At = noon.Add(time.Hour) }, "note"},
		"noted, and the kubelet has to look again": {func(p *model.Pod, r *Record, c *model.Container) {
			noted(r, c, time.Hour)
			p.Containers.Generation++
		}, "kubelet"},
		"noted, time has passed, and the kubelet does not say": {func(p *model.Pod, r *Record, c *model.Container) {
			noted(r, c, 180*time.Second)
			p.Containers.ObservedGeneration = 0
		}, "proven"},
		"noted, the kubelet does not say, and too early": {func(p *model.Pod, r *Record, c *model.Container) {
			noted(r, c, 179*time.Second)
			p.Containers.ObservedGeneration = 0
		}, "in 1s"},
		"noted, the kubelet does not say, and the pod is not ready: its node may be lost": {func(p *model.Pod, r *Record, c *model.Container) {
			noted(r, c, time.Hour)
			p.Containers.ObservedGeneration, p.Ready = 0, false
		}, "web"},
		"another container, and the kubelet does not say": {func(p *model.Pod, _ *Record, c *model.Container) {
			other(c)
			p.Containers.ObservedGeneration = 0
		}, "in 9s"},
		"another container, the kubelet does not say, and has had its time": {func(p *model.Pod, r *Record, c *model.Container) {
			other(c)
			p.Containers.ObservedGeneration, r.At = 0, noon.Add(-10*time.Second)
		}, "note"},

		"sent elsewhere: the one in between still runs": {func(_ *model.Pod, r *Record, c *model.Container) { between(r, c, 59*time.Second) }, "in 1s"},
		"sent elsewhere: the one in between, for long":  {func(_ *model.Pod, r *Record, c *model.Container) { between(r, c, 60*time.Second) }, "note"},
		"sent elsewhere: noted, and its runtime may hang": {func(_ *model.Pod, r *Record, c *model.Container) {
			between(r, c, 60*time.Second)
			r.seen = true
		}, "in 10m0s"},
		"sent elsewhere: noted, and no node hangs for so long": {func(_ *model.Pod, r *Record, c *model.Container) {
			between(r, c, 660*time.Second)
			r.seen = true
		}, "proven"},
		"sent elsewhere: the same, and the pod is not ready": {func(p *model.Pod, r *Record, c *model.Container) {
			between(r, c, time.Hour)
			r.seen, p.Ready = true, false
		}, "web"},
		"sent elsewhere: the one that ran at rest": {func(_ *model.Pod, r *Record, c *model.Container) {
			between(r, c, time.Hour)
			r.seen = true
			old(c)
			r.Of["web"] = entry{ran: ran{ID: "a1", image: "web@sha256:a"}, good: good, open: true}
		}, "web"},
		"the one that ran at rest, in a record of another form": {func(_ *model.Pod, r *Record, c *model.Container) {
			old(c)
			r.Of["web"], r.seen, r.At = entry{ran: *good, good: good}, true, noon.Add(-time.Hour)
		}, "web"},
		"sent there and back before the kubelet knew: it has the name": {func(_ *model.Pod, r *Record, c *model.Container) {
			between(r, c, 60*time.Second)
			c.Image = "web:b"
			r.seen = true
		}, "proven"},

		"back: the old container never stopped": {func(_ *model.Pod, r *Record, c *model.Container) {
			back(r, ran{ID: "a1", image: "web@sha256:a"})
			old(c)
		}, "proven"},
		"back: the kubelet does not know that yet": {func(p *model.Pod, r *Record, c *model.Container) {
			back(r, ran{ID: "a1", image: "web@sha256:a"})
			old(c)
			p.Containers.ObservedGeneration = 2
		}, "kubelet"},
		"back: the old image has restarted": {func(_ *model.Pod, r *Record, c *model.Container) {
			back(r, ran{ID: "a1", image: "web@sha256:a"})
			other(c)
		}, "proven"},
		"back: the other image still runs": {func(_ *model.Pod, r *Record, c *model.Container) {
			back(r, ran{ID: "b1", image: "web@sha256:b"})
			c.Image = "web:a"
		}, "in 59s"},
		"back: the other image has crashed once more": {func(_ *model.Pod, r *Record, c *model.Container) {
			back(r, ran{ID: "b0", image: "web@sha256:b"})
			c.Image = "web:a"
		}, "note"},
		"back: it has the digest, and is the container that was there": {func(_ *model.Pod, r *Record, c *model.Container) {
			back(r, ran{ID: "a2", image: "web@sha256:a"})
			other(c)
		}, "in 59s"},
		"back: the same, noted, and time has passed": {func(_ *model.Pod, r *Record, c *model.Container) {
			back(r, ran{ID: "a2", image: "web@sha256:a"})
			other(c)
			r.seen, r.At = true, noon.Add(-60*time.Second)
		}, "proven"},
		"back: the other image still runs, noted, and its runtime may hang": {func(_ *model.Pod, r *Record, c *model.Container) {
			back(r, ran{ID: "b1", image: "web@sha256:b"})
			c.Image, r.seen, r.At = "web:a", true, noon.Add(-60*time.Second)
		}, "in 10m0s"},
		"no way back: what was good is not": {func(_ *model.Pod, r *Record, c *model.Container) {
			r.Of["web"] = entry{ran: ran{ID: "a0", image: "web@sha256:a"}, good: good}
			other(c)
		}, "note"},
		"back, and nothing was said of what was good": {func(_ *model.Pod, r *Record, c *model.Container) {
			back(r, ran{ID: "b1", image: "web@sha256:b"})
			r.Of["web"] = entry{ran: ran{ID: "b1", image: "web@sha256:b"}, good: &ran{}, open: true}
			c.ImageID = ""
		}, "in 59s"},
		"back, nothing was said of what was good, and its runtime may hang": {func(_ *model.Pod, r *Record, c *model.Container) {
			r.Revision, r.Of["web"] = "web-a", entry{ran: ran{ID: "b1", image: ""}, good: &ran{}, open: true}
			c.Image, c.ImageID = "web:a", ""
			r.seen, r.At = true, noon.Add(-60*time.Second)
		}, "in 10m0s"},
		"back, nothing was said of what was good, and it crashes": {func(_ *model.Pod, r *Record, c *model.Container) {
			back(r, ran{ID: "b0", image: "web@sha256:b"})
			r.Of["web"] = entry{ran: ran{ID: "b0", image: "web@sha256:b"}, good: &ran{}, open: true}
			c.Image, c.ImageID = "web:a", ""
		}, "note"},

		"back, and the kubelet does not say what it knows of": {func(p *model.Pod, r *Record, c *model.Container) {
			back(r, ran{ID: "a1", image: "web@sha256:a"})
			old(c)
			p.Containers.ObservedGeneration = 0
		}, "in 9s"},
		"back, the kubelet does not say, and has had its time": {func(p *model.Pod, r *Record, c *model.Container) {
			back(r, ran{ID: "a1", image: "web@sha256:a"})
			other(c)
			p.Containers.ObservedGeneration, r.At = 0, noon.Add(-10*time.Second)
		}, "proven"},
		"back, the kubelet does not say, has had its time, and the pod is not ready": {func(p *model.Pod, r *Record, c *model.Container) {
			back(r, ran{ID: "a1", image: "web@sha256:a"})
			other(c)
			p.Containers.ObservedGeneration, p.Ready, r.At = 0, false, noon.Add(-10*time.Second)
		}, "proven"},
		"back, noted on the way, and the kubelet does not say": {func(p *model.Pod, r *Record, c *model.Container) {
			r.Revision, r.Of["web"] = "web-a", entry{ran: ran{ID: "b1", image: "web@sha256:b"}, good: good}
			old(c)
			p.Containers.ObservedGeneration = 0
		}, "in 9s"},
		"the image before was never seen, and the kubelet does not say": {func(p *model.Pod, r *Record, _ *model.Container) {
			r.Of["web"] = entry{ran: r.Of["web"].ran, good: good, open: true}
			p.Containers.ObservedGeneration = 0
		}, "in 9s"},
		"one of two": {func(p *model.Pod, r *Record, _ *model.Container) {
			r.Of["log"] = entry{ran: ran{ID: "l1", image: "log@sha256:a"}}
			p.Containers.Init = []model.Container{{Name: "log", Image: "log:b", ContainerID: "l2", ImageID: "log@sha256:b", WaitingReason: "ImagePullBackOff"}}
		}, "log ImagePullBackOff"},
		"two of two, at two times": {func(p *model.Pod, r *Record, c *model.Container) {
			between(r, c, 59*time.Second)
			r.seen = true
			r.Of["web"] = entry{ran: ran{ID: "b1", image: "web@sha256:b"}, good: good}
			r.Of["log"] = entry{ran: ran{ID: "l1", image: "log@sha256:b"}, good: &ran{ID: "l0", image: "log@sha256:a"}, open: true}
			p.Containers.Init = []model.Container{{Name: "log", Image: "log:c", ContainerID: "l1", ImageID: "log@sha256:b", StartedAt: noon}}
		}, "in 11s"},
		"none of many: the first one by name": {func(p *model.Pod, r *Record, c *model.Container) {
			c.StartedAt = time.Time{}
			for _, name := range []string{"f", "e", "d", "c", "b", "a"} {
				r.Of[name] = entry{}
				p.Containers.Init = append(p.Containers.Init, model.Container{Name: name})
			}
		}, "a"},
		"two of two": {func(p *model.Pod, r *Record, _ *model.Container) {
			r.Of["log"] = entry{ran: ran{ID: "l1", image: "log@sha256:a"}}
			p.Containers.Init = []model.Container{{Name: "log", Image: "log:b", ContainerID: "l2", ImageID: "log@sha256:b", StartedAt: noon}}
		}, "proven"},
		"what is not in the record does not matter": {func(p *model.Pod, _ *Record, _ *model.Container) {
			p.Containers.Init = []model.Container{{Name: "log", WaitingReason: "CrashLoopBackOff"}}
		}, "proven"},
		"the adapter shows nothing": {func(p *model.Pod, _ *Record, _ *model.Container) { p.Containers = nil }, "kubelet"},
	} {
		p, r, c := proofOf()
		row.edit(p, r, c)
		check(t, reason, "proof", lookAtRecord(p, r), row.want)
	}
}

// TestNotes: a note takes down containers that nothing can tell apart. One that was started on the way elsewhere stays as it was: its runtime may hang,
// and a note of it would say that it was restarted. Resources that are under way stay so.
func TestNotes(t *testing.T) {
	p, r, c := proofOf()
	c.ContainerID, c.ImageID, c.StatusImage = "a2", "web@sha256:a", "docker.io/library/web:a"
	p.Containers.Init = []model.Container{{Name: "log", Image: "log:c", ContainerID: "l2", ImageID: "log@sha256:b", StartedAt: noon}}
	r.Of["log"] = entry{ran: ran{ID: "l2", image: "log@sha256:b"}, good: &ran{ID: "l1", image: "log@sha256:a"}, open: true}
	r.Resize, r.Starts = podtemplate.Amounts{{Container: "web", Key: 2}: "500m"}, true
	v := podsOf(&model.Snapshot{})
	f := Flight{Record: *r, shown: v.shownOf(p)}
	again := f.Written(p, time.Unix(1, 0))
	check(t, "one of each", "note", again.Text(), `{"at":1,"containers":{"log":{"good":{"id":"l1","image":"log@sha256:a"},"id":"l2","image":"log@sha256:b","open":true},`+
		`"web":{"good":{"id":"a1","image":"web@sha256:a"},"id":"a2","image":"web@sha256:a"}},"resize":{"web":{"requests":{"cpu":"500m"}}},"restarts":true,"revision":"web-b","seen":true}`)
}

// lookAtRecord is what a pass makes of a pod with a record.
func lookAtRecord(p *model.Pod, r *Record) string {
	s := &model.Snapshot{ObservedAt: noon}
	p.Annotations = &model.Annotations{Values: map[string]string{AnnotationUpdate: r.Text()}}
	v := podsOf(s)
	v.Revisions = []*model.Revision{
		{Name: "web-a", Data: []byte(`{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:a"},{"name":"proxy","image":"proxy:1"}],"initContainers":[{"name":"log","image":"log:a"}]}}}}`)},
		{Name: "web-b", Data: []byte(`{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:b"},{"name":"proxy","image":"proxy:1"}],"initContainers":[{"name":"log","image":"log:b"}]}}}}`)},
		{Name: "web-slow", Data: []byte(`{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":60}}}}`)}}
	v.NoteFlight(p)
	f := v.FlightOf(p)
	l := v.LookAtPod(p, f)
	switch {
	case v.Proven(p) != l.Proven:
		return "two answers"
	case l.Proven:
		return "proven"
	case l.Note:
		return "note"
	case !l.Again.IsZero():
		return "in " + l.Again.Sub(noon).String()
	case l.First == "":
		return "kubelet"
	case l.reason != "":
		return l.First + " " + l.reason
	}
	return l.First
}

// TestGraceOfOddRevisions: a revision that is gone, or says nothing that is a time, has the usual grace period.
func TestGraceOfOddRevisions(t *testing.T) {
	for data, want := range map[string]time.Duration{"": defaultGrace, "{": defaultGrace, `{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":"x"}}}}`: defaultGrace,
		`{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":-1}}}}`: defaultGrace, `{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":1e99}}}}`: defaultGrace,
		`{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":0}}}}`: 0} {
		v := podsOf(&model.Snapshot{})
		v.Revisions = []*model.Revision{{Name: "web-b", Data: []byte(data)}}
		if got := v.factsOf("web-b").grace; got != want {
			t.Errorf("%s: %s", data, got)
		}
		if v.factsOf("web-gone").grace != defaultGrace {
			t.Error("the grace period of a revision that is gone")
		}
	}
}

// TestNote: what is written anew is what cannot be told, and what was good stays.
func TestNote(t *testing.T) {
	for _, observed := range []int64{0, 3} {
		p, r, c := proofOf()
		c.ImageID, c.StatusImage, p.Containers.ObservedGeneration = "web@sha256:a", "", observed // it is another one, with the image of before
		r.Of["web"], r.At = entry{ran: r.Of["web"].ran, open: true}, noon.Add(-10*time.Second)
		r.Of["log"], r.Of["new"], r.Of["off"] = entry{ran: ran{ID: "l1", image: "log@sha256:a"}, good: &ran{ID: "l0", image: "log@sha256:z"}, open: true}, entry{ran: ran{ID: "n1", image: "new@sha256:a"}}, entry{ran: ran{ID: "o1", image: "o"}}
		p.Containers.Init = []model.Container{{Name: "log", ContainerID: "l1", ImageID: "log@sha256:a", StartedAt: noon},
			{Name: "new", ContainerID: "n2", ImageID: "new@sha256:b", StartedAt: noon}, {Name: "off", ContainerID: "o1", ImageID: "o"}}
		if got := lookAtRecord(p, r); got != "note" {
			t.Fatal(got)
		}
		v := podsOf(&model.Snapshot{ObservedAt: noon})
		v.NoteFlight(p)
		written := v.FlightOf(p).Written(p, noon)
		check(t, "the record", "text", written.Text(), `{"at":1772366400,"containers":{"log":{"good":{"id":"l0","image":"log@sha256:z"},"id":"l1","image":"log@sha256:a","open":true},`+
			`"new":{"id":"n1","image":"new@sha256:a"},"off":{"id":"o1","image":"o"},"web":{"good":{"id":"a1","image":"web@sha256:a"},"id":"b1","image":"web@sha256:a"}},"revision":"web-b","seen":true}`)
		if got := lookAtRecord(p, &written); got == "note" {
			t.Error("it is noted again at once")
		}
	}
}

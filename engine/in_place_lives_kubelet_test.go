package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
)

// kubelet is what a host knows of one pod, and runs.
type kubelet struct {
	knows      map[string]string // images by container
	generation int64             // of what it knows
	runs       map[string]model.Container
	changed    time.Time // when the spec has changed that it does not know; zero: it knows
	looked     time.Time // when it came to know what it has not done; zero: it has done all
	due        time.Time // when the API server has to hear of it; zero: it has
	ready      time.Time // when the pod is ready
	hung       time.Time // until when its runtime hangs: a node that hangs for longer is not ready
}

// digestOf is what an image is: all tags that begin with "same" are one.
func imageDigest(image string) string {
	name, tag, _ := strings.Cut(image, ":")
	if strings.HasPrefix(tag, "same") {
		tag = "same"
	}
	return name + "@sha256:" + tag
}

func (l *life) passes(p *model.Pod, k *kubelet) {
	over := func(since time.Time, most time.Duration) bool {
		return !since.IsZero() && l.ObservedAt.Sub(since) >= most
	}
	if l.old && over(k.changed, 5*time.Second) {
		l.look(p, k)
	}
	if over(k.looked, 15*time.Second) {
		l.do(p, k)
	}
	if l.old && over(k.due, time.Second) {
		l.report(p, k)
	}
	if p.Ready && over(k.due, 50*time.Second) { // the node is cut off
		p.Ready, p.ReadyChangedAt = false, l.ObservedAt
		l.version(p)
	}
}

func (l *life) all(each func(p *model.Pod, k *kubelet)) {
	for i := range l.Pods {
		each(&l.Pods[i], l.kubelets[l.Pods[i].UID])
	}
}

// look lets a kubelet know what a pod is to run.
func (l *life) look(p *model.Pod, k *kubelet) {
	spec := l.specs[p.UID]
	k.generation, k.changed = spec.generation, time.Time{}
	if !maps.Equal(k.knows, spec.images) {
		k.knows, k.looked = maps.Clone(spec.images), l.ObservedAt
		l.tell("%s: its kubelet knows of %v", p.Name, k.knows)
	}
}

func bad(image string) bool { return strings.HasSuffix(image, ":bad") }

// do lets a kubelet stop and start what differs from what it knows.
func (l *life) do(p *model.Pod, k *kubelet) {
	if k.hung.After(l.ObservedAt) {
		return
	}
	k.looked = time.Time{}
	for _, name := range slices.Sorted(maps.Keys(k.knows)) {
		if c, runs := k.runs[name]; runs && c.Image == k.knows[name] && !c.StartedAt.IsZero() {
			continue
		}
		l.startOf(p, k, name)
	}
}

func (l *life) startOf(p *model.Pod, k *kubelet, name string) {
	image := k.knows[name]
	k.due, k.ready = l.ObservedAt, l.ObservedAt.Add(3*time.Second)
	before := k.runs[name]
	if bad(image) {
		before.StartedAt, before.WaitingReason = time.Time{}, "ImagePullBackOff"
		k.runs[name] = before
		return
	}
	l.versions++
	shown := image
	if strings.Contains(image, ":same") {
		shown = "web:same1" // the runtime knows one name
	}
	k.runs[name] = model.Container{Image: image, StatusImage: shown, ImageID: imageDigest(image), ContainerID: fmt.Sprint(name, "-", l.versions), StartedAt: l.ObservedAt}
	l.tell("%s: %s runs %s as %s", p.Name, name, image, k.runs[name].ContainerID)
}

// crash lets a container end, and start again as its kubelet knows it.
func (l *life) crash(p *model.Pod, k *kubelet) {
	if _, knows := k.knows["web"]; knows {
		l.tell("%s: web crashes", p.Name)
		l.startOf(p, k, "web")
		if c := k.runs["web"]; l.random.IntN(2) == 0 && !c.StartedAt.IsZero() { // its tag has moved, and it is pulled anew
			c.ImageID += "-" + fmt.Sprint(l.versions)
			k.runs["web"] = c
		}
	}
}

// takeBack lets somebody give a pod that is on its way the images of its label again.
func (l *life) takeBack(p *model.Pod, k *kubelet) {
	if to := UnderWay(p); to != "" {
		l.setImages(p, k, p.Revision)
	}
}

func (l *life) setImages(p *model.Pod, k *kubelet, revision string) {
	for _, r := range l.Revisions {
		if r.Name == revision {
			template, _ := podtemplate.Of(r.Data)
			spec := l.specs[p.UID]
			spec.images = imagesOfTemplate(template)
			spec.generation++
			k.changed = l.ObservedAt
			l.tell("somebody gives %s the images of %s", p.Name, revision)
			l.show(p)
			l.version(p)
		}
	}
}

// report lets the API server know.
func (l *life) report(p *model.Pod, k *kubelet) {
	if len(k.knows) == 0 {
		return
	}
	k.due = time.Time{}
	ready := !k.ready.After(l.ObservedAt)
	for name := range k.knows {
		ready = ready && !k.runs[name].StartedAt.IsZero()
	}
	if p.Phase == model.PodPending {
		p.Phase, p.StartedAt, p.ReadyChangedAt = model.PodRunning, l.ObservedAt, l.ObservedAt
	}
	if ready != p.Ready {
		p.Ready, p.ReadyChangedAt = ready, l.ObservedAt
	}
	spec := l.specs[p.UID]
	spec.status, spec.observed = maps.Clone(k.runs), 0
	if !l.old {
		spec.observed = k.generation
	}
	l.show(p)
	l.version(p)
	if k.ready.After(l.ObservedAt) {
		k.due = l.ObservedAt
	}
}

// catchUp is a healthy kubelet.
func (l *life) catchUp(p *model.Pod, k *kubelet) {
	l.look(p, k)
	l.do(p, k)
	l.report(p, k)
}

// podSpec is a pod as the API server has it.
type podSpec struct {
	images               map[string]string
	generation, observed int64
	status               map[string]model.Container
}

// show is the snapshot's part of it.
func (l *life) show(p *model.Pod) {
	if !inplace.IsMarked(p) {
		return
	}
	spec := l.specs[p.UID]
	list := func(names ...string) (list []model.Container) {
		for _, name := range names {
			c := spec.status[name]
			c.Name, c.Image = name, spec.images[name]
			list = append(list, c)
		}
		return list
	}
	p.Containers = &model.PodContainers{Generation: spec.generation, ObservedGeneration: spec.observed, Containers: list("web", "log"), Init: list("init", "side")}
}

package forecast

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
)

// containerBytes are for a container of a pod.
const containerBytes = 600

// show lets the snapshot say what runs in a pod, if the pod is marked: what its revision says, since the pod was made.
func (c *cluster) show(p *model.Pod) {
	if p.Containers != nil || !inplace.IsMarked(p) {
		return
	}
	var spec jsontree.Value
	if r := c.revision(p.Revision); r != nil {
		c.parsing(len(r.Data))
		spec, _ = jsontree.Lookup(r.Data, "spec", "template", "spec") // the engine says what is wrong with one that cannot be read
	}
	p.Containers = &model.PodContainers{Generation: 1, Containers: c.containersOf(spec.Get("containers")), Init: c.containersOf(spec.Get("initContainers"))}
	if onNode(p) {
		c.run(p, p.CreatedAt)
	}
}

func (c *cluster) containersOf(list jsontree.Value) (containers []model.Container) {
	for _, item := range list.Items() {
		c.hold(containerBytes)
		c.work(20)
		containers = append(containers, model.Container{Name: c.shared.text(item.Get("name").Text), Image: c.shared.text(item.Get("image").Text),
			Resources: engine.ResourcesOf(item)})
	}
	return containers
}

// setImages is what a write does to the spec of a pod. A container whose image changes no longer runs.
func (c *cluster) setImages(p *model.Pod, op model.UpdatePod) {
	if p.Containers == nil {
		return
	}
	next := c.copied(p, containerBytes)
	next.Generation++
	set := func(list []model.Container, images []model.ContainerImage) {
		c.work(len(list) * len(images))
		for i := range list {
			at := slices.IndexFunc(images, func(image model.ContainerImage) bool { return image.Name == list[i].Name })
			if at >= 0 && images[at].Image != list[i].Image {
				list[i] = stopped(&list[i], images[at].Image)
			}
		}
	}
	set(next.Containers, op.Containers)
	set(next.Init, op.InitContainers)
}

// copied gives a pod containers of its own, which may be changed and take so many bytes each.
func (c *cluster) copied(p *model.Pod, bytes int) *model.PodContainers {
	next := *p.Containers
	c.hold((len(next.Containers) + len(next.Init)) * bytes)
	next.Containers, next.Init = slices.Clone(next.Containers), slices.Clone(next.Init)
	p.Containers = &next
	return &next
}

// all are the containers of a pod.
func all(of *model.PodContainers) iter.Seq[*model.Container] {
	return func(yield func(*model.Container) bool) {
		for _, list := range [...][]model.Container{of.Containers, of.Init} {
			for i := range list {
				if !yield(&list[i]) {
					return
				}
			}
		}
	}
}

// stopped is a container that does not run.
func stopped(c *model.Container, image string) model.Container {
	return model.Container{Name: c.Name, Image: image, Resources: c.Resources}
}

// run is what a kubelet does with the containers of a pod: those that do not run start. An image is known by its name, and a container by how many
// images its pod has had.
func (c *cluster) run(p *model.Pod, at time.Time) {
	if p.Containers == nil {
		return
	}
	next := c.copied(p, 2*containerBytes)
	next.ObservedGeneration = next.Generation
	for container := range all(next) {
		c.work(10)
		if container.StartedAt.IsZero() {
			container.StatusImage, container.ImageID, container.StartedAt = container.Image, "forecast:"+container.Image, at
			container.ContainerID = fmt.Sprintf("forecast://%s/%s/%d", p.UID, container.Name, next.Generation)
			container.WaitingReason, container.StatusResources = "", given(container)
		}
	}
}

// restart is what a host does with a pod that has got other images.
func (h *hosts) restart(p *model.Pod) {
	if !onNode(p) || p.HasEnded() {
		return // it has them when it starts
	}
	h.lookAt(p)
	h.work(len(h.due))
	h.run(p, h.stamp())
	p.Ready, p.ReadyChangedAt, p.ResourceVersion = false, h.stamp(), h.number()
	h.due = slices.DeleteFunc(h.due, func(d duty) bool { return d.uid == p.UID && (d.what == Ready || d.what == Available) })
	if !h.isBroken(engine.UnderWay(p)) {
		h.assume(restartsLater, h.takes.ReadyAfter)
		h.later(p, Ready, h.now().Add(h.takes.ReadyAfter))
	}
}

// unrevised reports whether the host of a pod whose images have changed has yet to start containers anew, and nothing keeps it from that.
func (h *hosts) unrevised(p *model.Pod) bool {
	_, done := engine.StartedAnew(p)
	return engine.StartsAnew(p) && p.Containers != nil && onNode(p) && !done && !h.stuck(p) && !refused(p.Containers)
}

// revise lets a host do that now.
func (h *hosts) revise(p *model.Pod) {
	next := h.copied(p, containerBytes)
	next.Generation++ // the ids of what starts now are others than those that are there
	for container := range all(next) {
		*container = stopped(container, container.Image)
	}
	h.restart(p)
}

// youngAgain reports whether the containers of a pod have restarted, and have not yet had the time to become ready.
func (h *hosts) youngAgain(p *model.Pod) bool {
	at, done := engine.StartedAnew(p)
	return done && at.Add(h.takes.ReadyAfter).After(h.now())
}

// stuck reports whether a pod whose images have changed is not ready, and does not become so: its containers have had their time, or its kubelet
// says why one does not run.
func (h *hosts) stuck(p *model.Pod) bool {
	if !engine.StartsAnew(p) || p.Ready || p.Containers == nil {
		return false
	}
	if _, done := engine.StartedAnew(p); done {
		return !h.youngAgain(p)
	}
	for c := range all(p.Containers) {
		if c.WaitingReason != "" && c.WaitingReason != "ContainerCreating" && c.WaitingReason != "PodInitializing" {
			return true
		}
	}
	return false
}

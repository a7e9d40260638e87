package forecast

import (
	"slices"
	"strconv"
	"time"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
)

// containerBytes are for a container of a pod.
const containerBytes = 600

// show lets the snapshot say what runs in a pod, if the pod is marked: what its revision says, since the pod was made.
func (c *cluster) show(p *model.Pod) {
	if p.Annotations == nil || p.Containers != nil {
		return
	}
	if _, marked := p.Annotations.Values[annotationUpdate]; !marked {
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
	next := *p.Containers
	next.Generation++
	next.Containers, next.Init = c.withImages(next.Containers, op.Containers), c.withImages(next.Init, op.InitContainers)
	p.Containers = &next
}

func (c *cluster) withImages(list []model.Container, images []model.ContainerImage) []model.Container {
	c.hold(len(list) * containerBytes)
	c.work(len(list) * len(images))
	list = slices.Clone(list)
	for i := range list {
		at := slices.IndexFunc(images, func(image model.ContainerImage) bool { return image.Name == list[i].Name })
		if at >= 0 && images[at].Image != list[i].Image {
			list[i] = stopped(&list[i], images[at].Image)
		}
	}
	return list
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
	c.hold((len(p.Containers.Containers) + len(p.Containers.Init)) * 2 * containerBytes)
	c.work((len(p.Containers.Containers) + len(p.Containers.Init)) * 10)
	next := *p.Containers
	next.ObservedGeneration = next.Generation
	for _, list := range []*[]model.Container{&next.Containers, &next.Init} {
		*list = slices.Clone(*list)
		for i := range *list {
			if container := &(*list)[i]; container.StartedAt.IsZero() {
				container.StatusImage, container.ImageID, container.StartedAt = container.Image, "forecast:"+container.Image, at
				container.ContainerID = "forecast://" + p.UID + "/" + container.Name + "/" + strconv.FormatInt(next.Generation, 10)
				container.WaitingReason, container.StatusResources = "", given(container)
			}
		}
	}
	p.Containers = &next
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
		h.assume(restartsLater(h.takes.ReadyAfter))
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
	next := *p.Containers
	h.hold((len(next.Containers) + len(next.Init)) * containerBytes)
	next.Containers, next.Init = slices.Clone(next.Containers), slices.Clone(next.Init)
	for _, list := range [...][]model.Container{next.Containers, next.Init} {
		for i := range list {
			list[i] = stopped(&list[i], list[i].Image)
		}
	}
	next.Generation++ // the ids of what starts now are others than those that are there
	p.Containers = &next
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
	return slices.ContainsFunc(slices.Concat(p.Containers.Containers, p.Containers.Init), func(c model.Container) bool {
		return c.WaitingReason != "" && !slices.Contains([]string{"ContainerCreating", "PodInitializing"}, c.WaitingReason)
	})
}

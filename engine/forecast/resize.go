package forecast

import (
	"slices"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
)

// resizePod lets containers ask for other resources.
func (c *cluster) resizePod(p *model.Pod, op model.ResizePod) {
	if p.Containers == nil {
		return
	}
	next := *p.Containers
	next.Generation++
	next.Containers, next.Init = c.withResources(next.Containers, op.Containers), c.withResources(next.Init, op.InitContainers)
	p.Containers = &next
	c.tell(change{kind: podResized, pod: *p})
}

func (c *cluster) withResources(list []model.Container, resizes []model.ContainerResize) []model.Container {
	c.hold(len(list) * containerBytes)
	c.work(len(list) * len(resizes))
	list = slices.Clone(list)
	for i := range list {
		for _, resize := range resizes {
			if resize.Name == list[i].Name {
				list[i].Resources = engine.WithResources(list[i].Resources, resize.Resources)
			}
		}
	}
	return list
}

// unresized reports whether the host of a pod on its way has yet to give it its resources, and does not refuse them: a node that has no room at first
// has none later.
func (h *hosts) unresized(p *model.Pod) bool {
	return p.Containers != nil && onNode(p) && !p.HasEnded() && engine.LacksResources(p) && !refused(p.Containers)
}

func refused(of *model.PodContainers) bool {
	return of.ResizePending != nil || of.ResizeInProgress != nil && of.ResizeInProgress.Reason == "Error"
}

// give is what a host does with a pod that asks for other resources: containers get them, and start again for that where the pod's revision says so.
func (h *hosts) give(p *model.Pod) {
	if !onNode(p) || p.HasEnded() {
		return // it has them when it starts
	}
	h.assume(hasRoom)
	h.lookAt(p)
	starts := engine.StartsForResources(p)
	next := *p.Containers
	h.hold((len(next.Containers) + len(next.Init)) * 2 * containerBytes)
	next.ResizePending, next.ResizeInProgress, next.ObservedGeneration = nil, nil, next.Generation
	for _, list := range [...]*[]model.Container{&next.Containers, &next.Init} {
		*list = slices.Clone(*list)
		for i := range *list {
			c := &(*list)[i]
			if starts && (c.StatusResources == nil || *c.StatusResources != c.Resources) {
				*c = stopped(c, c.Image)
			}
			c.StatusResources = given(c)
		}
	}
	p.Containers = &next
	if starts {
		h.restart(p)
	}
}

// given is what a container has that gets what it asks for.
func given(c *model.Container) *model.Resources {
	has := c.Resources
	return &has
}

package forecast

import (
	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
)

// resizePod lets containers ask for other resources.
func (c *cluster) resizePod(p *model.Pod, op model.ResizePod) {
	if p.Containers == nil {
		return
	}
	next := c.copied(p, containerBytes)
	next.Generation++
	set := func(list []model.Container, resizes []model.ContainerResize) {
		c.work(len(list) * len(resizes))
		for i := range list {
			for _, resize := range resizes {
				if resize.Name == list[i].Name {
					list[i].Resources = engine.WithResources(list[i].Resources, resize.Resources)
				}
			}
		}
	}
	set(next.Containers, op.Containers)
	set(next.Init, op.InitContainers)
	c.tell(change{kind: podResized, pod: *p})
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
	next := h.copied(p, 2*containerBytes)
	next.ResizePending, next.ResizeInProgress, next.ObservedGeneration = nil, nil, next.Generation
	for c := range all(next) {
		if starts && (c.StatusResources == nil || *c.StatusResources != c.Resources) {
			*c = stopped(c, c.Image)
		}
		c.StatusResources = given(c)
	}
	if starts {
		h.restart(p)
	}
}

// given is what a container has that gets what it asks for.
func given(c *model.Container) *model.Resources {
	has := c.Resources
	return &has
}

package codec

import (
	"fmt"

	"github.com/setplan/setplan/engine"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// containers hands out memory for what runs in pods. Few pods of few sets have it, so what there is of it is counted first and allocated once.
type containers struct {
	pods []engine.PodContainers
	all  []engine.Container
}

// containersOf is room for what a request says of containers; nil lists where no pod has any.
func containersOf(r *report, in []*setplanv1.Pod) containers {
	pods, all := 0, 0
	for i, p := range in {
		if r.over(i) {
			return containers{}
		}
		if of := p.GetContainers(); of != nil {
			pods++
			all += len(of.GetContainers()) + len(of.GetInitContainers())
		}
	}
	memory := r.limits.memory()
	return containers{pods: memory.podContainers.of(pods), all: memory.containers.of(all)}
}

// decode turns what a pod's message says into the engine's form; nil where it says nothing. Pods must be passed as often as they were counted.
func (c *containers) decode(e element, in *setplanv1.PodContainers) *engine.PodContainers {
	if in == nil {
		return nil
	}
	out := &c.pods[0]
	c.pods = c.pods[1:]
	*out = engine.PodContainers{
		Generation:         in.GetGeneration(),
		ObservedGeneration: in.GetObservedGeneration(),
		Containers:         c.list(e, "containers", in.GetContainers()),
		Init:               c.list(e, "init_containers", in.GetInitContainers()),
	}
	return out
}

func (c *containers) list(e element, field string, in []*setplanv1.Container) []engine.Container {
	if len(in) == 0 {
		return nil
	}
	out := c.all[:len(in):len(in)]
	c.all = c.all[len(in):]
	for i, container := range in {
		if name := container.GetName(); name == "" || len(name) > maxName || !inRange(container.GetStartedUnixMs()) {
			bad := element{e.report, fmt.Sprintf("%s[%d].containers.%s", e.list, e.index, field), i} // a path that is seldom needed
			bad.required("name", name)
			bad.time("started_unix_ms", container.GetStartedUnixMs())
		}
		out[i] = engine.Container{
			Name:          container.GetName(),
			Image:         container.GetImage(),
			StatusImage:   container.GetStatusImage(),
			ImageID:       container.GetImageId(),
			ContainerID:   container.GetContainerId(),
			StartedAt:     fromMS(container.GetStartedUnixMs()),
			WaitingReason: container.GetWaitingReason(),
		}
	}
	return out
}

func encodeImages(in []engine.ContainerImage) []*setplanv1.ContainerImage {
	if len(in) == 0 {
		return nil
	}
	out := make([]*setplanv1.ContainerImage, len(in))
	for i, c := range in {
		out[i] = &setplanv1.ContainerImage{Name: c.Name, Image: c.Image}
	}
	return out
}

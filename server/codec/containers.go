package codec

import (
	"fmt"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// containers hands out memory for what runs in pods. Few pods of few sets have it, so what there is of it is counted first and allocated once.
type containers struct {
	pods   []model.PodContainers
	all    []model.Container
	given  []model.Resources
	resize []model.PodResize
}

// containersOf is room for what a request says of containers; nil lists where no pod has any.
func containersOf(r *report, in []*setplanv1.Pod) containers {
	pods, all, resizes := 0, 0, 0
	for i, p := range in {
		if r.over(i) {
			return containers{}
		}
		if of := p.GetContainers(); of != nil {
			pods++
			all += len(of.GetContainers()) + len(of.GetInitContainers())
			resizes += conditionsOf(of)
		}
	}
	memory := r.limits.memory()
	return containers{pods: memory.podContainers.of(pods), all: memory.containers.of(all), given: memory.resources.of(all), resize: memory.resizes.of(resizes)}
}

// decode turns what a pod's message says into the engine's form; nil where it says nothing. Pods must be passed as often as they were counted.
func (c *containers) decode(e element, in *setplanv1.PodContainers) *model.PodContainers {
	if in == nil {
		return nil
	}
	out := &c.pods[0]
	c.pods = c.pods[1:]
	*out = model.PodContainers{
		Generation:         in.GetGeneration(),
		ObservedGeneration: in.GetObservedGeneration(),
		Containers:         c.list(e, "containers", in.GetContainers()),
		Init:               c.list(e, "init_containers", in.GetInitContainers()),
		ResizePending:      c.condition(e, "resize_pending", in.GetResizePending()),
		ResizeInProgress:   c.condition(e, "resize_in_progress", in.GetResizeInProgress()),
	}
	return out
}

// conditionsOf counts the conditions of a resize.
func conditionsOf(in *setplanv1.PodContainers) (n int) {
	for _, condition := range [...]*setplanv1.PodResize{in.GetResizePending(), in.GetResizeInProgress()} {
		if condition != nil {
			n++
		}
	}
	return n
}

func (c *containers) condition(e element, field string, in *setplanv1.PodResize) *model.PodResize {
	if in == nil {
		return nil
	}
	if !inRange(in.GetSinceUnixMs()) {
		e.time("containers."+field+".since_unix_ms", in.GetSinceUnixMs())
	}
	out := &c.resize[0]
	c.resize = c.resize[1:]
	*out = model.PodResize{Reason: in.GetReason(), Message: in.GetMessage(), Since: fromMS(in.GetSinceUnixMs()), ObservedGeneration: in.GetObservedGeneration()}
	return out
}

func (c *containers) list(e element, field string, in []*setplanv1.Container) []model.Container {
	if len(in) == 0 {
		return nil
	}
	out := c.all[:len(in):len(in)]
	c.all = c.all[len(in):]
	given := c.given[:len(in)]
	c.given = c.given[len(in):]
	for i, container := range in {
		if name := container.GetName(); name == "" || len(name) > maxName || !inRange(container.GetStartedUnixMs()) {
			bad := element{e.report, fmt.Sprintf("%s[%d].containers.%s", e.list, e.index, field), i} // a path that is seldom needed
			bad.required("name", name)
			bad.time("started_unix_ms", container.GetStartedUnixMs())
		}
		out[i] = model.Container{
			Name:          container.GetName(),
			Image:         container.GetImage(),
			StatusImage:   container.GetStatusImage(),
			ImageID:       container.GetImageId(),
			ContainerID:   container.GetContainerId(),
			StartedAt:     fromMS(container.GetStartedUnixMs()),
			WaitingReason: container.GetWaitingReason(),
			Resources:     decodeResources(container.GetResources()),
		}
		if status := container.GetStatusResources(); status != nil {
			given[i] = decodeResources(status)
			out[i].StatusResources = &given[i]
		}
	}
	return out
}

// The resources that change in place.
const (
	cpu    = "cpu"
	memory = "memory"
)

func decodeResources(in *setplanv1.ContainerResources) model.Resources {
	return model.Resources{Requests: decodeAmounts(in.GetRequests()), Limits: decodeAmounts(in.GetLimits())}
}

func decodeAmounts(in map[string]string) model.Amounts {
	return model.Amounts{CPU: in[cpu], Memory: in[memory]}
}

func encodeResizes(in []model.ContainerResize) []*setplanv1.ContainerResize {
	if len(in) == 0 {
		return nil
	}
	out := make([]*setplanv1.ContainerResize, len(in))
	for i, c := range in {
		out[i] = &setplanv1.ContainerResize{Name: c.Name, Requests: encodeAmounts(c.Requests), Limits: encodeAmounts(c.Limits)}
	}
	return out
}

// encodeAmounts leaves out what is empty: it does not change.
func encodeAmounts(in model.Amounts) map[string]string {
	if in == (model.Amounts{}) {
		return nil
	}
	out := map[string]string{}
	for resource, quantity := range map[string]string{cpu: in.CPU, memory: in.Memory} {
		if quantity != "" {
			out[resource] = quantity
		}
	}
	return out
}

func encodeImages(in []model.ContainerImage) []*setplanv1.ContainerImage {
	if len(in) == 0 {
		return nil
	}
	out := make([]*setplanv1.ContainerImage, len(in))
	for i, c := range in {
		out[i] = &setplanv1.ContainerImage{Name: c.Name, Image: c.Image}
	}
	return out
}

package codec

import (
	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// decodeContainers reads what a pod's message says of containers; nil where it says nothing.
func decodeContainers(e *element, in *setplanv1.PodContainers) *model.PodContainers {
	if in == nil {
		return nil
	}
	return &model.PodContainers{
		Generation:         in.GetGeneration(),
		ObservedGeneration: in.GetObservedGeneration(),
		Containers:         e.containers("containers.containers", in.GetContainers()),
		Init:               e.containers("containers.init_containers", in.GetInitContainers()),
		ResizePending:      e.resize("containers.resize_pending.since_unix_ms", in.GetResizePending()),
		ResizeInProgress:   e.resize("containers.resize_in_progress.since_unix_ms", in.GetResizeInProgress()),
	}
}

func (e *element) resize(since string, in *setplanv1.PodResize) *model.PodResize {
	if in == nil {
		return nil
	}
	return &model.PodResize{Reason: in.GetReason(), Message: in.GetMessage(), Since: e.time(since, in.GetSinceUnixMs()), ObservedGeneration: in.GetObservedGeneration()}
}

func (e *element) containers(list string, in []*setplanv1.Container) []model.Container {
	return indexed(&e.waiting, in, func(i int, c *setplanv1.Container) model.Container {
		e := &element{e.report, e.list, e.index, list, i}
		e.required("name", c.GetName())
		out := model.Container{
			Name:          c.GetName(),
			Image:         c.GetImage(),
			StatusImage:   c.GetStatusImage(),
			ImageID:       c.GetImageId(),
			ContainerID:   c.GetContainerId(),
			StartedAt:     e.time("started_unix_ms", c.GetStartedUnixMs()),
			WaitingReason: c.GetWaitingReason(),
			Resources:     decodeResources(c.GetResources()),
		}
		if status := c.GetStatusResources(); status != nil {
			out.StatusResources = new(decodeResources(status))
		}
		return out
	})
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

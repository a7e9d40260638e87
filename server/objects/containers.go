package objects

import (
	"github.com/setplan/setplan/proto/rawjson"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// annotationUpdate is on pods whose images and resources the planner changes in place. Of other pods it need not know what runs in them.
const annotationUpdate = annotationPrefix + "in-place-update"

// maxConditionMessage is what the contract allows, in bytes.
const maxConditionMessage = 1024

// containers are those of a spec, in its order, each with the status of its name.
func (b *builder) containers(specs, statuses rawjson.Value) (all []*setplanv1.Container) {
	byName := map[string]rawjson.Value{}
	for w := b.items(statuses); w.Next(); {
		byName[b.text(b.get(w.Value, "name"))] = w.Value
	}
	for w := b.items(specs); w.Next(); {
		var resources rawjson.Value
		out := &setplanv1.Container{}
		b.read(w.Value, field{"name", &out.Name}, field{"image", &out.Image}, field{"resources", &resources})
		if asked := b.resources(resources); len(asked.Requests)+len(asked.Limits) > 0 {
			out.Resources = asked
		}
		var state, has, running, waiting rawjson.Value
		b.read(byName[out.Name], field{"image", &out.StatusImage}, field{"imageID", &out.ImageId}, field{"containerID", &out.ContainerId},
			field{"state", &state}, field{"resources", &has})
		b.read(state, field{"running", &running}, field{"waiting", &waiting})
		b.read(running, field{"startedAt", (*millis)(&out.StartedUnixMs)})
		b.read(waiting, field{"reason", &out.WaitingReason})
		if has.Is() {
			out.StatusResources = b.resources(has)
		}
		all = append(all, out)
	}
	return all
}

// resources are the cpu and the memory of a container. No others change while a pod stays.
func (b *builder) resources(v rawjson.Value) *setplanv1.ContainerResources {
	return &setplanv1.ContainerResources{Requests: b.amounts(b.get(v, "requests")), Limits: b.amounts(b.get(v, "limits"))}
}

func (b *builder) amounts(v rawjson.Value) map[string]string {
	var out map[string]string
	for w := b.members(v); w.Next(); {
		if name := string(w.Key()); name == "cpu" || name == "memory" {
			if out == nil {
				out = map[string]string{}
			}
			out[name] = b.amount(w.Value)
		}
	}
	return out
}

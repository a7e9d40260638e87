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
	for _, status := range b.items(statuses) {
		byName[b.text(b.get(status, "name"))] = status
	}
	for _, spec := range b.items(specs) {
		out := &setplanv1.Container{}
		for key, member := range b.members(spec) {
			switch string(key) {
			case "name":
				out.Name = b.text(member)
			case "image":
				out.Image = b.text(member)
			case "resources":
				if out.Resources = b.resources(member); len(out.Resources.Requests)+len(out.Resources.Limits) == 0 {
					out.Resources = nil
				}
			}
		}
		b.containerStatus(byName[out.Name], out)
		all = append(all, out)
	}
	return all
}

func (b *builder) containerStatus(status rawjson.Value, out *setplanv1.Container) {
	for key, member := range b.members(status) {
		switch string(key) {
		case "image":
			out.StatusImage = b.text(member)
		case "imageID":
			out.ImageId = b.text(member)
		case "containerID":
			out.ContainerId = b.text(member)
		case "state":
			out.StartedUnixMs = b.millis(b.get(member, "running", "startedAt"))
			out.WaitingReason = b.text(b.get(member, "waiting", "reason"))
		case "resources":
			if out.StatusResources = nil; member.Is() {
				out.StatusResources = b.resources(member)
			}
		}
	}
}

// resources are the cpu and the memory of a container. No others change while a pod stays.
func (b *builder) resources(v rawjson.Value) *setplanv1.ContainerResources {
	out := &setplanv1.ContainerResources{}
	for key, member := range b.members(v) {
		switch string(key) {
		case "requests":
			out.Requests = b.amounts(member)
		case "limits":
			out.Limits = b.amounts(member)
		}
	}
	return out
}

func (b *builder) amounts(v rawjson.Value) map[string]string {
	var out map[string]string
	for key, member := range b.members(v) {
		if name := string(key); name == "cpu" || name == "memory" {
			if out == nil {
				out = map[string]string{}
			}
			out[name] = b.amount(member)
		}
	}
	return out
}

package verify

import (
	"maps"
	"slices"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func init() {
	maps.Copy(truths, resourceTruths)
	lies = append(lies, resourceLies...)
}

// underSays changes what is under way in the pod.
func underSays(old, now string) func(*scene) {
	return func(s *scene) {
		notes := s.snapshot.Tables.AnnotationSets[s.snapshot.Pods[1].AnnotationSetIndex].Annotations
		notes[noteUpdate] = strings.Replace(notes[noteUpdate], old, now, 1)
	}
}

// main is what a resize says of the main container.
func main(s *scene) *setplanv1.ContainerResize { return s.action.GetResizePod().Containers[1] }

// resourceLies are those about pods whose resources change.
var resourceLies = []lie{
	{"update_pod with resources", "with an image that no revision has", "pod-images", func(s *scene) {
		s.action.GetUpdatePod().Containers = images("helper", "helper:1", "main", "evil:1", "mesh", "mesh:7")
	}},
	{"update_pod with resources", "of a pod that does not show them", "pod-record", changed(func(s *setplanv1.Snapshot) { s.Pods[1].Containers = nil })},
	{"update_pod with resources", "and something else", "pod-record", saying(`"revision"`, `"resized":true,"revision"`)},

	{"update_pod with resources", "nothing is said of them", "pod-record", saying(`"resize"`, `"resize":null,"restarts"`)},
	{"update_pod with resources", "of a container that the pod does not have", "pod-record", changed(func(s *setplanv1.Snapshot) { s.Pods[1].Containers.InitContainers[1].Name = "other" })},
	{"update_pod with resources", "what is not a string", "pod-record", saying(`"cpu":""`, `"cpu":null`)},
	{"update_pod with resources", "an empty list", "pod-record", saying(`"proxy":{`, `"proxy":{"limits":{},`)},
	{"update_pod with resources", "another list", "pod-record", saying(`"proxy":{`, `"proxy":{"claims":{"memory":"1Gi"},`)},
	{"update_pod with resources", "another resource", "pod-record", saying(`"limits":{`, `"limits":{"a":"1Gi",`)},
	{"update_pod with resources", "an empty container", "pod-record", saying(`"main"`, `"helper":{},"main"`)},
	{"update_pod with resources and a restart", "it starts again, in other words", "pod-record", saying(`"restarts":true`, `"restarts":"true"`)},

	{"resize_pod", "another set's", "own-pod", pointed("Pod", "web-9")},
	{"resize_pod", "no version", "version", func(s *scene) { s.action.Precondition.ResourceVersion = "" }},
	{"resize_pod", "beside the controller that runs it", "alone", changed(func(s *setplanv1.Snapshot) { s.Policy.Scope = setplanv1.Scope_SCOPE_DRAIN_ONLY })},
	{"resize_pod", "nobody asks", "pod-resize", changed(func(s *setplanv1.Snapshot) { delete(s.Set.Annotations, noteInPlace) })},
	{"resize_pod", "outside the range", "pod-resize", changed(func(s *setplanv1.Snapshot) { *s.Set.Replicas = 1 })},
	{"resize_pod", "nothing is under way", "pod-resize", func(s *scene) { under(s, nothingUnderWay) }},
	{"resize_pod", "to a revision that nobody has", "pod-resize", underSays("web-new", "web-newest")},
	{"resize_pod", "to a revision that nobody can read", "pod-resize", changed(func(s *setplanv1.Snapshot) { s.Revisions[1].Data = []byte("{") })},
	{"resize_pod", "of a pod that does not show its containers", "pod-resize", changed(func(s *setplanv1.Snapshot) { s.Pods[1].Containers = nil })},
	{"resize_pod", "in another order", "pod-resize", func(s *scene) { slices.Reverse(s.action.GetResizePod().Containers) }},
	{"resize_pod", "a container is left out", "pod-resize", func(s *scene) { s.action.GetResizePod().Containers = s.action.GetResizePod().Containers[:2] }},
	{"resize_pod", "more than the revision asks for", "pod-resize", func(s *scene) { main(s).Limits["memory"] = "4Gi" }},
	{"resize_pod", "what is no quantity", "pod-resize", func(s *scene) { main(s).Limits["memory"] = "2Gi!" }},
	{"resize_pod", "nothing instead", "pod-resize", func(s *scene) { main(s).Limits["memory"] = "" }},
	{"resize_pod", "what is not under way", "pod-resize", func(s *scene) { main(s).Limits["cpu"] = "2" }},
	{"resize_pod", "another resource", "pod-resize", func(s *scene) { main(s).Limits["nvidia.com/gpu"] = "2" }},
	{"resize_pod", "of a container of nobody's", "pod-resize", func(s *scene) {
		s.action.GetResizePod().Containers[2].Limits = map[string]string{"cpu": "1"}
	}},
}

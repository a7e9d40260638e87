package verify

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func init() {
	maps.Copy(truths, resourceTruths)
	lies = append(lies, resourceLies...)
}

// revisionSays changes the data of a revision of the snapshot.
func revisionSays(revision int, old, now string) func(*scene) {
	return changed(func(s *setplanv1.Snapshot) {
		s.Revisions[revision].Data = bytes.Replace(s.Revisions[revision].Data, []byte(old), []byte(now), 1)
	})
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
	{"update_pod with resources", "a limit that the revision no longer asks for", "pod-update", revisionSays(1, `,"memory":"2Gi"`, "")},
	{"update_pod with resources", "what is no quantity", "pod-update", revisionSays(1, `"500m"`, `"much"`)},
	{"update_pod with resources", "what was no quantity", "pod-update", revisionSays(0, `"250m"`, `"much"`)},
	{"update_pod with resources", "less than nothing", "pod-update", revisionSays(1, `"500m"`, `"-1"`)},
	{"update_pod with resources", "other resources", "pod-update", revisionSays(1, `"memory":"2Gi"`, `"memory":"2Gi","ephemeral-storage":"1Gi"`)},
	{"update_pod with resources", "of an init container that ends", "pod-update", revisionSays(1, `"first:1"`, `"first:1","resources":{"requests":{"cpu":"1"}}`)},
	{"update_pod with resources", "of a sidecar that was none", "pod-update", revisionSays(0, `"restartPolicy":"Always"`, `"restartPolicy":null`)},
	{"update_pod with resources", "of another container in its place", "pod-update", revisionSays(0, `"name":"main"`, `"name":"other"`)},
	{"update_pod with resources", "by another policy", "pod-update", revisionSays(1, `"NotRequired"`, `"RestartContainer"`)},
	{"update_pod with resources", "the label comes at once", "pod-update", func(s *scene) {
		s.action.GetUpdatePod().Labels = map[string]string{labelRevision: "web-new"}
	}},
	{"update_pod with other texts of same resources", "one is another", "pod-update", revisionSays(0, `"2048Mi"`, `"1Gi"`)},
	{"update_pod with other texts of same resources", "one comes", "pod-update", revisionSays(0, `"requests":{"cpu":"0.2"}`, `"requests":{}`)},
	{"update_pod with resources", "with an image that no revision has", "pod-images", func(s *scene) {
		s.action.GetUpdatePod().Containers = images("helper", "helper:1", "main", "evil:1", "mesh", "mesh:7")
	}},
	{"update_pod with resources", "of a pod that does not show them", "pod-images", changed(func(s *setplanv1.Snapshot) { s.Pods[1].Containers = nil })},
	{"update_pod with resources", "and something else", "pod-images", saying(`"revision"`, `"resized":true,"revision"`)},

	{"update_pod with resources", "what it had is left out", "pod-resources", saying(`"limits":{"memory":"1Gi"},`, "")},
	{"update_pod with resources", "nothing is said of them", "pod-resources", saying(`"resize"`, `"resize":null,"restarts"`)},
	{"update_pod with resources", "it had more", "pod-resources", saying(`"memory":"1Gi"`, `"memory":"4Gi"`)},
	{"update_pod with resources", "it had something", "pod-resources", saying(`"cpu":""`, `"cpu":"100m"`)},
	{"update_pod with resources", "and of what stays", "pod-resources", saying(`"limits":{`, `"limits":{"cpu":"2",`)},
	{"update_pod with resources", "and of a container of nobody's", "pod-resources", saying(`"proxy":{"requests"`, `"mesh":{"limits":{"cpu":""}},"proxy":{"requests"`)},
	{"update_pod with resources", "of a container that the pod does not have", "pod-resources", changed(func(s *setplanv1.Snapshot) { s.Pods[1].Containers.InitContainers[1].Name = "other" })},
	{"update_pod with resources", "what is not a string", "pod-resources", saying(`"cpu":""`, `"cpu":null`)},
	{"update_pod with resources", "an empty list", "pod-resources", saying(`"proxy":{`, `"proxy":{"limits":{},`)},
	{"update_pod with resources", "another list", "pod-resources", saying(`"proxy":{`, `"proxy":{"claims":{"memory":"1Gi"},`)},
	{"update_pod with resources", "another resource", "pod-resources", saying(`"limits":{`, `"limits":{"a":"1Gi",`)},
	{"update_pod with resources", "an empty container", "pod-resources", saying(`"main"`, `"helper":{},"main"`)},
	{"update_pod with resources", "it starts again", "pod-resources", saying(`"revision"`, `"restarts":true,"revision"`)},
	{"update_pod with resources and a restart", "it does not start again", "pod-resources", saying(`"restarts":true,`, "")},
	{"update_pod with resources and a restart", "it starts again, in other words", "pod-resources", saying(`"restarts":true`, `"restarts":"true"`)},
	{"update_pod with other resources on the way", "what it had at first", "pod-resources", saying(`"2Gi"`, `"1Gi"`)},
	{"update_pod with other resources on the way", "what was under way is forgotten", "pod-resources", saying(`"cpu":"250m",`, "")},
	{"update_pod that notes where resources change", "what was under way is forgotten", "pod-resources", saying(`"limits":{"memory":"1Gi"},`, "")},
	{"update_pod that notes where resources change", "it no longer starts again", "pod-resources", saying(`"restarts":true,`, "")},
	{"update_pod that notes where resources change", "it starts again from now on", "pod-resources", func(s *scene) { under(s, toNewSize) }},

	{"update_pod at its end, with its resources", "without one of them", "pod-resources", changed(func(s *setplanv1.Snapshot) {
		s.Pods[1].Containers.InitContainers[1].Resources = nil
	})},
	{"update_pod at its end, with its resources", "of a pod that does not show them", "pod-resources", changed(func(s *setplanv1.Snapshot) { s.Pods[1].Containers = nil })},

	{"resize_pod", "another set's", "own-pod", pointed("Pod", "web-9")},
	{"resize_pod", "no version", "version", func(s *scene) { s.action.Precondition.ResourceVersion = "" }},
	{"resize_pod", "beside the controller that runs it", "alone", changed(func(s *setplanv1.Snapshot) { s.Policy.Scope = setplanv1.Scope_SCOPE_DRAIN_ONLY })},
	{"resize_pod", "nobody asks", "pod-resize", changed(func(s *setplanv1.Snapshot) { delete(s.Set.Annotations, noteInPlace) })},
	{"resize_pod", "outside the range", "pod-resize", changed(func(s *setplanv1.Snapshot) { *s.Set.Replicas = 1 })},
	{"resize_pod", "nothing is under way", "pod-resize", func(s *scene) { under(s, nothingUnderWay) }},
	{"resize_pod", "nobody can read what is under way", "pod-resize", underSays(`"proxy":{`, `"proxy":{"limits":7,`)},
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
	{"resize_pod", "of an init container that ends", "pod-resize", func(s *scene) {
		underSays(`"resize":{`, `"resize":{"first":{"limits":{"cpu":""}},`)(s)
		revisionSays(1, `"first:1"`, `"first:1","resources":{"limits":{"cpu":"1"}}`)(s)
		s.action.GetResizePod().InitContainers[0].Limits = map[string]string{"cpu": "1"}
	}},
	{"resize_pod", "of what somebody else has changed", "pod-resize", changed(func(s *setplanv1.Snapshot) {
		s.Pods[1].Containers.Containers[1].Resources.Limits["memory"] = "3Gi"
	})},
	{"resize_pod of one container", "nothing", "pod-resize", func(s *scene) { s.action.GetResizePod().InitContainers[1].Requests = nil }},
	{"resize_pod of one container", "no container", "pod-resize", func(s *scene) { s.action.GetResizePod().InitContainers = nil }},
}

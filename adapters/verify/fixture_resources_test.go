package verify

import (
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// What is under way in pod web-1 where resources change, by its annotation: it goes to web-new, where its container starts again or not, is seen there,
// and goes on to web-unused, with other memory.
const (
	toNewSize   = `{"at":1772366400,"containers":{},"resize":{"main":{"limits":{"memory":"1Gi"},"requests":{"cpu":"250m","memory":"1Gi"}},"proxy":{"requests":{"cpu":""}}},"revision":"web-new","uid":"uid-web-1"}`
	anewToSize  = `{"at":1772366400,"containers":{},"resize":{"main":{"limits":{"memory":"1Gi"},"requests":{"cpu":"250m","memory":"1Gi"}},"proxy":{"requests":{"cpu":""}}},"restarts":true,"revision":"web-new","uid":"uid-web-1"}`
	notedSize   = `{"at":1772366460,"containers":{},"resize":{"main":{"limits":{"memory":"1Gi"},"requests":{"cpu":"250m","memory":"1Gi"}},"proxy":{"requests":{"cpu":""}}},"restarts":true,"revision":"web-new","seen":true,"uid":"uid-web-1"}`
	toOtherSize = `{"at":1772366460,"containers":{},"resize":{"main":{"limits":{"memory":"2Gi"},"requests":{"cpu":"250m","memory":"2Gi"}},"proxy":{"requests":{"cpu":""}}},"revision":"web-unused","uid":"uid-web-1"}`
)

// inPlaceResources is a set whose pods are updated in place. Pod web-1 is at a revision that differs in a label, in the resources of a container, and
// in those of a sidecar, and its annotation says this. Texts of the same amounts differ, too. Somebody has put another container into the pod.
func inPlaceResources(underWay string) *setplanv1.Snapshot {
	snapshot := inPlaceImages(underWay)
	const mainIs, proxyIs = `"resources":{"limits":{"cpu":2.0}}`, `"image":"proxy:2"`
	template := strings.NewReplacer(mainIs, `"resources":{"limits":{"cpu":2.0,"memory":"2Gi"},"requests":{"cpu":"500m"}},"resizePolicy":[{"resourceName":"memory","restartPolicy":"NotRequired"}]`,
		proxyIs, proxyIs+`,"resources":{"requests":{"cpu":"200m"}}`).Replace(string(snapshot.Set.PodTemplate))
	old := strings.NewReplacer(`"memory":"2Gi"`, `"memory":"1024Mi"`, `"500m"`, `"250m"`, `"cpu":2.0`, `"cpu":"2"`, `,"resources":{"requests":{"cpu":"200m"}}`, `,"resources":{"limits":{}}`,
		`"app":"web"`, `"app":"web","tier":"gold"`).Replace(template)
	other := strings.Replace(template, `"2Gi"`, `"4Gi"`, 1)
	snapshot.Set.PodTemplate = []byte(template)
	for i, data := range map[int]string{0: old, 1: template, 3: other} {
		snapshot.Revisions[i].Data = []byte(`{"spec":{"template":{"$patch":"replace",` + data[1:] + `}}`)
	}
	shown := snapshot.Pods[1].Containers
	shown.InitContainers[1].Image, shown.Containers[1].Image = "proxy:2", "main:2"
	shown.Containers[1].Resources = &setplanv1.ContainerResources{Requests: map[string]string{"cpu": "250m", "memory": "1Gi"}, Limits: map[string]string{"cpu": "2", "memory": "1Gi"}}
	return snapshot
}

// startingAnew is that set where the main container starts again to have other memory.
func startingAnew(underWay string) *setplanv1.Snapshot {
	snapshot := inPlaceResources(underWay)
	anew := func(text []byte) []byte {
		return []byte(strings.Replace(string(text), `"NotRequired"`, `"RestartContainer"`, 1))
	}
	snapshot.Set.PodTemplate = anew(snapshot.Set.PodTemplate)
	for _, revision := range snapshot.Revisions {
		revision.Data = anew(revision.Data)
	}
	return snapshot
}

// goingOn is that set while web-1 is on its way to web-new, whose resources its main container has already.
func goingOn() *setplanv1.Snapshot {
	snapshot := inPlaceResources(toNewSize)
	main := snapshot.Pods[1].Containers.Containers[1].Resources
	main.Requests["cpu"], main.Requests["memory"], main.Limits["memory"] = "500m", "2Gi", "2Gi"
	return snapshot
}

// starting is an update of web-1 that begins with this under way.
func starting(underWay string, removeLabels ...string) *setplanv1.Action {
	a := act("Pod", "web-1", true)
	a.Operation = &setplanv1.Action_UpdatePod{UpdatePod: &setplanv1.UpdatePod{RemoveLabels: removeLabels, Annotations: map[string]string{noteUpdate: underWay}}}
	return a
}

// sized is that set when web-1 has all that it is to have but, perhaps, for its sidecar.
func sized(proxy string) *setplanv1.Snapshot {
	snapshot := goingOn()
	snapshot.Pods[1].Containers.InitContainers[1].Resources = &setplanv1.ContainerResources{Requests: map[string]string{"cpu": proxy}}
	return snapshot
}

// finishing is the end of an update of web-1.
func finishing() *setplanv1.Action {
	a := act("Pod", "web-1", true)
	a.Operation = &setplanv1.Action_UpdatePod{UpdatePod: &setplanv1.UpdatePod{Labels: map[string]string{labelRevision: "web-new"}, Annotations: map[string]string{noteUpdate: nothingUnderWay}}}
	return a
}

// resized are containers, of which one gets these requests and limits.
func resized(name string, requests, limits map[string]string, all ...string) (list []*setplanv1.ContainerResize) {
	for _, container := range all {
		c := &setplanv1.ContainerResize{Name: container}
		if container == name {
			c.Requests, c.Limits = requests, limits
		}
		list = append(list, c)
	}
	return list
}

// resourceTruths are true actions of pods whose resources change.
var resourceTruths = map[string]func() *scene{
	"update_pod with resources": func() *scene {
		return &scene{action: starting(toNewSize, "tier"), snapshot: inPlaceResources(nothingUnderWay)}
	},
	"update_pod with resources and a restart": func() *scene {
		return &scene{action: starting(anewToSize, "tier"), snapshot: startingAnew(nothingUnderWay)}
	},
	"update_pod with other resources on the way":            func() *scene { return &scene{action: starting(toOtherSize), snapshot: goingOn()} },
	"update_pod that notes where resources change":          func() *scene { return &scene{action: starting(notedSize), snapshot: startingAnew(anewToSize)} },
	"update_pod with other texts of same resources":         sameSize,
	"update_pod at its end, with its resources":             func() *scene { return &scene{action: finishing(), snapshot: sized("200m")} },
	"update_pod at its end, with what somebody has changed": func() *scene { return &scene{action: finishing(), snapshot: sized("50m")} },
	"resize_pod": func() *scene {
		a := act("Pod", "web-1", true)
		a.Operation = &setplanv1.Action_ResizePod{ResizePod: &setplanv1.ResizePod{
			Containers:     resized("main", map[string]string{"cpu": "500m", "memory": "2Gi"}, map[string]string{"memory": "2Gi"}, "helper", "main", "mesh"),
			InitContainers: resized("proxy", map[string]string{"cpu": "200m"}, nil, "first", "proxy")}}
		return &scene{action: a, snapshot: inPlaceResources(toNewSize)}
	},
	"resize_pod of one container": func() *scene {
		a := act("Pod", "web-1", true)
		a.Operation = &setplanv1.Action_ResizePod{ResizePod: &setplanv1.ResizePod{InitContainers: resized("proxy", map[string]string{"cpu": "200m"}, nil, "first", "proxy")}}
		return &scene{action: a, snapshot: goingOn()}
	},
}

// sameSize relabels a pod: the revisions differ in a label, and in texts that mean the same.
func sameSize() *scene {
	a := act("Pod", "web-1", true)
	a.Operation = &setplanv1.Action_UpdatePod{UpdatePod: &setplanv1.UpdatePod{Labels: map[string]string{labelRevision: "web-new"}, RemoveLabels: []string{"tier"}}}
	s := &scene{action: a, snapshot: inPlaceResources(nothingUnderWay)}
	text := strings.NewReplacer(`"1024Mi"`, `"2048Mi"`, `"250m"`, `0.5`, `"limits":{}`, `"requests":{"cpu":"0.2"}`).Replace(string(s.snapshot.Revisions[0].Data))
	s.snapshot.Revisions[0].Data = []byte(text)
	return s
}

package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/clients/cli/world"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Several writes bring a pod to another revision in place: one notes it and changes images, one changes resources, and one says that it is there.
// Each is taken out of what was seen by itself, so that it does not matter how many of them, and how much of what a kubelet did between them, came
// from one look to the next.

// updatedTo is the revision of an update in place: the label's or, while images change, the one that is noted as under way.
func updatedTo(update *setplanv1.UpdatePod) string {
	return cmp.Or(update.GetLabels()[revisionLabel], world.UnderWay(update.GetAnnotations()))
}

// resizedTo is what containers get.
func resizedTo(resize *setplanv1.ResizePod) string {
	var all []string
	for _, c := range slices.Concat(resize.GetContainers(), resize.GetInitContainers()) {
		all = append(all, amounts(c.GetName(), nil, &setplanv1.ContainerResources{Requests: c.GetRequests(), Limits: c.GetLimits()})...)
	}
	return inWords(all)
}

// amounts are what a container is to have now and was not before.
func amounts(container string, was, is *setplanv1.ContainerResources) (all []string) {
	for _, list := range [...]struct {
		name    string
		was, is map[string]string
	}{{"requests", was.GetRequests(), is.GetRequests()}, {"limits", was.GetLimits(), is.GetLimits()}} {
		for name, amount := range list.is {
			if canonical(amount) != canonical(list.was[name]) {
				all = append(all, fmt.Sprintf("%s %s.%s %s", container, list.name, name, canonical(amount)))
			}
		}
	}
	return all
}

func inWords(all []string) string {
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// inPlace adds what was done to a pod on its way to another revision, and reports whether anything was.
func (d *difference) inPlace(was, is *setplanv1.Pod) bool {
	before := len(d.writes)
	from, to := wayOf(d.old, was), wayOf(d.now, is)
	switch arrived, changed := d.arrives(was, is), resized(was, is); {
	case arrived && to == "":
		d.resizes(was, is, changed)
		d.arrival(was, is)
	case arrived:
		d.arrival(was, is)
		d.add(updatePod, is, to, func(s *setplanv1.Snapshot) { s.Pods = putBack(s.Pods, d.afterArrival(s, was, is)) })
		d.resizes(was, is, changed)
	case to != "":
		if to != from {
			d.add(updatePod, is, to, d.startBack(was, is))
		}
		d.resizes(was, is, changed)
	case cmp.Or(from, revisionIn(d.old, was)) != revisionIn(d.now, is): // all of it, or what needs a single write
		d.add(updatePod, is, revisionIn(d.now, is), d.startBack(was, is))
	}
	return len(d.writes) > before
}

// startBack undoes the first write and all after it. A planner marks a pod before it starts, and knows by that what runs in it.
func (d *difference) startBack(was, is *setplanv1.Pod) func(*setplanv1.Snapshot) {
	back := d.podBack(was)
	if was.GetContainers() != nil || is.GetContainers() == nil {
		return back
	}
	return func(s *setplanv1.Snapshot) {
		back(s)
		changedIn(s.GetPods(), was.GetName(), func(pod *setplanv1.Pod) {
			atRest(s, pod)
			pod.Containers = proto.CloneOf(is.GetContainers())
		})
	}
}

// atRest marks a pod as one in which nothing is under way.
func atRest(s *setplanv1.Snapshot, pod *setplanv1.Pod) {
	pod.AnnotationSetIndex = notesBack(s, pod.GetAnnotationSetIndex(), map[string]string{world.AnnotationUpdate: "{}"}, world.AnnotationUpdate)
}

// arrives reports whether a pod has arrived where it was on its way to. One that was sent back has that label already.
func (d *difference) arrives(was, is *setplanv1.Pod) bool {
	from := wayOf(d.old, was)
	return from != "" && revisionIn(d.now, is) == from && wayOf(d.now, is) != from
}

// arrival is the last write: the label, and that nothing is under way. What ran when it was written is nearer to what runs now than to what ran
// when somebody last looked.
func (d *difference) arrival(was, is *setplanv1.Pod) {
	revision := revisionIn(d.now, is)
	if revision == revisionIn(d.old, was) {
		revision = "" // the write does not name it
	}
	d.add(updatePod, is, revision, func(s *setplanv1.Snapshot) {
		changedIn(s.GetPods(), is.GetName(), func(pod *setplanv1.Pod) { markedLike(s, pod, was, d.old.GetTables()) })
	})
}

// afterArrival is a pod that has arrived, and is not on its next way yet.
func (d *difference) afterArrival(s *setplanv1.Snapshot, was, is *setplanv1.Pod) *setplanv1.Pod {
	pod := podIn(s, was, d.old.GetTables())
	markedLike(s, pod, is, d.now.GetTables())
	atRest(s, pod)
	return pod
}

// markedLike gives a pod the labels, the revision and the annotations of another snapshot's.
func markedLike(s *setplanv1.Snapshot, pod, like *setplanv1.Pod, from *setplanv1.Tables) {
	like = podIn(s, like, from)
	pod.LabelSetIndex, pod.RevisionNameIndex, pod.AnnotationSetIndex = like.GetLabelSetIndex(), like.GetRevisionNameIndex(), like.GetAnnotationSetIndex()
}

// resizes adds what containers were given, if it was anything.
func (d *difference) resizes(was, is *setplanv1.Pod, changed string) {
	if changed == "" {
		return
	}
	d.add(resizePod, is, changed, func(s *setplanv1.Snapshot) {
		changedIn(s.GetPods(), is.GetName(), func(pod *setplanv1.Pod) { resourcesBack(pod.GetContainers(), was.GetContainers()) })
	})
}

// resized says what containers of a pod were given.
func resized(was, is *setplanv1.Pod) string {
	var all []string
	eachPair(was.GetContainers(), is.GetContainers(), func(was, is *setplanv1.Container) {
		all = append(all, amounts(is.GetName(), was.GetResources(), is.GetResources())...)
	})
	return inWords(all)
}

// resourcesBack takes resources from containers, and what a kubelet says of the change.
func resourcesBack(is, was *setplanv1.PodContainers) {
	eachPair(was, is, func(was, is *setplanv1.Container) { is.Resources = proto.CloneOf(was.GetResources()) })
	if is != nil {
		is.ResizePending, is.ResizeInProgress = proto.CloneOf(was.GetResizePending()), proto.CloneOf(was.GetResizeInProgress())
	}
}

// eachPair walks the containers that a pod had before and has now; which they are never changes.
func eachPair(was, is *setplanv1.PodContainers, do func(was, is *setplanv1.Container)) {
	before, after := slices.Concat(was.GetContainers(), was.GetInitContainers()), slices.Concat(is.GetContainers(), is.GetInitContainers())
	if len(before) != len(after) {
		return // nobody has told of one of them
	}
	for i := range before {
		do(before[i], after[i])
	}
}

// wayOf is the revision that a pod is on its way to; empty if it is at rest.
func wayOf(s *setplanv1.Snapshot, pod *setplanv1.Pod) string {
	return world.UnderWay(notesIn(s, pod.GetAnnotationSetIndex()))
}

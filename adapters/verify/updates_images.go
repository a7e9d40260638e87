package verify

import (
	"fmt"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The check of images in place.

// The lists of containers of a pod's spec.
const (
	listContainers     = "containers"
	listInitContainers = "initContainers"
)

var containerLists = [...]string{listContainers, listInitContainers}

// podImagesFault: images are the template's where the revisions differ, and otherwise stay; what is under way is what the snapshot shows; and the
// label comes when it is over.
func podImagesFault(s *subject) string {
	does, under := s.updating(), s.underWay(s.pod)
	label, labelled := s.action.GetUpdatePod().GetLabels()[labelRevision]
	if !labelled {
		label = s.labelledRevision(s.pod)
	}
	switch {
	case under.broken:
		return "nobody can read what is under way in the pod"
	case does.step != starts && len(s.images(listContainers))+len(s.images(listInitContainers)) > 0:
		return "images change, and nothing says what is under way"
	case does.step == finishes && label != does.to:
		return "the label is not the revision that the pod was on its way to"
	case does.step == relabels && under.revision != "":
		return "the pod is on its way to a revision"
	case does.step == relabels || does.step == finishes:
		return ""
	case s.pod.GetContainers() == nil:
		return "the snapshot does not show what runs in the pod"
	case does.step == notes:
		return s.recordFault(does, under, nil)
	}
	old, next := s.stored(s.revisionOf(s.runs(s.pod))), s.templateOf(does.to)
	_, _, changed := apartFromImages(old, next)
	_, _, resized, _ := apartFromResources(old, next)
	if len(changed[listContainers])+len(changed[listInitContainers])+len(resized) == 0 && under.revision == "" {
		return "the templates differ in no image, and in no resource"
	}
	for _, list := range containerLists {
		if why := imagesFault(s.images(list), s.shown(list), changed[list]); why != "" {
			return why
		}
	}
	return s.recordFault(does, under, changed)
}

func (s *subject) images(list string) []*setplanv1.ContainerImage {
	if list == listContainers {
		return s.action.GetUpdatePod().GetContainers()
	}
	return s.action.GetUpdatePod().GetInitContainers()
}

// shown are the containers that the snapshot shows of the pod.
func (s *subject) shown(list string) []*setplanv1.Container {
	if list == listContainers {
		return s.pod.GetContainers().GetContainers()
	}
	return s.pod.GetContainers().GetInitContainers()
}

// imagesFault compares a list of images with the pod's containers, and with what changes of them. A list in which nothing changes may be left
// out.
func imagesFault(images []*setplanv1.ContainerImage, shown []*setplanv1.Container, changed map[string]string) string {
	if len(images)+len(changed) == 0 {
		return ""
	}
	if len(images) != len(shown) {
		return "the images are not those of all containers of the pod"
	}
	found := 0
	for i, c := range shown {
		wanted, changes := changed[c.GetName()]
		if changes {
			found++
		} else {
			wanted = c.GetImage()
		}
		switch {
		case images[i].GetName() != c.GetName():
			return "the containers are not in the order of the pod"
		case images[i].GetImage() != wanted:
			return fmt.Sprintf("the image of the container %s is not what the templates differ in", quote(c.GetName()))
		}
	}
	if found != len(changed) {
		return "the pod lacks a container whose image changes"
	}
	return ""
}

// recordFault: of each container whose image changes, what is under way says what the snapshot shows of it. What was under way before stays in it,
// as it was; a note may say of it what the snapshot shows now.
func (s *subject) recordFault(does updating, under underWay, changed map[string]map[string]string) string {
	noted, before := does.record.get("containers"), under.record.get("containers")
	if uid := does.record.get("uid"); uid != nil && !uid.is(s.pod.GetUid()) {
		return "what is under way has the uid of another pod"
	}
	if !recorded(does.record) || (does.record.get("seen") != nil) != (does.step == notes) {
		return "what is under way has another form"
	}
	known := 0
	for _, list := range containerLists {
		for _, c := range s.shown(list) {
			entry, was := noted.get(c.GetName()), before.get(c.GetName())
			if entry != nil {
				known++
			}
			right := equal(entry, was)
			if _, changes := changed[list][c.GetName()]; changes || !right && was != nil && does.step == notes {
				right = tells(entry, c, was)
			}
			if !right {
				return fmt.Sprintf("what is under way is not what the snapshot shows of the container %s", quote(c.GetName()))
			}
		}
	}
	switch {
	case known != len(noted.object()):
		return "what is under way names a container that the pod does not have"
	case !canonical([]byte(s.action.GetUpdatePod().GetAnnotations()[noteUpdate])):
		return "what is under way is not written as JSON is written here" // and no planner could read it
	}
	return ""
}

// recorded reports whether a record has its form, but for its entries.
func recorded(record *node) bool {
	at, containers := record.get("at"), record.get("containers")
	return differing(record, nil, map[string]bool{"at": true, "containers": true, "resize": true, "restarts": true, "revision": true, "seen": true, "uid": true}) == "" &&
		at != nil && at.kind == '0' && strings.Trim(at.text, "0123456789") == "" && len(at.text) <= maxSeconds &&
		containers != nil && containers.kind == '{' && isTrueOrNone(record.get("seen"))
}

// maxSeconds is how many digits a time in seconds has at most.
const maxSeconds = 11

func isTrueOrNone(n *node) bool { return n == nil || n.kind == 'b' && n.text == "true" }

// tells reports whether an entry is what a container shows. Where there was an entry before, it also tells what ran when that began.
func tells(entry *node, shown *setplanv1.Container, was *node) bool {
	if entry == nil || entry.kind != '{' || differing(entry, nil, map[string]bool{"id": true, "image": true, "good": true, "open": true}) != "" ||
		!isTrueOrNone(entry.get("open")) || !ranAs(entry, shown.GetContainerId(), shown.GetImageId()) {
		return false
	}
	good, first := entry.get("good"), was.get("good")
	if was == nil {
		return good == nil && entry.get("open") == nil
	}
	if first == nil {
		first = was
	}
	return good != nil && len(good.object()) == 2 && ranAs(good, first.get("id").string(), first.get("image").string())
}

// ranAs reports whether a record names a container and its image.
func ranAs(n *node, id, image string) bool {
	return n.get("id").is(id) && n.get("image").is(image)
}

// apartFromImages takes the images that may change in place out of two templates: those of containers, and of sidecars, which have the same place
// and name in both. changed are those that differ, by list and name.
func apartFromImages(old, next *node) (oldRest, nextRest *node, changed map[string]map[string]string) {
	changed = map[string]map[string]string{}
	for _, list := range containerLists {
		a, b := old.get("spec", list), next.get("spec", list)
		if a == nil || b == nil || a.kind != '[' || b.kind != '[' || len(a.items) != len(b.items) {
			continue
		}
		changed[list] = map[string]string{}
		left, right := &node{kind: '['}, &node{kind: '['}
		for i := range a.items {
			x, y := a.items[i], b.items[i]
			name, from, to := y.get("name").string(), x.get("image").string(), y.get("image").string()
			if stays(list, x) && stays(list, y) && x.get("name").is(name) && from != "" && to != "" {
				if from != to {
					changed[list][name] = to
				}
				x, y = x.without("image"), y.without("image")
			}
			left.items, right.items = append(left.items, x), append(right.items, y)
		}
		old, next = old.with(left, "spec", list), next.with(right, "spec", list)
	}
	return old, next, changed
}

// with returns an object in which a value replaces another one. It shares the rest.
func (n *node) with(value *node, keys ...string) *node {
	if len(keys) == 0 {
		return value
	}
	out := n.without(keys[0])
	out.members[keys[0]] = n.members[keys[0]].with(value, keys[1:]...)
	return out
}

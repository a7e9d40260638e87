package verify

import (
	"fmt"
	"maps"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The checks of updates in place. They hold what a pod gets against the pod as it is shown, and against the template of one revision, the target: the one that
// the pod's note names, or otherwise the label. Whether it is time for that, and whether the pod could be updated in place at all, is the planner's business.

const noteInPlace = "setplan.io/in-place"

// target is the revision that an UpdatePod is for, by its note or its label, or the label that the pod keeps.
func (s *subject) target() string {
	update := s.action.GetUpdatePod()
	if text, noted := update.GetAnnotations()[noteUpdate]; noted && text != nothingUnderWay {
		record, _ := parse([]byte(text), true)
		return record.get("revision").string()
	}
	if label, labelled := update.GetLabels()[labelRevision]; labelled {
		return label
	}
	return s.labelledRevision(s.pod)
}

// targetTemplate is nil where the target is no revision that pods may have, or cannot be read.
func (s *subject) targetTemplate() *node {
	if to := s.target(); s.mayHave(to) {
		return s.templateOf(to)
	}
	return nil
}

// podUpdateFault: a pod gets labels and annotations of the target, and loses those that the target does not have.
func podUpdateFault(s *subject) string {
	to, runs, update, next := s.target(), s.runs(s.pod), s.action.GetUpdatePod(), s.targetTemplate()
	if why := s.inPlaceFault(); why != "" {
		return why
	}
	switch _, noted := update.GetAnnotations()[noteUpdate]; {
	case next == nil && (to == "" || to != runs): // what a pod is on its way to may be gone when it arrives
		return fmt.Sprintf("the revision %s is neither the set's nor made by the plan, or it cannot be read", quote(to))
	case !noted && to != runs && runs != "" && runs != s.labelledRevision(s.pod):
		return "the pod is on its way to another revision"
	}
	for i := range s.claimTemplates() {
		if s.has(s.removedAt(runs), i) != s.has(s.removedAt(to), i) {
			return "the revision has other claim templates than the pod's"
		}
	}
	labels, annotations := maps.Clone(update.GetLabels()), maps.Clone(update.GetAnnotations())
	if delete(annotations, noteUpdate); labels[labelRevision] == to {
		delete(labels, labelRevision)
	}
	if why := s.changeFault("labels", next, labels, update.GetRemoveLabels()); why != "" {
		return why
	}
	return s.changeFault("annotations", next, annotations, update.GetRemoveAnnotations())
}

// inPlaceFault: only pods in the range of a set that asks for it are updated in place.
func (s *subject) inPlaceFault() string {
	ordinal, isMember := ordinalOf(s.name(), s.set.GetName())
	switch {
	case !s.updatesInPlace():
		return "the set does not ask that pods are updated in place"
	case s.deleting() || !isMember || !s.inRange(ordinal):
		return "no ordinal of the range has this pod"
	}
	return ""
}

// updatesInPlace reads the set's policy. A text that this build does not know asks for it, too: what is not deleted is safe.
func (v *Verifier) updatesInPlace() bool {
	policy := v.set.GetAnnotations()[noteInPlace]
	if field := v.document("own fields", v.set.GetOwnFields()).get("inPlace").string(); field != "" {
		policy = field
	}
	return policy != "" && policy != "Recreate"
}

// changeFault: what is set is what the target says, and what is removed is what a template of the pod says and the target does not.
func (s *subject) changeFault(what string, next *node, set map[string]string, remove []string) string {
	ours := func(key string) bool {
		return key == labelPodName || key == labelPodIndex || key == labelRevision || strings.HasPrefix(key, "setplan.io/")
	}
	says := func(revision, key string) bool {
		return s.stored(s.revisionOf(revision)).get("metadata", what, key) != nil
	}
	for key, value := range set {
		if ours(key) || !next.get("metadata", what, key).is(value) {
			return fmt.Sprintf("%s of the %s is not what the revision says", quote(key), what)
		}
	}
	for _, key := range remove {
		if ours(key) || !says(s.runs(s.pod), key) && !says(s.labelledRevision(s.pod), key) || next.get("metadata", what, key) != nil {
			return fmt.Sprintf("%s of the %s is not what the revision takes away", quote(key), what)
		}
	}
	return ""
}

// The lists of containers of a pod's spec.
const (
	listContainers     = "containers"
	listInitContainers = "initContainers"
)

var containerLists = [...]string{listContainers, listInitContainers}

// shown are the containers that the snapshot shows of the pod.
func (s *subject) shown(list string) []*setplanv1.Container {
	if list == listContainers {
		return s.pod.GetContainers().GetContainers()
	}
	return s.pod.GetContainers().GetInitContainers()
}

// containersOf are those of a list of a template, by name.
func containersOf(template *node, list string) map[string]*node {
	byName := map[string]*node{}
	if containers := template.get("spec", list); containers != nil {
		for _, c := range containers.items {
			byName[c.get("name").string()] = c
		}
	}
	return byName
}

// podImagesFault: an image is the one that is shown, or the target's. The pod is said to be at the target, or on its way to it, only with the target's
// images: those in which it differs from the template that the pod has are set or shown.
func podImagesFault(s *subject) string {
	update, old, next := s.action.GetUpdatePod(), s.stored(s.revisionOf(s.runs(s.pod))), s.targetTemplate()
	images := map[string][]*setplanv1.ContainerImage{listContainers: update.GetContainers(), listInitContainers: update.GetInitContainers()}
	for _, list := range containerLists {
		has, before, wanted := map[string]string{}, containersOf(old, list), containersOf(next, list)
		for _, c := range s.shown(list) {
			has[c.GetName()] = c.GetImage()
		}
		if len(images[list]) > 0 && len(images[list]) != len(s.shown(list)) {
			return "the images are not those of all containers of the pod"
		}
		for i, image := range images[list] {
			switch shown := s.shown(list)[i]; {
			case image.GetName() != shown.GetName():
				return "the containers are not in the order of the pod"
			case image.GetImage() != shown.GetImage() && !wanted[image.GetName()].get("image").is(image.GetImage()):
				return fmt.Sprintf("the image of the container %s is not what the revision says", quote(image.GetName()))
			}
			has[image.GetName()] = image.GetImage()
		}
		for name, c := range wanted {
			if image := c.get("image"); !image.is(has[name]) && (before[name] == nil || !equal(image, before[name].get("image"))) {
				return fmt.Sprintf("the container %s does not have the image of the revision", quote(name))
			}
		}
	}
	return ""
}

// podResizeFault: containers get what the revision asks for that the pod runs, or is on its way to. A request that it does not have is its limit.
func podResizeFault(s *subject) string {
	if why := s.inPlaceFault(); why != "" {
		return why
	}
	to, resize := s.runs(s.pod), s.action.GetResizePod()
	if !s.mayHave(to) {
		return fmt.Sprintf("the revision %s is neither the set's nor made by the plan", quote(to))
	}
	for list, resizes := range map[string][]*setplanv1.ContainerResize{listContainers: resize.GetContainers(), listInitContainers: resize.GetInitContainers()} {
		if len(resizes) > 0 && len(resizes) != len(s.shown(list)) {
			return "the resources are not those of all containers of the pod"
		}
		asks := containersOf(s.templateOf(to), list)
		for i, c := range resizes {
			if c.GetName() != s.shown(list)[i].GetName() {
				return "the containers are not in the order of the pod"
			}
			for resource, quantity := range c.GetLimits() {
				if !asks[c.GetName()].get("resources", "limits", resource).asksFor(quantity) {
					return fmt.Sprintf("the limit of %s is not what the revision asks for", quote(resource))
				}
			}
			for resource, quantity := range c.GetRequests() {
				wanted := asks[c.GetName()].get("resources", "requests", resource)
				if wanted == nil {
					wanted = asks[c.GetName()].get("resources", "limits", resource)
				}
				if !wanted.asksFor(quantity) {
					return fmt.Sprintf("the request of %s is not what the revision asks for", quote(resource))
				}
			}
		}
	}
	return ""
}

// asksFor reports whether a quantity in a template, which may be a number, is this text.
func (n *node) asksFor(quantity string) bool {
	return n != nil && (n.kind == '"' || n.kind == '0') && n.text == quantity
}

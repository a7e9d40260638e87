package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The check of updates in place: of a set that asks for them, a pod gets images, resources, labels and annotations that its templates have. Of which
// template, and when, is the planner's business.

const (
	noteInPlace = "setplan.io/in-place"
	noteUpdate  = "setplan.io/in-place-update"
)

func inPlaceFault(s *subject) string {
	update, resize, shown := s.action.GetUpdatePod(), s.action.GetResizePod(), s.pod.GetContainers()
	switch {
	case !s.updatesInPlace():
		return "the set does not ask that pods are updated in place"
	case len(update.GetAnnotations()[noteUpdate]) > longestNote*(1+len(shown.GetContainers())+len(shown.GetInitContainers())):
		return "the note of what is under way is too long"
	}
	return cmp.Or(s.metadataFault("labels", labelRevision, update.GetLabels(), update.GetRemoveLabels()),
		s.metadataFault("annotations", noteUpdate, update.GetAnnotations(), update.GetRemoveAnnotations()),
		s.containersFault(containerLists[0], shown.GetContainers(), update.GetContainers(), resize.GetContainers()),
		s.containersFault(containerLists[1], shown.GetInitContainers(), update.GetInitContainers(), resize.GetInitContainers()))
}

// containerLists are those of a pod's spec.
var containerLists = [...]string{"containers", "initContainers"}

// updatesInPlace reads the set's policy. A text that this build does not know asks for it, too: what is not deleted is safe.
func (v *Verifier) updatesInPlace() bool {
	policy := v.set.GetAnnotations()[noteInPlace]
	if field := v.document("own fields", v.set.GetOwnFields()).get("inPlace").string(); field != "" {
		policy = field
	}
	return policy != "" && policy != "Recreate"
}

// metadataFault: what is set is what a template says. What is removed one template says, and another does not. The planner's own key has any value.
func (s *subject) metadataFault(what, own string, set map[string]string, remove []string) string {
	says := func(key string, value func(*node) bool) bool {
		identity := key == labelPodName || key == labelPodIndex || key == labelRevision || strings.HasPrefix(key, "setplan.io/")
		return !identity && slices.ContainsFunc(s.templates(), func(t *node) bool { return value(t.get("metadata", what, key)) })
	}
	for key, value := range set {
		if key != own && !says(key, func(n *node) bool { return n.is(value) }) {
			return fmt.Sprintf("%s of the %s is not what a template says", quote(key), what)
		}
	}
	for _, key := range remove {
		if !says(key, func(n *node) bool { return n != nil }) || !says(key, func(n *node) bool { return n == nil }) {
			return fmt.Sprintf("%s of the %s is not what a template takes away", quote(key), what)
		}
	}
	return ""
}

// containersFault: an image is the one that is shown, or a template's. Limits and requests are a template's; a request that it does not have is its limit.
func (s *subject) containersFault(list string, shown []*setplanv1.Container, images []*setplanv1.ContainerImage, sizes []*setplanv1.ContainerResize) string {
	have := func(container string, asks func(*node) bool) bool {
		return slices.ContainsFunc(s.templates(), func(t *node) bool {
			return slices.ContainsFunc(t.get("spec", list).list(), func(c *node) bool { return c.get("name").is(container) && asks(c) })
		})
	}
	for _, c := range images {
		same := func(is *setplanv1.Container) bool {
			return is.GetName() == c.GetName() && is.GetImage() == c.GetImage()
		}
		if !slices.ContainsFunc(shown, same) && !have(c.GetName(), func(of *node) bool { return of.get("image").is(c.GetImage()) }) {
			return fmt.Sprintf("the image of the container %s is not what a template says", quote(c.GetName()))
		}
	}
	for _, c := range sizes {
		for resource, quantity := range c.GetLimits() {
			if !have(c.GetName(), func(of *node) bool { return of.get("resources", "limits", resource).asksFor(quantity) }) {
				return fmt.Sprintf("the limit of %s is not what a template asks for", quote(resource))
			}
		}
		for resource, quantity := range c.GetRequests() {
			if !have(c.GetName(), func(of *node) bool {
				return cmp.Or(of.get("resources", "requests", resource), of.get("resources", "limits", resource)).asksFor(quantity)
			}) {
				return fmt.Sprintf("the request of %s is not what a template asks for", quote(resource))
			}
		}
	}
	return ""
}

// asksFor reports whether a quantity in a template, which may be a number, is this text.
func (n *node) asksFor(quantity string) bool {
	return n != nil && (n.kind == '"' || n.kind == '0') && n.text == quantity
}

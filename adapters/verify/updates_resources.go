package verify

import (
	"fmt"
	"maps"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The checks of resources in place: a start notes what the containers had, and a resize then gives them what the revision asks for.

// podResourcesFault: what is under way says of the resources what the snapshot shows.
func podResourcesFault(s *subject) string {
	does, under := s.updating(), s.underWay(s.pod)
	switch does.step {
	case relabels:
		return ""
	case finishes:
		return s.finishedFault(under)
	}
	had, ok := recordedAmounts(does.record)
	wanted, _ := recordedAmounts(under.record)
	restarted, restarts := under.record.get("restarts"), does.record.get("restarts")
	anew := does.step == notes && restarted != nil
	if does.step == starts {
		var changed amounts
		_, _, changed, anew = apartFromResources(s.stored(s.revisionOf(s.runs(s.pod))), s.templateOf(does.to))
		for of := range changed {
			c := s.shownNamed(of.container)
			if c == nil {
				return "the pod lacks a container whose resources change"
			}
			wanted[of] = shownAmount(c, of)
		}
	}
	switch {
	case !ok || !isTrueOrNone(restarts):
		return "what is under way has another form"
	case !maps.Equal(had, wanted):
		return "what is under way is not what the snapshot shows of the resources that change"
	case anew && restarts == nil, !anew && restarts != nil && (restarted == nil || does.step == notes):
		return "what is under way does not say whether containers start again for their resources"
	}
	return ""
}

// finishedFault: the label follows when the pod's spec has what the revision asks for, or what somebody else has put there since.
func (s *subject) finishedFault(under underWay) string {
	had, _ := recordedAmounts(under.record)
	template := s.templateOf(under.revision)
	for of, was := range had {
		c, wanted := s.shownNamed(of.container), askedIn(template, of)
		if c == nil || wanted != nil && sameQuantity(shownAmount(c, of), was) && !sameQuantity(shownAmount(c, of), wanted.quantity()) {
			return of.words() + " are not what the revision asks for"
		}
	}
	return ""
}

// shownNamed is a container that the snapshot shows of the pod; nil: there is none of the name.
func (s *subject) shownNamed(name string) *setplanv1.Container {
	for _, list := range containerLists {
		for _, c := range s.shown(list) {
			if c.GetName() == name {
				return c
			}
		}
	}
	return nil
}

// podResizeFault: containers get what the revision asks for to which their pod is on its way, and nothing that nobody has noted.
func podResizeFault(s *subject) string {
	under, resize := s.underWay(s.pod), s.action.GetResizePod()
	had, ok := recordedAmounts(under.record)
	template := s.templateOf(under.revision)
	why := s.inPlaceFault()
	switch {
	case why != "":
		return why
	case under.revision == "" || !ok:
		return "no resources of the pod are under way"
	case s.pod.GetContainers() == nil:
		return "the snapshot does not show what runs in the pod"
	case !s.mayHave(under.revision) || template == nil:
		return fmt.Sprintf("the revision %s is neither the set's nor made by the plan, or it cannot be read", quote(under.revision))
	}
	changes := 0
	for list, resizes := range map[string][]*setplanv1.ContainerResize{listContainers: resize.GetContainers(), listInitContainers: resize.GetInitContainers()} {
		if len(resizes) > 0 && len(resizes) != len(s.shown(list)) {
			return "the resources are not those of all containers of the pod"
		}
		for i, c := range resizes {
			shown := s.shown(list)[i]
			if c.GetName() != shown.GetName() {
				return "the containers are not in the order of the pod"
			}
			set := amountsOf(c)
			changes += len(set)
			for of, quantity := range set {
				if was, noted := had[of]; !noted || !sameQuantity(was, shownAmount(shown, of)) {
					return of.words() + " are not what is under way"
				}
				if wanted := askedIn(template, of); wanted == nil || !sameQuantity(quantity, wanted.quantity()) {
					return of.words() + " are not what the revision asks for"
				}
			}
		}
	}
	if changes == 0 {
		return "nothing changes"
	}
	return ""
}

// amountsOf are the quantities that a resize sets of a container.
func amountsOf(c *setplanv1.ContainerResize) amounts {
	set := amounts{}
	for list, of := range map[string]map[string]string{"limits": c.GetLimits(), "requests": c.GetRequests()} {
		for resource, quantity := range of {
			set[amount{c.GetName(), list, resource}] = quantity
		}
	}
	return set
}

// askedIn is what a template asks for in a container that stays; nil: nothing, or it has no such container.
func askedIn(template *node, of amount) *node {
	for _, list := range containerLists {
		if containers := template.get("spec", list); containers != nil {
			for _, c := range containers.items {
				if c.get("name").is(of.container) && stays(list, c) {
					return asked(c, of)
				}
			}
		}
	}
	return nil
}

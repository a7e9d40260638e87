package engine

import (
	"slices"
	"strings"
	"time"

	"github.com/setplan/setplan/engine/jsontree"
)

// inPlace says what becomes of an outdated pod where the revisions differ in nothing but labels, annotations, images and resources: the annotation
// setplan.io/in-place, or spec.inPlace.
type inPlace int

const (
	inPlaceNever      inPlace = iota // it is recreated, as in Kubernetes
	inPlaceIfPossible                // it changes; any other pod is recreated
	inPlaceOnly                      // it changes; any other pod stays, and a block names what differs
)

var inPlaceNames = [...]string{"Recreate", "InPlaceIfPossible", "InPlaceOnly"}

// readInPlace reads the policy. An unknown text counts as InPlaceOnly, because it may be meant to keep pods.
func readInPlace(v *view, out *draft) inPlace {
	of := v.asks(annotationInPlace)
	if of.text == "" {
		return inPlaceNever
	}
	for policy, name := range inPlaceNames {
		if of.text == name {
			return inPlace(policy)
		}
	}
	out.block(blockInvalidInPlace(v.set, of))
	return inPlaceOnly
}

// comparisons are the differences that a pass has looked at. Pods at the same revision share one.
type comparisons struct {
	of      map[[2]string]*difference // two revisions by name
	stored  map[string]*Revision
	targets map[string]*jsontree.Value      // templates of revisions that pods are updated to; nil: one that cannot be read
	graces  map[string]time.Duration        // how long a container of a revision may take to stop
	left    map[[2]string]map[string]string // see imagesLeft
	amounts map[string]amounts              // what containers of a revision are to have
}

// begin finds the revisions, once.
func (c *comparisons) begin(v *view) {
	if c.of != nil {
		return
	}
	v.meter.work(partRevisions, len(v.revisions))
	c.of, c.stored, c.targets = map[[2]string]*difference{}, make(map[string]*Revision, len(v.revisions)), map[string]*jsontree.Value{}
	c.graces, c.left, c.amounts = map[string]time.Duration{}, map[[2]string]map[string]string{}, map[string]amounts{}
	for _, r := range v.revisions {
		c.stored[r.Name] = r
	}
}

// changesInPlace says what changes of containers in place: an adapter has to show what runs, to change it, and to say so on the pod. A disruption
// budget is not asked when a container starts again, so where budgets are respected that takes an eviction.
func (v *view) changesInPlace() changeable {
	const images = CanUpdateImages | CanUpdatePod | CanPatchAnnotations
	const resources = images | CanResizePod
	can := v.s.Capabilities
	return changeable{images: can&images == images, resources: can&resources == resources, restarts: !v.budgets}
}

func (v *view) compareRevisions(name string, choice revisionChoice) difference {
	count := v.meter.counting(partRevisionData)
	stored, to := v.compared.stored[name], v.target(count, choice)
	if stored == nil || to == nil {
		return difference{unknown: true}
	}
	from, ok := templateOf(count, stored.Data)
	if !ok {
		return difference{unknown: true}
	}
	selects := map[string]bool{}
	for key := range v.set.Selector.MatchLabels {
		v.meter.work(partSelector, 1)
		selects[key] = true
	}
	for _, requirement := range v.set.Selector.Expressions {
		v.meter.work(partSelector, 1)
		selects[requirement.Key] = true
	}
	if v.ranking.on {
		selects[strings.Clone(v.ranking.key)] = true // it says who leads, and whoever leads now sets it
	}
	d := differenceOf(count, from, *to, selects, v.changesInPlace())
	if d.ofContainers() && max(len(stored.Data), len(v.set.PodTemplate)) > mostAnnotations/2 && max(annotationsOf(from), annotationsOf(*to)) > mostAnnotations-roomForRecord {
		d.needs("metadata.annotations") // which leave no room for the record
	}
	if !slices.Equal(v.removedAt(name), v.removedAt(choice.name)) {
		d.field = annotationClaimTemplates // the pod has other volumes
	}
	return d
}

// imagesLeft are the images that a revision has and another one does not, by container. There are none where one of the two cannot be read.
func (v *view) imagesLeft(from, to string) map[string]string {
	c := &v.compared
	c.begin(v)
	key := [2]string{from, to}
	left, known := c.left[key]
	if known || from == to {
		return left
	}
	left = v.imagesAt(from)
	for container, image := range v.imagesAt(to) {
		if left[container] == image {
			delete(left, container)
		}
	}
	c.left[key] = left
	return left
}

// imagesAt are the images of a revision, by container.
func (v *view) imagesAt(revision string) map[string]string {
	choice := revisionChoice{name: revision}
	switch {
	case revision == v.update.name:
		choice = v.update
	case v.compared.stored[revision] == nil:
		return nil
	}
	template := v.target(v.meter.counting(partRevisionData), choice)
	if template == nil {
		return nil
	}
	return v.imagesIn(*template)
}

func (v *view) imagesIn(template jsontree.Value) map[string]string {
	images := map[string]string{}
	for _, list := range [...]string{"containers", "initContainers"} {
		for _, container := range template.Get("spec").Get(list).Items() {
			v.meter.work(partRevisionData, 1)
			images[container.Get("name").Text] = container.Get("image").Text
		}
	}
	return images
}

// target is the template of a revision that pods are updated to; nil if it cannot be read.
func (v *view) target(count jsontree.Count, choice revisionChoice) *jsontree.Value {
	if to, known := v.compared.targets[choice.name]; known {
		return to
	}
	var template jsontree.Value
	var ok bool
	if stored := v.compared.stored[choice.name]; stored != nil { // which may say less than the set, and is what the pod is to be at
		template, ok = templateOf(count, stored.Data)
	} else if choice.data != nil || choice.lost {
		template, ok = templateOf(count, choice.data)
	} else {
		var err error
		template, err = count.Parse(v.set.PodTemplate)
		ok = err == nil
	}
	var to *jsontree.Value
	if ok {
		to = &template
	}
	v.compared.targets[choice.name] = to
	return to
}

package engine

import (
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/model"
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

// changesInPlace says what changes of containers in place: an adapter has to show what runs, to change it, and to say so on the pod. A disruption
// budget is not asked when a container starts again, so where budgets are respected that takes an eviction.
func (v *view) changesInPlace() changeable {
	const images = model.CanUpdateImages | model.CanUpdatePod | model.CanPatchAnnotations
	const resources = images | model.CanResizePod
	can := v.s.Capabilities
	return changeable{images: can&images == images, resources: can&resources == resources, restarts: !v.budgets}
}

func (v *view) compareRevisions(name string, choice revisionChoice) difference {
	from, ok := v.templateStored(name)
	to := v.target(choice)
	if !ok || to == nil || !v.compared.takes(len(v.set.PodTemplate)) {
		return difference{unknown: true}
	}
	selects := map[string]bool{}
	for key := range v.set.Selector.MatchLabels {
		selects[key] = true
	}
	for _, requirement := range v.set.Selector.Expressions {
		selects[requirement.Key] = true
	}
	if v.ranking.on {
		selects[strings.Clone(v.ranking.key)] = true // it says who leads, and whoever leads now sets it
	}
	d := differenceOf(from, *to, selects, v.changesInPlace())
	if d.ofContainers() && max(len(v.compared.stored[name].Data), len(v.set.PodTemplate)) > mostAnnotations/2 && max(annotationsOf(from), annotationsOf(*to)) > mostAnnotations-roomForRecord {
		d.needs("metadata.annotations") // which leave no room for the record
	}
	if !slices.Equal(v.removedAt(name), v.removedAt(choice.name)) {
		d.field = annotationClaimTemplates // the pod has other volumes
	}
	return d
}

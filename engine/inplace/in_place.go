package inplace

import (
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// InPlace says what becomes of an outdated pod where the revisions differ in nothing but labels, annotations, images and resources: the annotation
// setplan.io/in-place, or spec.inPlace.
type inPlace int

const (
	InPlaceNever      inPlace = iota // it is recreated, as in Kubernetes
	inPlaceIfPossible                // it changes; any other pod is recreated
	InPlaceOnly                      // it changes; any other pod stays, and a block names what differs
)

var inPlaceNames = [...]string{"Recreate", "InPlaceIfPossible", "InPlaceOnly"}

// ReadInPlace reads the policy. An unknown text counts as InPlaceOnly, because it may be meant to keep pods.
func ReadInPlace(v *Pods, out *state.Draft) inPlace {
	of := v.Asks(policy.InPlace)
	if of.Text == "" {
		return InPlaceNever
	}
	for policy, name := range inPlaceNames {
		switch {
		case of.Text != name:
		case v.Recreates() && policy != int(InPlaceOnly):
			return InPlaceNever // which means every pod
		default:
			return inPlace(policy)
		}
	}
	out.Block(blockInvalidInPlace(v.Set, of))
	return InPlaceOnly
}

// changesInPlace says what changes of containers in place: an adapter has to show what runs, to change it, and to say so on the pod. A disruption
// budget is not asked when a container starts again, so where budgets are respected that takes an eviction.
func (v *Pods) changesInPlace() podtemplate.Changeable {
	const images = model.CanUpdateImages | model.CanUpdatePod | model.CanPatchAnnotations
	const resources = images | model.CanResizePod
	can := v.Snap.Capabilities
	return podtemplate.Changeable{Images: can&images == images, Resources: can&resources == resources, Restarts: !v.Budgets}
}

func (v *Pods) compareRevisions(name string, choice state.RevisionChoice) podtemplate.Difference {
	from, ok := v.templateStored(name)
	to := v.target(choice)
	if !ok || to == nil || !v.compared.takes(len(v.Set.PodTemplate)) {
		return podtemplate.Difference{Unknown: true}
	}
	selects := map[string]bool{}
	for key := range v.Set.Selector.MatchLabels {
		selects[key] = true
	}
	for _, requirement := range v.Set.Selector.Expressions {
		selects[requirement.Key] = true
	}
	if v.Ranking.On {
		selects[strings.Clone(v.Ranking.Key)] = true // it says who leads, and whoever leads now sets it
	}
	d := podtemplate.DifferenceOf(from, *to, selects, v.changesInPlace())
	if d.OfContainers() && max(len(v.compared.stored[name].Data), len(v.Set.PodTemplate)) > state.MostAnnotations/2 && max(podtemplate.AnnotationsOf(from), podtemplate.AnnotationsOf(*to)) > state.MostAnnotations-state.RoomForRecord {
		d.Needs("metadata.annotations") // which leave no room for the record
	}
	if !slices.Equal(v.RemovedAt(name), v.RemovedAt(choice.Name)) {
		d.Field = policy.ClaimTemplates // the pod has other volumes
	}
	return d
}

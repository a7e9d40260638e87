package engine

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
)

// controllerOf returns the controller among the owners, nil if there is none.
func controllerOf(owners []model.Owner) *model.Owner {
	for i := range owners {
		if owners[i].Controller {
			return &owners[i]
		}
	}
	return nil
}

// noteOwners notes to whom a claim refers.
func (v *view) noteOwners(owners []model.Owner) {
	x := &v.claims
	for i := range owners {
		o := &owners[i]
		x.ofPods = x.ofPods || o.Kind == model.KindPod
		x.ofSet = x.ofSet || o.UID == v.set.UID
		x.ofEarlierSet = x.ofEarlierSet || o.UID != v.set.UID && v.refersToSet(o)
		x.ofNamesake = x.ofNamesake || v.isNamesake(o)
	}
}

// owner is the reference by which the set controls what it creates and adopts.
func (v *view) owner() model.Owner {
	return model.Owner{APIVersion: v.set.APIVersion, Kind: v.set.Kind, Name: v.set.Name, UID: v.set.UID,
		Controller: true, BlockOwnerDeletion: true}
}

func (v *view) whoseIs(p *model.Pod) string {
	c := controllerOf(p.Owners)
	switch {
	case c == nil && p.Terminating():
		return nobodyControlsIt
	case c == nil || c.UID == v.set.UID:
		return labelsDoNotMatchSet
	case v.refersToSet(c):
		return earlierControlsIt(c)
	case c.Name == v.set.Name:
		return namesakeOf(c) + controlsThePod
	default:
		return controlsIt(c)
	}
}

func (v *view) orphanRevisions() bool {
	return slices.ContainsFunc(v.revisions, func(r *model.Revision) bool { return controllerOf(r.Owners) == nil })
}

func (v *view) refersToSet(o *model.Owner) bool {
	return o.RefersTo(v.set.APIVersion, v.set.Kind, v.set.Name)
}

// kindStatefulSet is what kinds like apps/v1's are called in every API group that has one.
const kindStatefulSet = "StatefulSet"

// hasOurName reports whether an owner is another object of the set's name, and not an earlier set of it.
func (v *view) hasOurName(o *model.Owner) bool {
	return o.Name == v.set.Name && o.UID != v.set.UID && !v.refersToSet(o)
}

// isNamesake reports whether an owner is a set of this one's name and of another kind; namesake.go says what that means.
func (v *view) isNamesake(o *model.Owner) bool {
	return v.hasOurName(o) && (o.Kind == v.set.Kind || o.Kind == kindStatefulSet)
}

// namesakeAmong finds a namesake among owners that need not control: the garbage collector does not ask who does.
func (v *view) namesakeAmong(owners []model.Owner) *model.Owner {
	for i := range owners {
		if v.isNamesake(&owners[i]) {
			return &owners[i]
		}
	}
	return nil
}

// earlierSet is the reference by which an earlier set of the name controls a pod that nobody else owns; nil where none does. With a
// second owner, who may stay, the garbage collector does not delete the pod, or never gets to it.
func (v *view) earlierSet(p *model.Pod) *model.Owner {
	if c := controllerOf(p.Owners); c != nil && len(p.Owners) == 1 && c.UID != v.set.UID && v.refersToSet(c) {
		return c
	}
	return nil
}

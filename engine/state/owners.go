package state

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
)

// ControllerOf returns the controller among the owners, nil if there is none.
func ControllerOf(owners []model.Owner) *model.Owner {
	for i := range owners {
		if owners[i].Controller {
			return &owners[i]
		}
	}
	return nil
}

// Owner is the reference by which the set controls what it creates and adopts.
func (v *View) Owner() model.Owner {
	return model.Owner{APIVersion: v.Set.APIVersion, Kind: v.Set.Kind, Name: v.Set.Name, UID: v.Set.UID,
		Controller: true, BlockOwnerDeletion: true}
}

// WhoseIs says, as a part of a sentence, whose a pod is that is not the set's.
func (v *View) WhoseIs(p *model.Pod) string {
	c := ControllerOf(p.Owners)
	switch {
	case c == nil && p.Terminating():
		return nobodyControlsIt
	case c == nil || c.UID == v.Set.UID:
		return labelsDoNotMatchSet
	case v.RefersToSet(c):
		return earlierControlsIt(c)
	case c.Name == v.Set.Name:
		return NamesakeOf(c) + controlsThePod
	default:
		return controlsIt(c)
	}
}

// OrphanRevisions reports whether nobody controls one of the set's revisions.
func (v *View) OrphanRevisions() bool {
	return slices.ContainsFunc(v.Revisions, func(r *model.Revision) bool { return ControllerOf(r.Owners) == nil })
}

// RefersToSet reports whether an owner is the set, or an earlier one of its name.
func (v *View) RefersToSet(o *model.Owner) bool {
	return o.RefersTo(v.Set.APIVersion, v.Set.Kind, v.Set.Name)
}

// kindStatefulSet is what kinds like apps/v1's are called in every API group that has one.
const kindStatefulSet = "StatefulSet"

// HasOurName reports whether an owner is another object of the set's name, and not an earlier set of it.
func (v *View) HasOurName(o *model.Owner) bool {
	return o.Name == v.Set.Name && o.UID != v.Set.UID && !v.RefersToSet(o)
}

// IsNamesake reports whether an owner is a set of this one's name and of another kind; namesake.go says what that means.
func (v *View) IsNamesake(o *model.Owner) bool {
	return v.HasOurName(o) && (o.Kind == v.Set.Kind || o.Kind == kindStatefulSet)
}

// NamesakeAmong finds a namesake among owners that need not control: the garbage collector does not ask who does.
func (v *View) NamesakeAmong(owners []model.Owner) *model.Owner {
	for i := range owners {
		if v.IsNamesake(&owners[i]) {
			return &owners[i]
		}
	}
	return nil
}

// EarlierSet is the reference by which an earlier set of the name controls a pod that nobody else owns; nil where none does. With a
// second owner, who may stay, the garbage collector does not delete the pod, or never gets to it.
func (v *View) EarlierSet(p *model.Pod) *model.Owner {
	if c := ControllerOf(p.Owners); c != nil && len(p.Owners) == 1 && c.UID != v.Set.UID && v.RefersToSet(c) {
		return c
	}
	return nil
}

// IsOfNamesake reports whether a namesake controls a pod. Kinds that run sets need not be called like ours or like apps/v1's, but their pods
// have the label that is the pod's own name.
func (v *View) IsOfNamesake(p *model.Pod) bool {
	c := ControllerOf(p.Owners)
	if c == nil || !v.HasOurName(c) || !v.IsNamesake(c) && (!p.PodNameLabel || takesByLabels(c)) {
		return false
	}
	parent, _, canonical, ok := model.ParseMember(p.Name)
	return ok && canonical && parent == v.Set.Name
}

// takesByLabels reports whether an owner is of a kind of Kubernetes that takes any pod with the labels that it selects, a set's too, and calls
// none by an ordinal.
func takesByLabels(o *model.Owner) bool {
	switch o.Kind {
	case "ReplicaSet", "ReplicationController", "DaemonSet", "Job":
		return true
	}
	return false
}

package engine

import "slices"

// Owner lists stand in a table, so a small snapshot can have a long list that thousands of objects share. A long one is
// read once, and what its objects are asked is looked up.

// fewOwners is how many owners are quicker gone through than looked up; most objects have one.
const fewOwners = 8

// controllerOf returns the controller among the owners, nil if there is none.
func (v *view) controllerOf(owners []Owner) *Owner {
	if len(owners) == 1 && owners[0].Controller {
		return &owners[0] // as nearly always
	}
	return v.controllerAmong(owners)
}

// controllerAmong is by itself, so that the compiler can put controllerOf in the place of its calls.
func (v *view) controllerAmong(owners []Owner) *Owner {
	if len(owners) > fewOwners {
		return v.longOwners(owners).controller
	}
	return controllerOf(owners)
}

func controllerOf(owners []Owner) *Owner {
	for i := range owners {
		if owners[i].Controller {
			return &owners[i]
		}
	}
	return nil
}

// ownerList is what a long list of owners says.
type ownerList struct {
	length     int
	controller *Owner
	set        ownership // as far as it is the same for every pod
	mere       map[string]bool
	pods       map[string]podOwners
	strangers  int // controllers that are no reference to the set's name
	namesake   *Owner
}

// podOwners is what the references to one pod's name say.
type podOwners struct {
	firstUID    string
	several     bool // they have more than one uid
	controllers int
}

func (v *view) longOwners(owners []Owner) *ownerList {
	key := &owners[0]
	if list := v.ownerLists[key]; list != nil && len(owners) == list.length {
		return list
	}
	v.meter.work(partClaims, 4*len(owners))
	if v.ownerLists == nil {
		v.ownerLists = make(map[*Owner]*ownerList)
	}
	list := v.readOwners(owners)
	v.ownerLists[key] = list
	return list
}

func (v *view) readOwners(owners []Owner) *ownerList {
	list := &ownerList{length: len(owners), mere: make(map[string]bool), pods: make(map[string]podOwners)}
	for i := range owners {
		v.meter.pause(i)
		o := &owners[i]
		list.mere[o.UID] = list.mere[o.UID] || !o.Controller
		if o.Controller && list.controller == nil {
			list.controller = o
		}
		if list.namesake == nil && v.isNamesake(o) {
			list.namesake = o
		}
		switch {
		case v.refersToSet(o):
			list.set.staleSet = list.set.staleSet || !list.set.setSeen && o.UID != v.set.UID
			list.set.setSeen = true
			list.set.strange = list.set.strange || o.UID != v.set.UID
			continue
		case o.APIVersion == "v1" && o.Kind == KindPod:
			pod, seen := list.pods[o.Name]
			if !seen {
				pod.firstUID = o.UID
			}
			pod.several = pod.several || pod.firstUID != o.UID
			if o.Controller {
				pod.controllers++
			}
			list.pods[o.Name] = pod
		}
		if o.Controller {
			list.strangers++
		}
	}
	list.set.mereOwner, list.set.set = list.mere[v.set.UID]
	return list
}

// of is ownershipOf, looked up.
func (list *ownerList) of(p podRef) ownership {
	is := list.set
	mere, pod := list.mere[p.uid]
	is.pod, is.mereOwner = pod, is.mereOwner || mere
	named, seen := list.pods[p.name]
	if seen {
		is.podSeen, is.stalePod = true, named.firstUID != p.uid
		is.strange = is.strange || named.several || is.stalePod
	}
	is.foreign = list.strangers > named.controllers
	is.strange = is.strange || is.foreign
	return is
}

// noteOwners notes to whom a claim refers. A long list of owners is not read for that.
func (v *view) noteOwners(owners []Owner) {
	x := &v.claims
	if len(owners) > fewOwners {
		x.ofPods, x.ofSet, x.ofEarlierSet, x.ofNamesake = true, true, true, true
		return
	}
	for i := range owners {
		o := &owners[i]
		x.ofPods = x.ofPods || o.Kind == KindPod
		x.ofSet = x.ofSet || o.UID == v.set.UID
		x.ofEarlierSet = x.ofEarlierSet || o.UID != v.set.UID && v.refersToSet(o)
		x.ofNamesake = x.ofNamesake || v.isNamesake(o)
	}
}

// owner is the reference by which the set controls what it creates and adopts.
func (v *view) owner() Owner {
	return Owner{APIVersion: v.set.APIVersion, Kind: v.set.Kind, Name: v.set.Name, UID: v.set.UID,
		Controller: true, BlockOwnerDeletion: true}
}

func (v *view) whoseIs(p *Pod) string {
	c := v.controllerOf(p.Owners)
	switch {
	case c == nil && p.terminating():
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
	return slices.ContainsFunc(v.revisions, func(r *Revision) bool { return v.controllerOf(r.Owners) == nil })
}

func (v *view) refersToSet(o *Owner) bool {
	return o.refersTo(v.set.APIVersion, v.set.Kind, v.set.Name)
}

// kindStatefulSet is what kinds like apps/v1's are called in every API group that has one.
const kindStatefulSet = "StatefulSet"

// hasOurName reports whether an owner is another object of the set's name, and not an earlier set of it.
func (v *view) hasOurName(o *Owner) bool {
	return o.Name == v.set.Name && o.UID != v.set.UID && !v.refersToSet(o)
}

// isNamesake reports whether an owner is a set of this one's name and of another kind; namesake.go says what that means.
func (v *view) isNamesake(o *Owner) bool {
	return v.hasOurName(o) && (o.Kind == v.set.Kind || o.Kind == kindStatefulSet)
}

// namesakeAmong finds a namesake among owners that need not control: the garbage collector does not ask who does.
func (v *view) namesakeAmong(owners []Owner) *Owner {
	if len(owners) > fewOwners {
		return v.longOwners(owners).namesake
	}
	for i := range owners {
		if v.isNamesake(&owners[i]) {
			return &owners[i]
		}
	}
	return nil
}

// refersTo compares kind and name, not the uid: a reference may be to an earlier object of the same name.
func (o *Owner) refersTo(apiVersion, kind, name string) bool {
	return o.APIVersion == apiVersion && o.Kind == kind && o.Name == name
}

// earlierSet is the reference by which an earlier set of the name controls a pod that nobody else owns; nil where none does. With a
// second owner, who may stay, the garbage collector does not delete the pod, or never gets to it.
func (v *view) earlierSet(p *Pod) *Owner {
	if c := v.controllerOf(p.Owners); c != nil && len(p.Owners) == 1 && c.UID != v.set.UID && v.refersToSet(c) {
		return c
	}
	return nil
}

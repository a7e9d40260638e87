package engine

import "github.com/setplan/setplan/engine/model"

// A namesake is an object of this set's name and of another kind that runs StatefulSets too: web of apps/v1 beside web of our own kind.
// Kubernetes keeps names apart within one kind only, so nothing stops a user from making both, and both call their pods and claims
// alike. Then nobody can tell whose data is in a claim: a pod that is missing would be made on the other one's data, and the claim would go
// with whichever set is deleted first. So while a namesake has pods, this set stands still. It touches no pod, drains nothing, and takes its
// references off the claims.
//
// So it does where neither has pods, and the namesake was there first: its only pod is away for an update, or it is scaled to none. Who was
// there first is told by the revisions. A controller makes one as soon as it sees its set, and none where the other set's is of the same
// template.
//
// A set that is being moved to another kind is paused until the old one is gone, and a paused set does none of this anyway.

// readNamesake finds a namesake by its pods or its revisions; of several the one with the lowest name is told.
func readNamesake(v *view, out *draft) {
	if v.paused == pauseAll || v.deleting() && !v.hasDrainFinalizer() {
		return
	}
	pod, ours := v.findNamesakesPod()
	var older *model.Revision
	if pod == nil && !ours {
		older = v.findOlderRevision()
	}
	switch {
	case !v.standsStill() || !v.s.Policy.WholeSet(): // another controller goes on; what does not is said by a block of the drain
	case pod != nil:
		out.block(blockNamesake(pod, v.namesake))
	default:
		out.block(blockOlderNamesake(older, v.namesake))
	}
}

// findNamesakesPod finds the lowest pod of a namesake, or else whether this set has pods.
func (v *view) findNamesakesPod() (pod *model.Pod, ours bool) {
	var nobodys *model.Owner // where the list begins that was read last; pods share them
	for i := range v.s.Pods {
		p := &v.s.Pods[i]
		if len(p.Owners) == 0 || &p.Owners[0] == nobodys {
			continue
		}
		controller := controllerOf(p.Owners)
		if controller == nil || !v.hasOurName(controller) {
			nobodys = &p.Owners[0]
			ours = ours || controller != nil && controller.UID == v.set.UID
		} else if !p.Terminating() && v.isOfNamesake(p) && (pod == nil || p.Name < pod.Name) {
			pod, v.namesake = p, controller
		}
	}
	return pod, ours
}

// findOlderRevision finds the oldest revision of a namesake, unless one that this set controls is older. Of the same age the other one's counts:
// a set that stands still touches nobody's data.
func (v *view) findOlderRevision() *model.Revision {
	var ours, theirs *model.Revision
	var namesake *model.Owner
	for i := range v.s.Revisions {
		r := &v.s.Revisions[i]
		switch controller := controllerOf(r.Owners); {
		case controller == nil:
		case controller.UID == v.set.UID:
			if ours == nil || r.CreatedAt.Before(ours.CreatedAt) {
				ours = r
			}
		case v.isNamesake(controller):
			if theirs == nil || r.CreatedAt.Before(theirs.CreatedAt) || r.CreatedAt.Equal(theirs.CreatedAt) && r.Name < theirs.Name {
				theirs, namesake = r, controller
			}
		}
	}
	if theirs == nil || ours != nil && ours.CreatedAt.Before(theirs.CreatedAt) {
		return nil
	}
	v.namesake = namesake
	return theirs
}

// isOfNamesake reports whether a namesake controls a pod. Kinds that run sets need not be called like ours or like apps/v1's, but their pods
// have the label that is the pod's own name.
func (v *view) isOfNamesake(p *model.Pod) bool {
	c := controllerOf(p.Owners)
	if c == nil || !v.hasOurName(c) || !v.isNamesake(c) && (!p.PodNameLabel || takesByLabels(c)) {
		return false
	}
	parent, _, canonical, ok := model.ParseMember(p.Name)
	return ok && canonical && parent == v.set.Name
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

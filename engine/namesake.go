package engine

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

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
func readNamesake(v *view, out *state.Draft) {
	if v.Paused == state.PauseAll || v.Deleting() && !v.HasDrainFinalizer() {
		return
	}
	pod, ours := v.findNamesakesPod()
	var older *model.Revision
	if pod == nil && !ours {
		older = v.findOlderRevision()
	}
	switch {
	case !v.StandsStill() || !v.Snap.Policy.WholeSet(): // another controller goes on; what does not is said by a block of the drain
	case pod != nil:
		out.Block(blockNamesake(pod, v.Namesake))
	default:
		out.Block(blockOlderNamesake(older, v.Namesake))
	}
}

// findNamesakesPod finds the lowest pod of a namesake, or else whether this set has pods.
func (v *view) findNamesakesPod() (pod *model.Pod, ours bool) {
	var nobodys *model.Owner // where the list begins that was read last; pods share them
	for i := range v.Snap.Pods {
		p := &v.Snap.Pods[i]
		if len(p.Owners) == 0 || &p.Owners[0] == nobodys {
			continue
		}
		controller := state.ControllerOf(p.Owners)
		if controller == nil || !v.HasOurName(controller) {
			nobodys = &p.Owners[0]
			ours = ours || controller != nil && controller.UID == v.Set.UID
		} else if !p.Terminating() && v.IsOfNamesake(p) && (pod == nil || p.Name < pod.Name) {
			pod, v.Namesake = p, controller
		}
	}
	return pod, ours
}

// findOlderRevision finds the oldest revision of a namesake, unless one that this set controls is older. Of the same age the other one's counts:
// a set that stands still touches nobody's data.
func (v *view) findOlderRevision() *model.Revision {
	var ours, theirs *model.Revision
	var namesake *model.Owner
	for i := range v.Snap.Revisions {
		r := &v.Snap.Revisions[i]
		switch controller := state.ControllerOf(r.Owners); {
		case controller == nil:
		case controller.UID == v.Set.UID:
			if ours == nil || r.CreatedAt.Before(ours.CreatedAt) {
				ours = r
			}
		case v.IsNamesake(controller):
			if theirs == nil || r.CreatedAt.Before(theirs.CreatedAt) || r.CreatedAt.Equal(theirs.CreatedAt) && r.Name < theirs.Name {
				theirs, namesake = r, controller
			}
		}
	}
	if theirs == nil || ours != nil && ours.CreatedAt.Before(theirs.CreatedAt) {
		return nil
	}
	v.Namesake = namesake
	return theirs
}

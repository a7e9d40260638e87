package engine

import (
	"slices"
	"strings"
)

// findRevisions finds the set's revisions: those that the selector matches and nobody else controls.
func (d *decision) findRevisions() {
	d.work(partRevisions, 4*len(d.s.Revisions))
	for i := range d.s.Revisions {
		r := &d.s.Revisions[i]
		controller := d.controllerOf(r.Owners)
		if controller != nil && controller.UID != d.set.UID {
			continue
		}
		if d.selects(r.Labels) {
			d.revisions = append(d.revisions, r)
		}
	}
	sortList(d, partRevisions, d.revisions, compareRevisions)
}

// adoptRevisions adopts those that nobody controls (StatefulSetController.adoptOrphanRevisions). Nothing may be planned
// on an object whose adoption is not: then it returns false.
func (d *decision) adoptRevisions() bool {
	if d.deleting() {
		return true
	}
	d.startPhase()
	var step Step
	adopted := true
	for _, r := range d.revisions {
		if d.controllerOf(r.Owners) == nil {
			adopted = adopted && d.emit(&step, Action{Kind: KindRevision, Name: r.Name, UID: r.UID, Op: AdoptRevision{Owner: d.owner()},
				Cause: Cause{CauseOrphanMatches, "The revision matches the selector and nobody controls it."}})
		}
	}
	if len(step.Actions) > 0 {
		d.stage(Stage{Phase: PhaseOwnership, Steps: []Step{step}, OnFailure: Abort, RequiresLiveSet: true})
	}
	return adopted
}

// compareRevisions is the order of the history: number, then age, then name (history.byRevision upstream).
func compareRevisions(a, b *Revision) int {
	switch {
	case a.Number != b.Number:
		if a.Number < b.Number {
			return -1
		}
		return 1
	case !a.CreatedAt.Equal(b.CreatedAt):
		return a.CreatedAt.Compare(b.CreatedAt)
	default:
		return strings.Compare(a.Name, b.Name)
	}
}

func (d *decision) orphanRevisions() bool {
	return slices.ContainsFunc(d.revisions, func(r *Revision) bool { return d.controllerOf(r.Owners) == nil })
}

// owner is the reference by which the set controls what it creates and adopts.
func (d *decision) owner() Owner {
	return Owner{APIVersion: d.set.APIVersion, Kind: d.set.Kind, Name: d.set.Name, UID: d.set.UID,
		Controller: true, BlockOwnerDeletion: true}
}

// member is a pod of the set with the ordinal that its name says; noOrdinal if it fits no int32.
type member struct {
	pod     *Pod
	ordinal int32
}

// claimPods sorts the pods into members and strangers, adopting and releasing (ControllerRefManager.ClaimObject). A pod
// whose adoption or release is planned counts at once as what it will be: if that fails, the plan is aborted. It returns
// false where one could not be planned.
func (d *decision) claimPods() bool {
	d.members = make([]member, 0, len(d.s.Pods))
	var changes []ownerChange
	adoptions := false
	for i := range d.s.Pods {
		d.workAlong(partPods, 4, i, len(d.s.Pods))
		p := &d.s.Pods[i]
		parent, ordinal, canonical, ok := parseMember(p.Name)
		named := ok && parent == d.set.Name && (canonical || !d.rules.CanonicalOrdinalsOnly)
		controller := d.controllerOf(p.Owners)
		switch {
		case controller != nil && controller.UID != d.set.UID:
			d.strangers = append(d.strangers, p)
		case named && d.selectsPod(p) && (controller != nil || !d.handsOff() && !p.terminating() && !d.isDrainPod(p)):
			d.members = append(d.members, member{p, ordinal})
			if !canonical {
				d.oddNames++
			}
			if controller == nil {
				adoptions = true
				changes = append(changes, ownerChange{p, true})
			}
		default:
			d.strangers = append(d.strangers, p)
			if controller != nil && !d.handsOff() {
				changes = append(changes, ownerChange{p, false})
			}
		}
	}
	sortList(d, partPods, changes, func(a, b ownerChange) int { return strings.Compare(a.pod.Name, b.pod.Name) })
	d.startPhase()
	stage := Stage{Phase: PhaseOwnership, OnFailure: Abort, RequiresLiveSet: adoptions}
	for _, change := range changes {
		var step Step
		if !d.emit(&step, d.changeOwner(change)) {
			d.stage(stage)
			return false
		}
		stage.Steps = append(stage.Steps, step)
	}
	d.stage(stage)
	return true
}

// ownerChange is a pod that is adopted, or else released. Of very many only the first become actions.
type ownerChange struct {
	pod   *Pod
	adopt bool
}

func (d *decision) changeOwner(c ownerChange) Action {
	a := Action{Kind: KindPod, Name: c.pod.Name, UID: c.pod.UID, Op: ReleasePod{OwnerUID: d.set.UID},
		Cause: Cause{CauseMatchesNoLonger, "The pod no longer matches the selector or the name of the set."}}
	if c.adopt {
		a.Op = AdoptPod{Owner: d.owner()}
		a.Cause = Cause{CauseOrphanMatches, "The pod matches selector and name, and nobody controls it."}
	}
	return a
}

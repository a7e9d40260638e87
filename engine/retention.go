package engine

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
)

// The retention policy works by owner references alone: the garbage collector deletes a claim with its owner. This file is the table of
// which claim has which owner; upstream has it in stateful_set_utils.go (isClaimOwnerUpToDate, updateClaimOwnerRefForSetAndPod).
//
//	whenScaled  whenDeleted  ordinal in range     ordinal out of range
//	Retain      Retain       nobody               nobody
//	Retain      Delete       the set              the set
//	Delete      Retain       nobody               its pod
//	Delete      Delete       the set              its pod

// claimOwner is the owner that the table wants for a claim.
type claimOwner struct{ set, pod bool }

func (v *view) wantedOwner(inRange bool) claimOwner {
	if v.deletesOnScale && !inRange {
		return claimOwner{pod: true}
	}
	return claimOwner{set: v.deletesOnDelete}
}

// readRetention reads what of the retention policy holds. With a drain policy only the drain deletes claims outside the range: the garbage
// collector would be faster. Claims are not deleted with a set that is drained first, nor while it still has the finalizer for that,
// which is removed before the claims get the set as their owner again.
func readRetention(v *view) {
	v.deletesOnScale = v.set.WhenScaled == "Delete" && !v.drains() && !v.shared
	v.deletesOnDelete = v.set.WhenDeleted == "Delete" && !v.drainsOnDelete() && !v.hasDrainFinalizer() && !v.shared
}

func (v *view) retainsAll() bool { return !v.deletesOnScale && !v.deletesOnDelete }

// podRef is the pod side of a claim's ownership; the uid is empty for a pod that is yet to be created.
type podRef struct{ name, uid string }

func refersToPod(o *model.Owner, p podRef) bool { return o.RefersTo("v1", model.KindPod, p.name) }

// ownPod is the side of a claim's ownership that is this set's. Beside a namesake a pod is told by its uid alone: one of the name may be the
// other set's, and so may one that has gone.
func (v *view) ownPod(p podRef) podRef {
	if v.namesake != nil {
		p.name = ""
	}
	return p
}

// ownership is what a claim's owner references say about the set and one of its pods.
type ownership struct {
	set, pod         bool // referred to by uid
	staleSet         bool // the first reference to the set's name has another uid
	stalePod         bool // the same for the pod
	foreign          bool // something else is the controller
	strange          bool // that, or a reference to an earlier set or pod of the name
	mereOwner        bool // we own it without being its controller
	setSeen, podSeen bool // referred to by name
	inUse            bool // the pod is there
}

// ofEarlierSet reports whether the garbage collector may be about to delete the claim with an earlier set. It keeps what this set owns too.
func (is *ownership) ofEarlierSet() bool { return is.setSeen && !is.set }

func (v *view) ownershipOf(c *model.Claim, p podRef) ownership {
	var is ownership
	v.readOwnership(&is, c, p)
	return is
}

// readOwnership is ownershipOf for one claim after another. It writes the result in place: copying nine flags takes longer than finding
// them.
func (v *view) readOwnership(is *ownership, c *model.Claim, p podRef) {
	*is = ownership{inUse: p.uid != ""}
	for i := range c.Owners {
		o := &c.Owners[i]
		ours := o.UID == v.set.UID || o.UID == p.uid
		is.set = is.set || o.UID == v.set.UID
		is.pod = is.pod || o.UID == p.uid
		is.mereOwner = is.mereOwner || ours && !o.Controller
		switch {
		case v.refersToSet(o):
			is.staleSet = is.staleSet || !is.setSeen && o.UID != v.set.UID
			is.setSeen = true
			is.strange = is.strange || o.UID != v.set.UID
		case refersToPod(o, p):
			is.stalePod = is.stalePod || !is.podSeen && o.UID != p.uid
			is.podSeen = true
			is.strange = is.strange || o.UID != p.uid
		default:
			is.foreign = is.foreign || o.Controller
			is.strange = is.strange || o.Controller
		}
	}
}

// freesFromGone reports whether a claim is released from an earlier pod, with which the garbage collector would delete it. While
// whenScaled is Delete, such a claim is meant to be deleted: its pod was scaled down. The same holds for an earlier set and whenDeleted, once a pod
// of this set uses the claim.
func (v *view) freesFromGone(is *ownership) bool {
	fromPod := !is.stalePod || v.set.WhenScaled != "Delete" || v.shared
	fromSet := !is.staleSet || is.inUse && (v.set.WhenDeleted != "Delete" || v.shared)
	return v.rules.WantedClaimsStay && (is.stalePod || is.staleSet) && fromPod && fromSet
}

// leftToOthers reports whether the table is not applied to a claim, because something else controls it, or it is owned by an earlier set or
// pod. Then our references are removed.
func (v *view) leftToOthers(is *ownership) bool {
	return !v.retainsAll() && (is.foreign || is.strange && !v.freesFromGone(is))
}

// ownersUpToDate reports whether a claim's references are as the table wants them. A stale reference is left to the garbage collector,
// unless the claim is to be kept. If another controller manages the claim, ours are only removed.
func (v *view) ownersUpToDate(is *ownership, inRange bool) bool {
	switch {
	case is.staleSet || is.stalePod:
		return !v.freesFromGone(is)
	case v.leftToOthers(is):
		return !is.set && !is.pod
	case is.mereOwner:
		return false
	}
	wanted := v.wantedOwner(inRange)
	return is.set == wanted.set && is.pod == wanted.pod
}

// fixClaimOwners plans the references of an ordinal's claims (UpdatePodClaimForRetentionPolicy upstream).
func fixClaimOwners(v *view, out *draft, step *model.Step, ordinal int32, p podRef) bool {
	if v.retainsAll() && !v.claims.owned {
		return true // nobody owns one, and nobody shall
	}
	inRange := v.wanted(ordinal)
	claims := v.claimsOf(ordinal)
	for i, c := claims.next(0); c != nil; i, c = claims.next(i + 1) {
		if !fixOwners(v, out, step, c, p, inRange) {
			return false
		}
	}
	return true
}

// fixOwners plans the references of one claim.
func fixOwners(v *view, out *draft, step *model.Step, c *model.Claim, p podRef, inRange bool) bool {
	if out.changed[c.Name] {
		return true
	}
	var is ownership
	v.readOwnership(&is, c, p)
	foreign, nobody := v.leftToOthers(&is), v.ownedByNobody(c, &is, inRange)
	if foreign {
		out.tellOnce(strangeOwner(c, is))
	}
	if v.ownersUpToDate(&is, inRange) || nobody && !foreign && !(is.set || is.pod || is.setSeen || is.podSeen) {
		return true
	}
	a := model.Action{Kind: model.KindClaim, Name: c.Name, UID: c.UID, ResourceVersion: c.ResourceVersion, Op: model.SetClaimOwners{}, Cause: v.whyOwners(foreign)}
	if !out.fits(&a) {
		return false
	}
	a.Op = model.SetClaimOwners{Owners: v.wantedOwners(c, p, inRange, nobody)}
	if !out.emit(step, a, v.ownersFact(inRange, nobody)) {
		return false
	}
	out.noteChange(c)
	return true
}

// ownedByNobody reports whether references to the set and the pod are only removed: others own the claim, or it would get an owner and no pod has it.
func (v *view) ownedByNobody(c *model.Claim, is *ownership, inRange bool) bool {
	wanted := v.wantedOwner(inRange)
	return v.leftToOthers(is) || (wanted.set && !is.set || wanted.pod && !is.pod) && v.unheld(c)
}

// unheld reports whether a claim is of a template that the set adds, and its ordinal's pod does not have it, nor the one that is made next. A revision
// may say anything of templates, and the claim may be somebody else's.
func (v *view) unheld(c *model.Claim) bool {
	ordinal, template, ok := v.placeOf(c)
	if !ok || template < v.ownTemplates() {
		return false
	}
	var p *model.Pod
	if slot, inRange := v.slotOf(ordinal); inRange {
		if p = v.replicas[slot]; v.update.name != "" && !v.removedAt(v.comesBackAt(slot)).has(template) {
			return false
		}
	} else if i, found := slices.BinarySearchFunc(v.condemned, ordinal, func(m member, of int32) int { return int(of) - int(m.ordinal) }); found {
		p = v.condemned[i].pod
	}
	return p == nil || v.removedAt(p.Revision).has(template) || !v.mounts(p, template, ordinal)
}

func (v *view) whyOwners(foreign bool) model.Cause {
	switch {
	case foreign:
		return causeForeignOwner
	case v.shared:
		return causeSharedClaim
	}
	return causeRetention(v.set)
}

// ownersFact is what the name of an action says of the owners that it sets.
func (v *view) ownersFact(inRange, nobody bool) string {
	switch wanted := v.wantedOwner(inRange); {
	case nobody:
		return "nobody"
	case wanted.set:
		return "set"
	case wanted.pod:
		return "pod"
	}
	return ""
}

// strangeOwner says why the retention policy is not applied to a claim.
func strangeOwner(c *model.Claim, is ownership) model.Block {
	if is.foreign {
		return blockClaimForeign(c)
	}
	return blockClaimOfEarlier(c)
}

// wantedOwners replaces every reference to the set and the pod by the one that the table wants, and keeps the others.
func (v *view) wantedOwners(c *model.Claim, p podRef, inRange, nobody bool) []model.Owner {
	owners := make([]model.Owner, 0, len(c.Owners)+1)
	for i := range c.Owners {
		if o := &c.Owners[i]; !v.isOurs(o, p) {
			owners = append(owners, *o)
		}
	}
	switch wanted := v.wantedOwner(inRange); {
	case nobody:
	case wanted.set:
		owners = withController(owners, v.owner())
	case wanted.pod:
		owners = withController(owners, model.Owner{APIVersion: "v1", Kind: model.KindPod, Name: p.name, UID: p.uid,
			Controller: true, BlockOwnerDeletion: true})
	}
	return owners
}

// isOurs reports whether a reference is to the set or the pod. One with the uid and another name, kind or version is a mistake of
// somebody's, and the garbage collector finds no such owner: left alone it would be up to date never, and the same write be sent for ever.
func (v *view) isOurs(o *model.Owner, p podRef) bool {
	return v.refersToSet(o) || refersToPod(o, p) || v.rules.NoFutileWrites && (o.UID == v.set.UID || o.UID == p.uid)
}

// withController adds a reference unless one with the uid is left.
func withController(owners []model.Owner, o model.Owner) []model.Owner {
	for i := range owners {
		if owners[i].UID == o.UID {
			return owners
		}
	}
	return append(owners, o)
}

// staleClaim is the block of a claim that still belongs to an earlier set or pod of the name, or to a set of another kind; nil if there is
// none. The claim goes with that owner, so a new pod must not start on it. Upstream looks for an earlier pod only, and only while whenScaled
// says Delete (PodClaimIsStale). Without says which claim templates the pod does not have.
func (v *view) staleClaim(ordinal int32, without removedTemplates) *model.Block {
	condemned := v.set.WhenScaled == "Delete"
	ofNamesake := v.rules.NamesakesKeepApart && v.claims.ofNamesake
	if !ofNamesake && (!condemned && !v.rules.WantedClaimsStay || !v.claims.ofPods && !v.claims.ofEarlierSet) {
		return nil
	}
	p := podRef{name: v.set.PodName(ordinal)}
	claims := v.claimsOf(ordinal)
	for i, c := claims.next(0); c != nil; i, c = claims.next(i + 1) {
		is, kept := v.ownershipOf(c, p), c.DeletedAt.IsZero()
		var b model.Block
		switch {
		case without.has(i):
			continue
		case v.rules.WantedClaimsStay && is.ofEarlierSet() && kept:
			b = blockClaimOfEarlierSet(c, p.name)
		case ofNamesake && kept && v.namesakeAmong(c.Owners) != nil:
			b = blockClaimOfNamesake(c, p.name, v.namesakeAmong(c.Owners))
		case is.stalePod && (condemned || v.rules.WantedClaimsStay && kept):
			b = blockClaimStale(c, p.name, condemned)
		default:
			continue
		}
		return &b
	}
	return nil
}

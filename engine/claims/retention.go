package claims

import (
	"slices"

	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
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

func (v *Claims) wantedOwner(inRange bool) claimOwner {
	if v.deletesOnScale && !inRange {
		return claimOwner{pod: true}
	}
	return claimOwner{set: v.DeletesOnDelete}
}

// ReadRetention reads what of the retention policy holds. With a drain policy only the drain deletes claims outside the range: the garbage
// collector would be faster. Claims are not deleted with a set that is drained first, nor while it still has the finalizer for that,
// which is removed before the claims get the set as their owner again.
func ReadRetention(v *Claims) {
	v.deletesOnScale = v.Set.WhenScaled == "Delete" && !v.Drains() && !v.shared
	v.DeletesOnDelete = v.Set.WhenDeleted == "Delete" && !v.DrainsOnDelete() && !v.HasDrainFinalizer() && !v.shared
}

func (v *Claims) retainsAll() bool { return !v.deletesOnScale && !v.DeletesOnDelete }

// PodRef is the pod side of a claim's ownership; the uid is empty for a pod that is yet to be created.
type PodRef struct{ Name, uid string }

func refersToPod(o *model.Owner, p PodRef) bool { return o.RefersTo("v1", model.KindPod, p.Name) }

// OwnPod is the side of a claim's ownership that is this set's. Beside a namesake a pod is told by its uid alone: one of the name may be the
// other set's, and so may one that has gone.
func (v *Claims) OwnPod(p PodRef) PodRef {
	if v.Namesake != nil {
		p.Name = ""
	}
	return p
}

// RefTo refers to a pod.
func RefTo(p *model.Pod) PodRef { return PodRef{p.Name, p.UID} }

// ownership is what a claim's owner references say about the set and one of its pods.
type ownership struct {
	Set, pod         bool // referred to by uid
	staleSet         bool // the first reference to the set's name has another uid
	stalePod         bool // the same for the pod
	foreign          bool // something else is the controller
	Strange          bool // that, or a reference to an earlier set or pod of the name
	mereOwner        bool // we own it without being its controller
	setSeen, PodSeen bool // referred to by name
	inUse            bool // the pod is there
}

// ofEarlierSet reports whether the garbage collector may be about to delete the claim with an earlier set. It keeps what this set owns too.
func (is *ownership) ofEarlierSet() bool { return is.setSeen && !is.Set }

// OwnershipOf reads who owns a claim of a pod.
func (v *Claims) OwnershipOf(c *model.Claim, p PodRef) ownership {
	var is ownership
	v.readOwnership(&is, c, p)
	return is
}

// readOwnership is OwnershipOf for one claim after another. It writes the result in place: copying nine flags takes longer than finding
// them.
func (v *Claims) readOwnership(is *ownership, c *model.Claim, p PodRef) {
	*is = ownership{inUse: p.uid != ""}
	for i := range c.Owners {
		o := &c.Owners[i]
		ours := o.UID == v.Set.UID || o.UID == p.uid
		is.Set = is.Set || o.UID == v.Set.UID
		is.pod = is.pod || o.UID == p.uid
		is.mereOwner = is.mereOwner || ours && !o.Controller
		switch {
		case v.RefersToSet(o):
			is.staleSet = is.staleSet || !is.setSeen && o.UID != v.Set.UID
			is.setSeen = true
			is.Strange = is.Strange || o.UID != v.Set.UID
		case refersToPod(o, p):
			is.stalePod = is.stalePod || !is.PodSeen && o.UID != p.uid
			is.PodSeen = true
			is.Strange = is.Strange || o.UID != p.uid
		default:
			is.foreign = is.foreign || o.Controller
			is.Strange = is.Strange || o.Controller
		}
	}
}

// freesFromGone reports whether a claim is released from an earlier pod, with which the garbage collector would delete it. While
// whenScaled is Delete, such a claim is meant to be deleted: its pod was scaled down. The same holds for an earlier set and whenDeleted, once a pod
// of this set uses the claim.
func (v *Claims) freesFromGone(is *ownership) bool {
	fromPod := !is.stalePod || v.Set.WhenScaled != "Delete" || v.shared
	fromSet := !is.staleSet || is.inUse && (v.Set.WhenDeleted != "Delete" || v.shared)
	return v.Rules.WantedClaimsStay && (is.stalePod || is.staleSet) && fromPod && fromSet
}

// leftToOthers reports whether the table is not applied to a claim, because something else controls it, or it is owned by an earlier set or
// pod. Then our references are removed.
func (v *Claims) leftToOthers(is *ownership) bool {
	return !v.retainsAll() && (is.foreign || is.Strange && !v.freesFromGone(is))
}

// ownersUpToDate reports whether a claim's references are as the table wants them. A stale reference is left to the garbage collector,
// unless the claim is to be kept. If another controller manages the claim, ours are only removed.
func (v *Claims) ownersUpToDate(is *ownership, inRange bool) bool {
	switch {
	case is.staleSet || is.stalePod:
		return !v.freesFromGone(is)
	case v.leftToOthers(is):
		return !is.Set && !is.pod
	case is.mereOwner:
		return false
	}
	wanted := v.wantedOwner(inRange)
	return is.Set == wanted.set && is.pod == wanted.pod
}

// FixClaimOwners plans the references of an ordinal's claims (UpdatePodClaimForRetentionPolicy upstream).
func FixClaimOwners(v *Claims, out *state.Draft, step *model.Step, ordinal int32, p PodRef) bool {
	if v.retainsAll() && !v.Index.Owned {
		return true // nobody owns one, and nobody shall
	}
	inRange := v.Wanted(ordinal)
	claims := v.claimsOf(ordinal)
	for i, c := claims.next(0); c != nil; i, c = claims.next(i + 1) {
		if !fixOwners(v, out, step, c, p, inRange) {
			return false
		}
	}
	return true
}

// fixOwners plans the references of one claim.
func fixOwners(v *Claims, out *state.Draft, step *model.Step, c *model.Claim, p PodRef, inRange bool) bool {
	if out.Changed[c.Name] {
		return true
	}
	var is ownership
	v.readOwnership(&is, c, p)
	foreign, nobody := v.leftToOthers(&is), v.ownedByNobody(c, &is, inRange)
	if foreign {
		out.TellOnce(strangeOwner(c, is))
	}
	if v.ownersUpToDate(&is, inRange) || nobody && !foreign && !(is.Set || is.pod || is.setSeen || is.PodSeen) {
		return true
	}
	a := model.Action{Kind: model.KindClaim, Name: c.Name, UID: c.UID, ResourceVersion: c.ResourceVersion, Op: model.SetClaimOwners{}, Cause: v.whyOwners(foreign)}
	if !out.Fits(&a) {
		return false
	}
	a.Op = model.SetClaimOwners{Owners: v.WantedOwners(c, p, inRange, nobody)}
	if !out.Emit(step, a, v.OwnersFact(inRange, nobody)) {
		return false
	}
	out.NoteChange(c)
	return true
}

// ownedByNobody reports whether references to the set and the pod are only removed: others own the claim, or it would get an owner and no pod has it.
func (v *Claims) ownedByNobody(c *model.Claim, is *ownership, inRange bool) bool {
	wanted := v.wantedOwner(inRange)
	return v.leftToOthers(is) || (wanted.set && !is.Set || wanted.pod && !is.pod) && v.Unheld(c)
}

// Unheld reports whether a claim is of a template that the set adds, and its ordinal's pod does not have it, nor the one that is made next. A revision
// may say anything of templates, and the claim may be somebody else's.
func (v *Claims) Unheld(c *model.Claim) bool {
	ordinal, template, ok := v.PlaceOf(c)
	if !ok || template < v.OwnTemplates() {
		return false
	}
	var p *model.Pod
	if slot, inRange := v.SlotOf(ordinal); inRange {
		if p = v.Replicas[slot]; v.Update.Name != "" && !v.RemovedAt(v.ComesBackAt(slot)).Has(template) {
			return false
		}
	} else if i, found := slices.BinarySearchFunc(v.Condemned, ordinal, func(m state.Member, of int32) int { return int(of) - int(m.Ordinal) }); found {
		p = v.Condemned[i].Pod
	}
	return p == nil || v.RemovedAt(p.Revision).Has(template) || !v.mounts(p, template, ordinal)
}

func (v *Claims) whyOwners(foreign bool) model.Cause {
	switch {
	case foreign:
		return causeForeignOwner
	case v.shared:
		return causeSharedClaim
	}
	return causeRetention(v.Set)
}

// OwnersFact is what the name of an action says of the owners that it sets.
func (v *Claims) OwnersFact(inRange, nobody bool) string {
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

// WantedOwners replaces every reference to the set and the pod by the one that the table wants, and keeps the others.
func (v *Claims) WantedOwners(c *model.Claim, p PodRef, inRange, nobody bool) []model.Owner {
	owners := make([]model.Owner, 0, len(c.Owners)+1)
	for i := range c.Owners {
		if o := &c.Owners[i]; !v.isOurs(o, p) {
			owners = append(owners, *o)
		}
	}
	switch wanted := v.wantedOwner(inRange); {
	case nobody:
	case wanted.set:
		owners = withController(owners, v.Owner())
	case wanted.pod:
		owners = withController(owners, model.Owner{APIVersion: "v1", Kind: model.KindPod, Name: p.Name, UID: p.uid,
			Controller: true, BlockOwnerDeletion: true})
	}
	return owners
}

// isOurs reports whether a reference is to the set or the pod. One with the uid and another name, kind or version is a mistake of
// somebody's, and the garbage collector finds no such owner: left alone it would be up to date never, and the same write be sent for ever.
func (v *Claims) isOurs(o *model.Owner, p PodRef) bool {
	return v.RefersToSet(o) || refersToPod(o, p) || v.Rules.NoFutileWrites && (o.UID == v.Set.UID || o.UID == p.uid)
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

// StaleClaim is the block of a claim that still belongs to an earlier set or pod of the name, or to a set of another kind; nil if there is
// none. The claim goes with that owner, so a new pod must not start on it. Upstream looks for an earlier pod only, and only while whenScaled
// says Delete (PodClaimIsStale). Without says which claim templates the pod does not have.
func (v *Claims) StaleClaim(ordinal int32, without claimtemplate.RemovedTemplates) *model.Block {
	condemned := v.Set.WhenScaled == "Delete"
	ofNamesake := v.Rules.NamesakesKeepApart && v.Index.ofNamesake
	if !ofNamesake && (!condemned && !v.Rules.WantedClaimsStay || !v.Index.ofPods && !v.Index.ofEarlierSet) {
		return nil
	}
	p := PodRef{Name: v.Set.PodName(ordinal)}
	claims := v.claimsOf(ordinal)
	for i, c := claims.next(0); c != nil; i, c = claims.next(i + 1) {
		is, kept := v.OwnershipOf(c, p), c.DeletedAt.IsZero()
		var b model.Block
		switch {
		case without.Has(i):
			continue
		case v.Rules.WantedClaimsStay && is.ofEarlierSet() && kept:
			b = blockClaimOfEarlierSet(c, p.Name)
		case ofNamesake && kept && v.NamesakeAmong(c.Owners) != nil:
			b = blockClaimOfNamesake(c, p.Name, v.NamesakeAmong(c.Owners))
		case is.stalePod && (condemned || v.Rules.WantedClaimsStay && kept):
			b = blockClaimStale(c, p.Name, condemned)
		default:
			continue
		}
		return &b
	}
	return nil
}

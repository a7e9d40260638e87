package engine

import (
	"fmt"
	"slices"
	"strings"
)

// The garbage collector deletes a claim with the set or the pod that it refers to, and asks no drain. So while there is a
// drain policy the references against it are taken off first of all, in whatever order the set wants its pods, and whether
// or not the claim's ordinal has one. Until they are gone a block says what must not be deleted, the finalizer that says
// that the set may be is not put on, and no pod goes that would take a claim along.

// protected is what the drain knows about claims that would go with somebody.
type protected struct {
	pods    map[string]bool  // the set's, by uid
	drained map[string]int32 // claims that a drain pod has emptied, by uid, and its ordinal: of that ordinal they may go
	doomed  []*Claim         // by name
	owners  map[ownersKey]*Owner
	keeps   map[string]bool // pods that take a claim along that this plan does not release, by uid
	kept    map[ownersKey]bool
}

// protectClaims finds the claims that would go with the set or a pod against the policy, and plans their release.
func (d *decision) protectClaims() {
	dr := d.drain
	if dr == nil || d.asked == nil || len(d.asked.template) == 0 || d.deleting() && d.orphans() {
		return
	}
	d.knowPods()
	for i := range d.s.Claims {
		d.work(partClaims, 2)
		if c := &d.s.Claims[i]; d.goesWith(c) != nil && d.ordinalOfClaim(c) != noOrdinal {
			dr.doomed = append(dr.doomed, c)
		}
	}
	if len(dr.doomed) == 0 {
		return
	}
	sortList(d, partClaims, dr.doomed, func(a, b *Claim) int { return strings.Compare(a.Name, b.Name) })
	d.block(d.unprotected())
	if d.deleting() && !dr.emptying {
		return // too late: only the status is kept up
	}
	d.startPhase()
	ofSet := Stage{Phase: PhaseOwnership, OnFailure: SkipPhase, AlwaysRun: true}
	ofPods := Stage{Phase: PhaseOwnership, OnFailure: Stop} // else an update could take such a pod
	for _, c := range dr.doomed {
		d.work(partClaims, 1)
		stage := &ofSet
		if d.goesWith(c).UID != d.set.UID {
			stage = &ofPods
		}
		stage.plan(func(step *Step) { d.release(step, c) })
		if stage == &ofPods && !d.changed[c.Name] {
			d.keepOwners(c.Owners)
		}
	}
	d.stage(ofPods)
	d.stage(ofSet)
}

// keepOwners keeps every pod that would take a claim along which stays for now. Claims share long lists of owners: each is
// read once.
func (d *decision) keepOwners(owners []Owner) {
	dr := d.drain
	if dr.keeps == nil {
		dr.keeps, dr.kept = map[string]bool{}, map[ownersKey]bool{}
	}
	key := ownersKey{&owners[0], len(owners)}
	if dr.kept[key] {
		return
	}
	dr.kept[key] = true
	for i := range owners {
		d.work(partClaims, 1)
		if uid := owners[i].UID; dr.pods[uid] {
			dr.keeps[uid] = true
		}
	}
}

func (d *decision) knowPods() {
	p := &d.drain.protected
	p.pods, p.drained = make(map[string]bool, len(d.s.Pods)), map[string]int32{}
	for i := range d.s.Pods { // one that was released takes its claim along as well
		d.work(partPods, 2)
		if _, named := d.ordinalOf(&d.s.Pods[i]); named {
			p.pods[d.s.Pods[i].UID] = true
		}
	}
	d.knowDrained()
}

// knowDrained finds the claims that drain pods have emptied. Where two of them list a claim, the last one counts.
func (d *decision) knowDrained() {
	pods := d.drainPods()
	if len(pods) == 0 {
		return
	}
	there := make(map[string]bool, len(d.s.Claims))
	for i := range d.s.Claims {
		d.work(partClaims, 1)
		there[d.s.Claims[i].UID] = true
	}
	drained, read := d.drain.drained, map[*Annotations]bool{}
	for _, pod := range slices.Backward(pods) {
		d.work(partPods, 1)
		if pod.terminating() || !d.hasDrained(pod) || read[pod.Annotations] {
			continue // pods that share a list name the same claims
		}
		read[pod.Annotations] = true
		ordinal, _ := d.ordinalOf(pod)
		d.eachUID(pod.drainClaims(), func(uid string) {
			if _, known := drained[uid]; there[uid] && !known {
				drained[uid] = ordinal
			}
		})
	}
}

// goesWith is the reference by which a claim would be deleted against the policy; nil where there is none. What refers to
// something that is gone already is the garbage collector's.
func (d *decision) goesWith(c *Claim) *Owner {
	dr := d.drain
	if !c.DeletedAt.IsZero() || len(c.Owners) == 0 {
		return nil
	}
	if ordinal, drained := dr.drained[c.UID]; drained && ordinal == d.ordinalOfClaim(c) {
		return nil
	}
	if len(c.Owners) <= fewOwners {
		return d.deletingOwner(c.Owners)
	}
	// Claims share long lists of owners: each is read once.
	key := ownersKey{&c.Owners[0], len(c.Owners)}
	owner, known := dr.owners[key]
	if !known {
		d.work(partClaims, len(c.Owners))
		if dr.owners == nil {
			dr.owners = map[ownersKey]*Owner{}
		}
		owner = d.deletingOwner(c.Owners)
		dr.owners[key] = owner
	}
	return owner
}

type ownersKey struct {
	first *Owner
	count int
}

func (d *decision) deletingOwner(owners []Owner) *Owner {
	for i := range owners {
		d.meter.pause(i)
		o := &owners[i]
		if o.UID == d.set.UID && !d.deletesOnDelete() || o.Kind == KindPod && d.drain.pods[o.UID] {
			return o
		}
	}
	return nil
}

// wouldGo tells whether one of an ordinal's claims would go with a pod.
func (d *decision) wouldGo(p *drainPlace) bool {
	return slices.ContainsFunc(p.claims, func(placed placedClaim) bool {
		o := d.goesWith(placed.claim)
		return o != nil && o.UID != d.set.UID
	})
}

func (d *decision) ordinalOfClaim(c *Claim) int32 {
	if ordinal, _, ok := d.placeOf(c); ok {
		return ordinal
	}
	return noOrdinal
}

// release plans to take off what a claim must not refer to. What else the retention table wants comes with it.
func (d *decision) release(step *Step, c *Claim) {
	if d.putBack(d.goesWith(c)) {
		return
	}
	a := Action{Kind: KindClaim, Name: c.Name, UID: c.UID, ResourceVersion: c.ResourceVersion, Op: SetClaimOwners{},
		Cause: Cause{CauseRetention, "The drain policy covers the claim, and it must not be deleted with its owner before it is drained."}}
	if !d.fits(&a) {
		return
	}
	ordinal := d.ordinalOfClaim(c)
	freed := *c
	freed.Owners = slices.DeleteFunc(slices.Clone(c.Owners), func(o Owner) bool {
		d.work(partClaims, 4)
		return o.UID == d.set.UID || d.drain.pods[o.UID]
	})
	pod := podRef{name: d.set.podName(ordinal)}
	_, inRange := d.slotOf(ordinal)
	owners, fact := d.wantedOwners(&freed, pod, inRange, d.ownershipOf(&freed, pod).strange)
	a.Op = SetClaimOwners{Owners: owners}
	if d.emit(step, a, fact) {
		d.noteChange(c)
	}
}

// putBack tells whether another controller runs the set and would put the reference back at once.
func (d *decision) putBack(o *Owner) bool {
	if o.UID == d.set.UID {
		return d.drain.alone && d.set.WhenDeleted == "Delete"
	}
	return d.drain.alone && d.set.WhenScaled == "Delete"
}

// unprotected says what must not be deleted yet.
func (d *decision) unprotected() Block {
	first := d.drain.doomed[0]
	o := d.goesWith(first)
	withSet, withPods := 0, 0
	for _, c := range d.drain.doomed {
		d.work(partClaims, 1)
		if d.goesWith(c).UID == d.set.UID {
			withSet++
		} else {
			withPods++
		}
	}
	b := Block{Code: BlockDrainUnprotected, Severity: Attention, Kind: KindClaim, Name: first.Name,
		Message: fmt.Sprintf("The claim belongs to %s %s and would be deleted with it before it is drained.", short(o.Kind), short(o.Name))}
	same, other, whose := withPods, withSet, "the set"
	if o.UID == d.set.UID {
		same, other, whose = withSet, withPods, "pods"
	}
	if same > 1 {
		b.Message += " The same holds for " + moreOf(same-1, "claim") + "."
	}
	if other > 0 {
		b.Message += " " + plural(other, "claim") + " would go with " + whose + "."
	}
	byHand := "remove that owner reference by hand"
	var keep string
	if withPods > 0 {
		keep = "Do not delete the pod before this has passed."
	}
	if withSet > 0 {
		keep = strings.TrimSpace(keep + " Do not delete the set before this has passed, or delete it with --cascade=orphan, which keeps all claims.")
	}
	switch {
	case d.deleting():
		b.Remedy = "To keep the data, " + byHand + " at once."
	case d.putBack(o):
		field := "whenScaled"
		if o.UID == d.set.UID {
			field = "whenDeleted"
		}
		b.Remedy = keep + " Set persistentVolumeClaimRetentionPolicy." + field + " to Retain: until then the set's own controller puts the reference back."
	default:
		b.Remedy = keep + " The reference is being removed; if it stays, see what refuses that, or " + byHand + "."
	}
	return b
}

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
	pods    map[string]bool // the set's, by uid
	drained map[string]bool // claims that a drain pod has emptied, by uid: these may go
	doomed  []*Claim        // by name
}

// protectClaims finds the claims that would go with the set or a pod against the policy, and plans their release.
func (d *decision) protectClaims() {
	dr := d.drain
	if dr == nil || d.s.Drain == nil || len(d.s.Drain.PodTemplate) == 0 || d.deleting() && d.orphans() {
		return
	}
	d.knowPods()
	d.work(partClaims, 2*len(d.s.Claims))
	for i := range d.s.Claims {
		if c := &d.s.Claims[i]; d.goesWith(c) != nil && d.ordinalOfClaim(c) != noOrdinal {
			dr.doomed = append(dr.doomed, c)
		}
	}
	if len(dr.doomed) == 0 {
		return
	}
	slices.SortFunc(dr.doomed, func(a, b *Claim) int { return strings.Compare(a.Name, b.Name) })
	d.block(d.unprotected())
	if d.deleting() && !dr.emptying {
		return // too late: only the status is kept up
	}
	d.startPhase()
	ofSet := Stage{Phase: PhaseOwnership, OnFailure: SkipPhase}
	ofPods := Stage{Phase: PhaseOwnership, OnFailure: Stop} // else an update could take such a pod
	for _, c := range dr.doomed {
		stage := &ofSet
		if d.goesWith(c).UID != d.set.UID {
			stage = &ofPods
		}
		stage.plan(func(step *Step) { d.release(step, c) })
	}
	d.stage(ofSet)
	d.stage(ofPods)
}

func (d *decision) knowPods() {
	p := &d.drain.protected
	p.pods, p.drained = make(map[string]bool, len(d.members)), map[string]bool{}
	for _, m := range d.members {
		p.pods[m.pod.UID] = true
	}
	for _, pod := range d.drainPods() {
		if d.hasDrained(pod) {
			for _, uid := range pod.Drain.Claims {
				p.drained[uid] = true
			}
		}
	}
}

// goesWith is the reference by which a claim would be deleted against the policy; nil where there is none. What refers to
// something that is gone already is the garbage collector's.
func (d *decision) goesWith(c *Claim) *Owner {
	dr := d.drain
	if !c.DeletedAt.IsZero() || dr.drained[c.UID] {
		return nil
	}
	for i := range c.Owners {
		o := &c.Owners[i]
		if o.UID == d.set.UID && !d.deletesOnDelete() || o.Kind == KindPod && dr.pods[o.UID] {
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
	ordinal := d.ordinalOfClaim(c)
	freed := *c
	freed.Owners = slices.DeleteFunc(slices.Clone(c.Owners), func(o Owner) bool { return o.UID == d.set.UID || d.drain.pods[o.UID] })
	pod := podRef{name: d.set.podName(ordinal)}
	_, inRange := d.slotOf(ordinal)
	owners, fact := d.wantedOwners(&freed, pod, inRange, d.ownershipOf(&freed, pod).strange)
	if d.emit(step, Action{Kind: KindClaim, Name: c.Name, UID: c.UID, ResourceVersion: c.ResourceVersion, Op: SetClaimOwners{Owners: owners},
		Cause: Cause{CauseRetention, "The drain policy covers the claim, and it must not be deleted with its owner before it is drained."}}, fact) {
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
	b := Block{Code: BlockDrainUnprotected, Severity: Attention, Kind: KindClaim, Name: first.Name,
		Sentence: fmt.Sprintf("The claim belongs to %s %s and would be deleted with it before it is drained.", o.Kind, o.Name)}
	if more := len(d.drain.doomed) - 1; more > 0 {
		b.Sentence += " The same holds for " + moreOf(more, "claim") + "."
	}
	byHand := "remove that owner reference by hand"
	keep := "Do not delete the pod before this has passed."
	if o.UID == d.set.UID {
		keep = "Do not delete the set before this has passed, or delete it with --cascade=orphan, which keeps all claims."
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

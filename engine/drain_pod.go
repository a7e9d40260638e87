package engine

import (
	"fmt"
	"strings"
)

// drainPlace plans the next step of one ordinal whose replica is gone; begun tells whether that is a drain pod.
func (d *decision) drainPlace(stage *Stage, p *drainPlace) (begun bool) {
	stage.plan(func(step *Step) {
		switch {
		case p.pod != nil:
			d.attendDrainPod(step, p)
		case p.inRange && !d.comesBackLater(p.ordinal):
			// Its replica is there, or comes back to its data.
		default:
			begun = d.beginDrain(step, p)
		}
	})
	return begun
}

// beginDrain plans the drain pod, or says what is in the way.
func (d *decision) beginDrain(step *Step, p *drainPlace) bool {
	live := d.live(p)
	if p.stranger != nil {
		b := d.nameTaken(p.stranger)
		b.Message += fmt.Sprintf(" Ordinal %d is drained once it is gone.", p.ordinal)
		b.Remedy = "Delete that pod."
		d.block(b)
		return false
	}
	if d.claimMissing(p) {
		return false
	}
	for _, c := range live {
		d.work(partClaims, 1)
		if d.ownershipOf(c, podRef{name: p.name}).podSeen {
			d.block(Block{Code: BlockClaimStale, Severity: Wait, Kind: KindClaim, Name: c.Name,
				Message: "The claim belongs to the replica that is gone, so the garbage collector deletes it, drained or not.",
				Remedy:  "To keep the data, remove that owner reference."})
			return false
		}
		if !d.marked(c) && !d.markClaim(step, c) {
			return false
		}
	}
	if d.backsOff(p, live) {
		return false
	}
	why := Cause{CauseDrain, fmt.Sprintf("Ordinal %d is outside the range, and its data has to be drained.", p.ordinal)}
	if p.inRange {
		why.Message = fmt.Sprintf("The drain of ordinal %d was begun and is finished before the ordinal comes back.", p.ordinal)
	}
	if !d.noteAttempt(step, live, thisAttempt(live), why) {
		return false
	}
	a := Action{Kind: KindPod, Name: p.name, MustNotExist: true, Op: CreatePod{}, Cause: why}
	if !d.fits(&a) {
		return false
	}
	a.Op = CreatePod{Manifest: d.drainManifest(p, live)}
	facts := []string{"drain"}
	for _, c := range live {
		facts = append(facts, c.UID)
	}
	return d.emit(step, a, facts...)
}

// claimMissing says which claim a drain pod would lack.
func (d *decision) claimMissing(p *drainPlace) bool {
	missing := len(p.claims) < len(d.templates)
	d.blockAbsent(p)
	for _, placed := range p.claims {
		d.work(partClaims, 1)
		c := placed.claim
		b := Block{Code: BlockDrainClaimMissing, Severity: Attention, Kind: KindClaim, Name: c.Name}
		switch {
		case !c.DeletedAt.IsZero():
			b.Since = c.DeletedAt
			b.Message = fmt.Sprintf("The claim is being deleted, so ordinal %d cannot be drained.", p.ordinal)
			b.Remedy = "Once it is gone create it anew, or delete the ordinal's other claims to give its data up."
		case d.another(c):
			b.Message = fmt.Sprintf("The claim is marked as another set's (%s), so ordinal %d cannot be drained.", short(c.drainSet()), p.ordinal)
			b.Remedy = "If that set is gone, remove the annotation " + annotationDrainSet + " from the claim."
		default:
			continue
		}
		missing = true
		d.block(b)
	}
	return missing
}

// blockAbsent says which claims of a place do not exist.
func (d *decision) blockAbsent(p *drainPlace) {
	there := p.claims
	for i := range d.templates {
		d.work(partClaimTemplates, 1)
		if len(there) > 0 && there[0].template == i {
			there = there[1:]
			continue
		}
		if d.enough(BlockDrainClaimMissing) {
			d.omit(BlockDrainClaimMissing, len(d.templates)-i-len(there))
			return
		}
		d.block(Block{Code: BlockDrainClaimMissing, Severity: Attention, Kind: KindClaim, Name: ordinalName(strings.TrimSuffix(d.templates[i].prefix, "-"), p.ordinal),
			Message: fmt.Sprintf("The claim does not exist, so ordinal %d cannot be drained.", p.ordinal),
			Remedy:  "Create the claim, or delete the ordinal's other claims to give its data up."})
	}
}

// attendDrainPod plans what follows from the state of a drain pod.
func (d *decision) attendDrainPod(step *Step, p *drainPlace) {
	ours := p.listed
	switch {
	case p.pod.terminating():
		d.block(drainPodGoes(p.pod))
	case d.hasDrained(p.pod):
		d.endDrain(step, p, ours)
	case len(ours) == 0:
		d.deleteDrainPod(step, p.pod, Cause{CauseDrained, "The claims of the drain pod are gone: nothing is left to drain."})
	case p.inRange && d.drain.cancel:
		d.cancelDrain(step, p.pod, "The ordinal is back in the range before it was drained, and "+policyScaleUp+" is Cancel: it returns to its data.")
	case p.pod.ended():
		d.retryDrain(step, p, ours)
	default:
		if p.pod.Phase == PodPending && d.claimMissing(p) {
			return
		}
		d.noteBegun(step, p.pod, ours)
		d.block(d.draining(p, ours))
	}
}

// endDrain deletes the claims that the pod has drained, and then the pod. Each goes by its uid, because a claim that came
// anew under the name is none of them, and by its resource version, so that one whose mark has been taken off meanwhile stays.
func (d *decision) endDrain(step *Step, p *drainPlace, ours []*Claim) {
	for _, c := range ours {
		if d.marked(c) && !d.emit(step, Action{Kind: KindClaim, Name: c.Name, UID: c.UID, ResourceVersion: c.ResourceVersion, Op: DeleteClaim{},
			Cause: Cause{CauseDrained, "The drain pod has succeeded: the claim's data has been drained."}}) {
			return
		}
	}
	d.deleteDrainPod(step, p.pod, Cause{CauseDrained, "The drain pod has succeeded."})
}

func (d *decision) draining(p *drainPlace, ours []*Claim) Block {
	b := Block{Code: BlockDraining, Severity: Wait, Kind: KindPod, Name: p.pod.Name, Since: p.pod.CreatedAt,
		Message: fmt.Sprintf("The drain pod of ordinal %d is %s; its claims go once it has succeeded.", p.ordinal, phaseWord(p.pod.Phase)),
		Remedy:  "If it does not get on: kubectl logs " + p.pod.Name + ". After correcting the template, delete the pod, and it is made anew."}
	if d.drain.proof {
		b.Message = fmt.Sprintf("The drain pod of ordinal %d is %s; its claims go once it has succeeded and handed its token back.", p.ordinal, phaseWord(p.pod.Phase))
	}
	if n := attempts(ours); n > 1 {
		b.Message += fmt.Sprintf(" It is drain pod %d.", n)
	}
	if p.inRange {
		b.Message += " The ordinal is in the range again and comes back empty after the drain."
		b.Remedy += " To have it return to its data instead, set " + policyScaleUp + " to Cancel."
	}
	return b
}

func (d *decision) cancelDrain(step *Step, pod *Pod, why string) {
	if pod.terminating() {
		d.block(drainPodGoes(pod))
		return
	}
	d.deleteDrainPod(step, pod, Cause{CauseDrainCancelled, why})
}

func drainPodGoes(pod *Pod) Block {
	return Block{Code: BlockDraining, Severity: Wait, Kind: KindPod, Name: pod.Name, Since: pod.DeletedAt,
		Message: "The drain pod is being deleted, and the set goes on with the ordinal once it is gone.", Remedy: whyItStays}
}

func (d *decision) deleteDrainPod(step *Step, pod *Pod, why Cause) bool {
	return d.emit(step, Action{Kind: KindPod, Name: pod.Name, UID: pod.UID, Op: DeletePod{}, Cause: why}, "drain")
}

// drainPods lists the set's drain pods, by name.
func (d *decision) drainPods() []*Pod {
	var pods []*Pod
	for _, p := range d.strangers {
		d.work(partPods, 1)
		if d.isDrainPod(p) {
			pods = append(pods, p)
		}
	}
	sortList(d, partPods, pods, func(a, b *Pod) int { return strings.Compare(a.Name, b.Name) })
	return pods
}

package engine

import (
	"fmt"
	"strings"
)

// drainPlace plans the next step of one ordinal whose replica is gone; begun tells whether that is a drain pod.
func (dr *drain) drainPlace(stage *Stage, p *drainPlace) (begun bool) {
	stage.plan(func(step *Step) {
		switch {
		case p.pod != nil:
			dr.attendDrainPod(step, p)
		case p.inRange && !dr.comesBackLater(p.ordinal):
			// Its replica is there, or comes back to its data.
		default:
			begun = dr.beginDrain(step, p)
		}
	})
	return begun
}

// beginDrain plans the drain pod, or says what is in the way.
func (dr *drain) beginDrain(step *Step, p *drainPlace) bool {
	live := dr.live(p)
	if p.stranger != nil {
		b := dr.view.nameTaken(p.stranger)
		b.Message += fmt.Sprintf(" Ordinal %d is drained once it is gone.", p.ordinal)
		b.Remedy = "Delete that pod."
		dr.out.block(b)
		return false
	}
	if dr.claimMissing(p) {
		return false
	}
	for _, c := range live {
		dr.view.meter.work(partClaims, 1)
		if dr.view.ownershipOf(c, podRef{name: p.name}).podSeen {
			dr.out.block(Block{Code: BlockClaimStale, Severity: Wait, Kind: KindClaim, Name: c.Name,
				Message: "The claim belongs to the replica that is gone, so the garbage collector deletes it, drained or not.",
				Remedy:  "To keep the data, remove that owner reference."})
			return false
		}
		if !dr.marked(c) && !dr.markClaim(step, c) {
			return false
		}
	}
	if dr.backsOff(p, live) {
		return false
	}
	why := Cause{CauseDrain, fmt.Sprintf("Ordinal %d is outside the range, and its data has to be drained.", p.ordinal)}
	if p.inRange {
		why.Message = fmt.Sprintf("The drain of ordinal %d was begun and is finished before the ordinal comes back.", p.ordinal)
	}
	if !dr.noteAttempt(step, live, thisAttempt(live), why) {
		return false
	}
	a := Action{Kind: KindPod, Name: p.name, MustNotExist: true, Op: CreatePod{}, Cause: why}
	if !dr.out.fits(&a) {
		return false
	}
	a.Op = CreatePod{Manifest: dr.drainManifest(p, live)}
	facts := []string{"drain"}
	for _, c := range live {
		facts = append(facts, c.UID)
	}
	return dr.out.emit(step, a, facts...)
}

// claimMissing says which claim a drain pod would lack.
func (dr *drain) claimMissing(p *drainPlace) bool {
	missing := len(p.claims) < len(dr.view.templates)
	dr.blockAbsent(p)
	for _, placed := range p.claims {
		dr.view.meter.work(partClaims, 1)
		c := placed.claim
		b := Block{Code: BlockDrainClaimMissing, Severity: Attention, Kind: KindClaim, Name: c.Name}
		switch {
		case !c.DeletedAt.IsZero():
			b.Since = c.DeletedAt
			b.Message = fmt.Sprintf("The claim is being deleted, so ordinal %d cannot be drained.", p.ordinal)
			b.Remedy = "Once it is gone create it anew, or delete the ordinal's other claims to give its data up."
		case dr.another(c):
			b.Message = fmt.Sprintf("The claim is marked as another set's (%s), so ordinal %d cannot be drained.", short(c.drainSet()), p.ordinal)
			b.Remedy = "If that set is gone, remove the annotation " + annotationDrainSet + " from the claim."
		default:
			continue
		}
		missing = true
		dr.out.block(b)
	}
	return missing
}

// blockAbsent says which claims of a place do not exist.
func (dr *drain) blockAbsent(p *drainPlace) {
	there := p.claims
	for i := range dr.view.templates {
		dr.view.meter.work(partClaimTemplates, 1)
		if len(there) > 0 && there[0].template == i {
			there = there[1:]
			continue
		}
		if dr.out.enough(BlockDrainClaimMissing) {
			dr.out.omit(BlockDrainClaimMissing, len(dr.view.templates)-i-len(there))
			return
		}
		dr.out.block(Block{Code: BlockDrainClaimMissing, Severity: Attention, Kind: KindClaim, Name: ordinalName(strings.TrimSuffix(dr.view.templates[i].prefix, "-"), p.ordinal),
			Message: fmt.Sprintf("The claim does not exist, so ordinal %d cannot be drained.", p.ordinal),
			Remedy:  "Create the claim, or delete the ordinal's other claims to give its data up."})
	}
}

// attendDrainPod plans what follows from the state of a drain pod.
func (dr *drain) attendDrainPod(step *Step, p *drainPlace) {
	ours := p.listed
	switch {
	case p.pod.terminating():
		dr.out.block(drainPodGoes(p.pod))
	case dr.hasDrained(p.pod):
		dr.endDrain(step, p, ours)
	case len(ours) == 0:
		dr.deleteDrainPod(step, p.pod, Cause{CauseDrained, "The claims of the drain pod are gone: nothing is left to drain."})
	case p.inRange && dr.cancel:
		dr.cancelDrain(step, p.pod, "The ordinal is back in the range before it was drained, and "+policyScaleUp+" is Cancel: it returns to its data.")
	case p.pod.ended():
		dr.retryDrain(step, p, ours)
	default:
		if p.pod.Phase == PodPending && dr.claimMissing(p) {
			return
		}
		dr.noteBegun(step, p.pod, ours)
		dr.out.block(dr.draining(p, ours))
	}
}

func (dr *drain) draining(p *drainPlace, ours []*Claim) Block {
	b := Block{Code: BlockDraining, Severity: Wait, Kind: KindPod, Name: p.pod.Name, Since: p.pod.CreatedAt,
		Message: fmt.Sprintf("The drain pod of ordinal %d is %s; its claims go once it has succeeded.", p.ordinal, phaseWord(p.pod.Phase)),
		Remedy:  "If it does not get on: kubectl logs " + p.pod.Name + ". After correcting the template, delete the pod, and it is made anew."}
	if dr.proof {
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

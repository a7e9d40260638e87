package drain

import (
	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/model"
)

// drainPlace plans the next step of an ordinal whose replica is gone; begun reports whether it creates a drain pod.
func (dr *Drain) drainPlace(stage *model.Stage, p *drainPlace) (begun bool) {
	stage.Add(func(step *model.Step) {
		switch {
		case p.pod != nil:
			dr.attendDrainPod(step, p)
		case p.inRange && !dr.ComesBackLater(p.ordinal):
			// Its replica exists, or comes back with its data.
		default:
			begun = dr.beginDrain(step, p)
		}
	})
	return begun
}

// beginDrain plans the drain pod, or adds a block.
func (dr *Drain) beginDrain(step *model.Step, p *drainPlace) bool {
	live := dr.live(p)
	if p.stranger != nil {
		dr.out.Block(blockNameNotFree(p, dr.view.WhoseIs(p.stranger), dr.view.EarlierSet(p.stranger)))
		return false
	}
	if dr.claimMissing(p) {
		return false
	}
	for _, c := range live {
		if dr.view.OwnershipOf(c, claims.PodRef{Name: p.name}).PodSeen {
			dr.out.Block(claims.BlockClaimOfReplicaGone(c))
			return false
		}
		if !dr.marked(c) && !dr.markClaim(step, c) {
			return false
		}
	}
	if dr.backsOff(p, live) {
		return false
	}
	why := causeDrain(p.ordinal)
	if p.inRange {
		why = causeFinishDrain(p.ordinal)
	}
	if !dr.noteAttempt(step, live, thisAttempt(live), why) {
		return false
	}
	a := model.Action{Kind: model.KindPod, Name: p.name, MustNotExist: true, Op: model.CreatePod{}, Cause: why}
	if !dr.out.Fits(&a) {
		return false
	}
	a.Op = model.CreatePod{Manifest: dr.drainManifest(p, live)}
	facts := []string{"drain"}
	for _, c := range live {
		facts = append(facts, c.UID)
	}
	return dr.out.Emit(step, a, facts...)
}

// claimMissing reports whether a drain pod would lack a claim, and adds blocks for those.
func (dr *Drain) claimMissing(p *drainPlace) bool {
	missing := dr.explainAbsent(p)
	for _, placed := range p.claims {
		c := placed.Claim
		switch {
		case !c.DeletedAt.IsZero():
			dr.out.Block(blockClaimGoes(c, p.ordinal))
		case dr.another(c):
			dr.out.Block(blockClaimOfAnother(c, p.ordinal))
		default:
			continue
		}
		missing = true
	}
	return missing
}

// explainAbsent says which claims of a place do not exist, and reports whether there is one.
func (dr *Drain) explainAbsent(p *drainPlace) (absent bool) {
	there, without := p.claims, dr.without(p)
	for i := range dr.view.Templates {
		if len(there) > 0 && there[0].Template == i {
			there = there[1:]
			continue
		}
		if without.Has(i) {
			continue
		}
		absent = true
		if dr.out.Enough(model.BlockDrainClaimMissing) {
			dr.out.Omit(model.BlockDrainClaimMissing, len(dr.view.Templates)-i-len(there)-without.After(i))
			return absent
		}
		dr.out.Block(blockNoClaim(model.OrdinalName(dr.view.Templates[i].Name+"-"+dr.view.Set.Name, p.ordinal), p.ordinal))
	}
	return absent
}

// attendDrainPod plans what the state of a drain pod requires.
func (dr *Drain) attendDrainPod(step *model.Step, p *drainPlace) {
	ours := p.listed
	switch {
	case p.pod.Terminating():
		dr.out.Block(blockDrainPodGoes(p.pod))
	case dr.hasDrained(p.pod):
		dr.endDrain(step, p, ours)
	case len(ours) == 0:
		dr.deleteDrainPod(step, p.pod, causeNothingLeft)
	case p.inRange && dr.Cancel:
		dr.cancelDrain(step, p.pod, causeBackUndrained)
	case p.pod.HasEnded():
		dr.retryDrain(step, p, ours)
	default:
		if p.pod.Phase == model.PodPending && dr.claimMissing(p) {
			return
		}
		dr.noteBegun(step, p.pod, ours)
		dr.out.Block(blockDraining(p, attempts(ours), dr.Proof))
	}
}

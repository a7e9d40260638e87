package engine

import "github.com/setplan/setplan/engine/model"

// drainPlace plans the next step of an ordinal whose replica is gone; begun reports whether it creates a drain pod.
func (dr *drain) drainPlace(stage *model.Stage, p *drainPlace) (begun bool) {
	stage.Add(func(step *model.Step) {
		switch {
		case p.pod != nil:
			dr.attendDrainPod(step, p)
		case p.inRange && !dr.comesBackLater(p.ordinal):
			// Its replica exists, or comes back with its data.
		default:
			begun = dr.beginDrain(step, p)
		}
	})
	return begun
}

// beginDrain plans the drain pod, or adds a block.
func (dr *drain) beginDrain(step *model.Step, p *drainPlace) bool {
	live := dr.live(p)
	if p.stranger != nil {
		dr.out.block(blockNameNotFree(p, dr.view.whoseIs(p.stranger), dr.view.earlierSet(p.stranger)))
		return false
	}
	if dr.claimMissing(p) {
		return false
	}
	for _, c := range live {
		if dr.view.ownershipOf(c, podRef{name: p.name}).podSeen {
			dr.out.block(blockClaimOfReplicaGone(c))
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
	if !dr.out.fits(&a) {
		return false
	}
	a.Op = model.CreatePod{Manifest: dr.drainManifest(p, live)}
	facts := []string{"drain"}
	for _, c := range live {
		facts = append(facts, c.UID)
	}
	return dr.out.emit(step, a, facts...)
}

// claimMissing reports whether a drain pod would lack a claim, and adds blocks for those.
func (dr *drain) claimMissing(p *drainPlace) bool {
	missing := dr.explainAbsent(p)
	for _, placed := range p.claims {
		c := placed.claim
		switch {
		case !c.DeletedAt.IsZero():
			dr.out.block(blockClaimGoes(c, p.ordinal))
		case dr.another(c):
			dr.out.block(blockClaimOfAnother(c, p.ordinal))
		default:
			continue
		}
		missing = true
	}
	return missing
}

// explainAbsent says which claims of a place do not exist, and reports whether there is one.
func (dr *drain) explainAbsent(p *drainPlace) (absent bool) {
	there, without := p.claims, dr.without(p)
	for i := range dr.view.templates {
		if len(there) > 0 && there[0].template == i {
			there = there[1:]
			continue
		}
		if without.has(i) {
			continue
		}
		absent = true
		if dr.out.enough(model.BlockDrainClaimMissing) {
			dr.out.omit(model.BlockDrainClaimMissing, len(dr.view.templates)-i-len(there)-without.after(i))
			return absent
		}
		dr.out.block(blockNoClaim(model.OrdinalName(dr.view.templates[i].name+"-"+dr.view.set.Name, p.ordinal), p.ordinal))
	}
	return absent
}

// attendDrainPod plans what the state of a drain pod requires.
func (dr *drain) attendDrainPod(step *model.Step, p *drainPlace) {
	ours := p.listed
	switch {
	case p.pod.Terminating():
		dr.out.block(blockDrainPodGoes(p.pod))
	case dr.hasDrained(p.pod):
		dr.endDrain(step, p, ours)
	case len(ours) == 0:
		dr.deleteDrainPod(step, p.pod, causeNothingLeft)
	case p.inRange && dr.cancel:
		dr.cancelDrain(step, p.pod, causeBackUndrained)
	case p.pod.HasEnded():
		dr.retryDrain(step, p, ours)
	default:
		if p.pod.Phase == model.PodPending && dr.claimMissing(p) {
			return
		}
		dr.noteBegun(step, p.pod, ours)
		dr.out.block(blockDraining(p, attempts(ours), dr.proof))
	}
}

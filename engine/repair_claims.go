package engine

// claimsGoWith tells whether claims of a slot refer to its pod, as they do after the set was scaled down and up again under
// whenScaled Delete. The garbage collector would delete them with the pod. So this plan releases them, and a later one, which sees
// that they are free, deletes the pod. The pass over the replicas may not come this far: OrderedReady stops at the first pod that is
// not ready.
func (d *decision) claimsGoWith(slot int) bool {
	p, ordinal := d.replicas[slot], d.ordinal(slot)
	ref := podRef{p.Name, p.UID}
	refer, released := false, false
	for i, c := d.nextClaim(ordinal, 0); c != nil; i, c = d.nextClaim(ordinal, i+1) {
		d.work(partClaims, 1)
		refer = refer || d.ownershipOf(c, ref).pod
		released = released || d.changesClaim(c)
	}
	if !refer {
		return false
	}
	d.block(Block{Code: BlockRepairWaits, Severity: Wait, Kind: KindPod, Name: p.Name, Since: p.CreatedAt,
		Message: d.whyRepair(slot) + " It is replaced once no claim refers to it, because such a claim would be deleted with it."})
	var step Step
	d.startPhase()
	if !released && d.fixClaimOwners(&step, ordinal, ref) && len(step.Actions) > 0 {
		d.stage(Stage{Phase: PhaseUpdate, Steps: []Step{step}, OnFailure: Stop})
	}
	return true
}

// changesClaim tells whether the plan changes the owners of a claim already.
func (d *decision) changesClaim(c *Claim) bool {
	for _, stage := range d.plan.Stages {
		for _, step := range stage.Steps {
			for i := range step.Actions {
				if _, ok := step.Actions[i].Op.(SetClaimOwners); ok && step.Actions[i].UID == c.UID {
					return true
				}
			}
		}
	}
	return false
}

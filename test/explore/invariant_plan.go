package explore

import "fmt"

// checkPlan asks what must hold for every plan, whatever becomes of it.
func (p *planner) checkPlan(c *cluster, d *decision) *Violation {
	for _, invariant := range []struct {
		name  string
		holds func(*cluster, *decision) error
	}{
		{Preconditions, everyWriteHasAPrecondition},
		{NothingTwice, nothingIsCreatedTwice},
		{FixedPoint, fixedPointIsEmpty},
		{WaitingIsExplained, waitingIsExplained},
		{StatusIsValid, statusIsValid},
		{DangerIsSaid, p.dangerIsSaid},
	} {
		if invariant.name == p.config.deaf {
			continue
		}
		p.tally.Checked[invariant.name]++
		if err := invariant.holds(c, d); err != nil {
			return &Violation{Invariant: invariant.name, Detail: err.Error()}
		}
	}
	return nil
}

func everyWriteHasAPrecondition(_ *cluster, d *decision) error {
	for i := range d.writes {
		w := &d.writes[i]
		switch {
		case w.op.creates() && !w.mustNotExist:
			return fmt.Errorf("%s does not ask that nothing exists", w)
		case !w.op.creates() && !w.uid:
			return fmt.Errorf("%s has no uid", w)
		case (w.op == setClaimOwner || w.op == deleteClaim || w.op == renumberRevision || w.op == updateStatus) && !w.version:
			return fmt.Errorf("%s has no resource version", w)
		}
	}
	return nil
}

func nothingIsCreatedTwice(c *cluster, d *decision) error {
	after := *c
	for i := range d.writes {
		w := &d.writes[i]
		exists := (w.op == createPod || w.op == createDrainPod) && after.pods[w.ordinal].exists() ||
			w.op == createClaim && after.claims[w.ordinal].exists ||
			w.op == createRevision && after.ranks[w.rev] > 0
		if exists {
			return fmt.Errorf("%s, which exists", w)
		}
		after.apply(w, allSame)
	}
	return nil
}

func fixedPointIsEmpty(c *cluster, d *decision) error {
	if !d.converged {
		return nil
	}
	if len(d.writes) > 0 {
		return fmt.Errorf("converged, and yet: %s", &d.writes[0])
	}
	for i, p := range c.pods {
		if p.exists() && !p.available() && !c.deleting {
			return fmt.Errorf("converged, and yet pod %d is not available", i)
		}
	}
	return nil
}

func waitingIsExplained(_ *cluster, d *decision) error {
	if !d.converged && len(d.writes) == 0 && len(d.blocks) == 0 {
		return fmt.Errorf("the plan does nothing, is not converged, and says nothing")
	}
	return nil
}

// statusIsValid is what the API server asks of counters.
func statusIsValid(_ *cluster, d *decision) error {
	for i := range d.writes {
		w := &d.writes[i]
		if w.op != updateStatus {
			continue
		}
		for _, n := range w.counters {
			if n < 0 || n > w.counters[0] {
				return fmt.Errorf("%s", w)
			}
		}
		if w.counters[2] > w.counters[1] {
			return fmt.Errorf("%s", w)
		}
	}
	return nil
}

// sameInAnyOrder compares the plans for the same lists forwards and backwards.
func (p *planner) sameInAnyOrder(a, b *decision) *Violation {
	p.tally.Checked[AnyOrder]++
	same := a.converged == b.converged && len(a.writes) == len(b.writes) && len(a.blocks) == len(b.blocks)
	for i := 0; same && i < len(a.writes); i++ {
		same = a.writes[i] == b.writes[i]
	}
	for i := 0; same && i < len(a.blocks); i++ {
		same = a.blocks[i] == b.blocks[i]
	}
	if !same {
		return &Violation{Invariant: AnyOrder, Detail: "the plan for the same lists backwards is another one"}
	}
	return nil
}

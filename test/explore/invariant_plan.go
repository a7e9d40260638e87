package explore

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/invariants/law"
)

// checkPlan checks the invariants of plans.
func (p *planner) checkPlan(c *cluster, d *decision) *Violation {
	plan := p.show(c, d)
	for i := range law.OnPlan {
		invariant := &law.OnPlan[i]
		if invariant.Name == p.config.deaf {
			continue
		}
		p.tally.Checked[invariant.Name]++
		if err := invariant.Holds(plan); err != nil {
			return &Violation{Invariant: invariant.Name, Detail: err.Error()}
		}
	}
	return nil
}

// show makes a plan's view, which is valid until the next call.
func (p *planner) show(c *cluster, d *decision) *law.Plan {
	plan := &p.shown
	*plan = law.Plan{Converged: d.converged, Done: d.done, Actions: plan.Actions[:0], Silent: len(d.writes)+len(d.blocks) == 0, Warns: d.warns(), Set: p.viewer.of(c)}
	if len(d.blocks) > 0 {
		plan.Waits = d.blocks[0].Message
	}
	for i, pod := range c.pods {
		if pod.exists() && !pod.available() && !c.deleting {
			plan.Ailing = p.scribe.podNames[i]
		}
	}
	for i := range d.writes {
		w := &d.writes[i]
		a := law.Action{Stringer: w, Creates: w.op.creates(), MustNotExist: w.mustNotExist, HasUID: w.uid, HasVersion: w.version}
		switch w.op {
		case createPod, createDrainPod:
			a.Kind, a.Name, a.Exists = model.KindPod, p.scribe.podNames[w.ordinal], c.pods[w.ordinal].exists()
		case createClaim:
			a.Kind, a.Name, a.Exists = model.KindClaim, p.scribe.claims[w.ordinal], c.claims[w.ordinal].exists
		case createRevision:
			a.Kind, a.Name, a.Exists = model.KindRevision, w.rev.String(), c.ranks[w.rev] > 0
		case setClaimOwner, deleteClaim, renumberRevision, updatePod:
			a.NeedsVersion = true
		case patchClaim:
			a.NeedsVersion, a.Shrinks = true, c.claims[w.ordinal].volume.shrinks(w.asks)
		case updateStatus:
			a.NeedsVersion = true
			for _, n := range w.counters {
				a.Counters = append(a.Counters, int32(n))
			}
		}
		plan.Actions = append(plan.Actions, a)
	}
	return plan
}

func (d *decision) warns() bool {
	for i := range d.blocks {
		if d.blocks[i].Code == model.BlockDrainUnprotected && d.blocks[i].Severity == model.Attention {
			return true
		}
	}
	return false
}

// sameInAnyOrder compares the plans for the same lists forwards and backwards.
func (p *planner) sameInAnyOrder(a, b *decision) *Violation {
	p.tally.Checked[AnyOrder]++
	same := a.converged == b.converged && a.done == b.done && len(a.writes) == len(b.writes) && len(a.blocks) == len(b.blocks)
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

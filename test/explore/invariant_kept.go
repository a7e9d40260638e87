package explore

import (
	"fmt"

	"github.com/setplan/setplan/engine"
)

// doomed reports whether a claim would be deleted by the garbage collector, although the drain policy says otherwise, as
// soon as the set or a pod is deleted.
func (config *Config) doomed(c *cluster, ordinal int) bool {
	k := c.claims[ordinal]
	if !c.drains || !k.exists || k.going || k.empty {
		return false
	}
	return k.owner == byPod || k.owner == bySet && (config.Drain.OnDelete || !c.whenDeleted)
}

// dangerIsSaid: while a claim is not protected there is a block that says so, and people can wait.
func (p *planner) dangerIsSaid(c *cluster, d *decision) error {
	if c.deleting && !p.config.empties(c) {
		return nil
	}
	for i := range c.claims {
		if p.config.doomed(c, i) && !d.warns() {
			return fmt.Errorf("claim %d belongs to %s, and no block says so", i, c.claims[i].owner)
		}
	}
	return nil
}

func (d *decision) warns() bool {
	for i := range d.blocks {
		if d.blocks[i].Code == engine.BlockDrainUnprotected && d.blocks[i].Severity == engine.Attention {
			return true
		}
	}
	return false
}

// finalizerComesLast: it says that the set may be deleted, so nothing may belong to the set any more.
func finalizerComesLast(c *check) error {
	for i, k := range c.seen.claims {
		if c.write.drain.keep && k.exists && !k.going && !k.empty && k.owner == bySet {
			return fmt.Errorf("claim %d still belongs to the set", i)
		}
	}
	return nil
}

// promises reports whether a deletion of the set comes at a moment at which nobody has a reason to wait: the policy is there,
// and the plan for what is there does not warn.
func (s *search) promises(n *node, c *cluster) bool {
	return c.drains && s.config.Drain.OnDelete && !s.planner.decide(n.truth).warns()
}

// askCollector is asked before the garbage collector deletes a claim.
func (s *search) askCollector(n *node, c *cluster, e *event) {
	s.tally.Checked[DataIsDrained]++
	k := c.claims[e.ordinal]
	covered := k.marked || e.ordinal < int(c.replicas) || c.pods[e.ordinal].replica()
	if c.promised && c.drains && (covered || s.config.Drain.Leftovers) && !k.empty {
		s.fail(n, Violation{Invariant: DataIsDrained, Detail: fmt.Sprintf("claim %d has not been drained, and the set might be deleted", e.ordinal)},
			e.String())
	}
}

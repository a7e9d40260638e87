package explore

import "fmt"

// empties reports whether the set is deleted and drained first.
func (config *Config) empties(c *cluster) bool {
	return c.deleting && c.finalizer && c.drains && config.Drain.OnDelete
}

// size is how many ordinals the range has.
func (config *Config) size(c *cluster) int {
	if config.empties(c) {
		return 0
	}
	return int(c.replicas)
}

// wantedOwner is the retention table. With a drain policy it is the drain that deletes claims.
func (config *Config) wantedOwner(c *cluster, ordinal int) owner {
	switch {
	case c.whenScaled && !c.drains && ordinal >= int(c.replicas):
		return byPod
	case c.whenDeleted && !(c.drains && config.Drain.OnDelete) && !c.finalizer:
		return bySet
	}
	return byNobody
}

// endsDrain: a set that is deleted and not drained any more loses its drain pods, and then the finalizer.
func (c *check) endsDrain() bool {
	return c.seen.finalizer && (c.write.op == deleteDrainPod || c.write.op == setFinalizer && !c.write.drain.keep)
}

// drainsInOrder: under OrderedReady nothing of a lower ordinal outside the range is touched while a higher one has a
// replica, a drain pod or marked data. A replica that has ended may go out of turn, and an ordinal that is back in the
// range is drained beside the others.
func drainsInOrder(c *check) error {
	ordinal, size := c.write.ordinal, c.config.size(c.seen)
	if !c.seen.drains || c.config.Parallel || ordinal < size || c.write.op == deletePod && c.seen.pods[ordinal].phase == failed {
		return nil
	}
	for above := ordinal + 1; above < maxOrdinals; above++ {
		p, k := c.seen.pods[above], c.seen.claims[above]
		if above >= size && (p.exists() || k.exists && !k.going && k.marked) {
			return fmt.Errorf("ordinal %d is higher and not drained", above)
		}
	}
	return nil
}

// onlyMarkedIsDrained: what was left behind before there was a policy is never drained.
func onlyMarkedIsDrained(c *check) error {
	if k := c.seen.claims[c.write.ordinal]; !k.exists || !k.marked {
		return fmt.Errorf("claim %d is not marked", c.write.ordinal)
	}
	return nil
}

// drainPodsFinish: a drain pod goes when nothing is left for it to do, when it has failed, or when nobody wants it any more.
func drainPodsFinish(c *check) error {
	ordinal, seen := c.write.ordinal, c.seen
	p, k := seen.pods[ordinal], seen.claims[ordinal]
	unwanted := !seen.drains || c.config.Drain.Cancel && ordinal < c.config.size(seen) || seen.deleting && !c.config.empties(seen)
	switch {
	case !p.exists() || p.phase == failed || !k.exists || !k.listed:
		return nil
	case p.phase != succeeded && unwanted:
		return nil
	case p.phase == succeeded && (k.going || !k.marked || !seen.drains):
		return nil
	}
	return fmt.Errorf("drain pod %d is %s, and its claim is there", ordinal, p.phase)
}

// staysUntilDrained: the finalizer goes last.
func staysUntilDrained(c *check) error {
	if c.write.drain.keep || !c.config.empties(c.seen) {
		return nil
	}
	for i := range maxOrdinals {
		if k := c.seen.claims[i]; c.seen.pods[i].exists() || k.exists && !k.going && k.marked {
			return fmt.Errorf("ordinal %d is not drained", i)
		}
	}
	return nil
}

package explore

// Drain is the drain policy of a search. Edits add and remove it.
type Drain struct {
	Cancel, Leftovers, OnDelete bool
}

// String describes the policy in a search's line.
func (d *Drain) String() string {
	if d == nil {
		return ""
	}
	text := ", drain"
	if d.Cancel {
		text += " Cancel"
	}
	if d.Leftovers {
		text += " leftovers"
	}
	if d.OnDelete {
		text += " on delete"
	}
	return text
}

// policyIsNew lists clusters whose set has just got its policy, or another choice of it, so that this costs no edit. Nobody has looked
// since, and claims still belong to the owners of the retention policy. They are a set that is up, one with a finalizer from before, one
// that was scaled down without a policy, and one whose highest ordinal is drained.
func (config *Config) policyIsNew(up *cluster) []cluster {
	fresh, top := *up, config.Bounds.Ordinals-1
	fresh.drains = true
	kept, down := fresh, fresh
	kept.finalizer = true
	down.replicas, down.told = uint8(top), false
	down.pods[top] = pod{}
	drained := down
	drained.pods[top] = pod{phase: running, drain: true, owned: true}
	for i := range drained.claims {
		drained.claims[i].marked = drained.claims[i].exists
	}
	drained.claims[top].attempted, drained.claims[top].listed = true, true
	if !config.Drain.OnDelete {
		return []cluster{fresh, down}
	}
	return []cluster{fresh, kept, down, drained}
}

const (
	drainTemplate = `{"metadata":{"labels":{"app":"drainer"}},"spec":{"containers":[{"image":"drain:1","name":"drain"}]}}`
	drainMark     = setName + "/" + setUID
	// finalizerDrain keeps a deleted set until it is drained.
	finalizerDrain = "setplan.io/drain"
)

// drainWrite is what a write says about a drain.
type drainWrite struct {
	marks, unmarks     bool // of a claim
	attempts, forgets  bool // of a claim: that a drain pod was made for it
	lists, owned, keep bool // of a drain pod: it drains the claim of the view, it goes with the set; of the finalizer: to add it
}

func (o operation) drains() bool {
	return o == createDrainPod || o == annotateClaim || o == deleteClaim || o == setFinalizer
}

// writeDrain is write for operations of drains.
func (c *cluster) writeDrain(w *write, same uint32) result {
	p, k := &c.pods[w.ordinal], &c.claims[w.ordinal]
	switch w.op {
	case createDrainPod:
		if p.exists() {
			return refused // nobody controls it, so it could be anybody's
		}
		*p = pod{phase: pending, drain: true, owned: w.drain.owned}
		k.listed = k.exists && w.drain.lists && same&claimSame(w.ordinal) != 0
		return wrote(podGone(w.ordinal))
	case annotateClaim:
		if !k.exists || w.uid && same&claimSame(w.ordinal) == 0 || w.version && same&claimKept(w.ordinal) == 0 {
			return refused
		}
		before := *k
		k.marked = (k.marked || w.drain.marks) && !w.drain.unmarks
		k.attempted = (k.attempted || w.drain.attempts) && !w.drain.forgets
		if *k == before {
			return futile
		}
		return wrote(claimKept(w.ordinal))
	case deleteClaim:
		switch {
		case !k.exists:
			return futile
		case w.uid && same&claimSame(w.ordinal) == 0 || w.version && same&claimKept(w.ordinal) == 0:
			return refused
		case k.going:
			return futile
		}
		k.going = true
		return wrote(claimKept(w.ordinal))
	}
	switch {
	case c.finalizer == w.drain.keep:
		return futile
	case c.deleting && w.drain.keep:
		return refused // by the API, for an object that is going
	}
	c.finalizer = w.drain.keep
	return wrote(setKept)
}

package explore

import "fmt"

type operation uint8

const (
	createPod operation = iota
	deletePod
	createClaim
	setClaimOwner
	createRevision
	renumberRevision
	deleteRevision
	updateStatus
	createDrainPod
	deleteDrainPod
	annotateClaim
	deleteClaim
	setFinalizer
	evictPod
	updatePod
	patchClaim
)

func (o operation) String() string {
	return [...]string{"create pod", "delete pod", "create claim", "set owner of claim", "create revision", "renumber revision",
		"delete revision", "update status", "create drain pod", "delete drain pod", "annotate claim", "delete claim", "set finalizer", "evict pod",
		"update pod", "patch claim"}[o]
}

func (o operation) creates() bool {
	return o == createPod || o == createClaim || o == createRevision || o == createDrainPod
}

// write is one action of a plan.
type write struct {
	op              operation
	ordinal         int
	rev             revision // of the pod, or the revision that is written
	mounts          bool     // of a created pod: it has its claim
	owner           owner
	current, newest revision // of a status
	counters        counters
	number          int64 // of a revision
	asks            uint8 // of a claim, in Gi
	mustNotExist    bool
	uid, version    bool // preconditions
	repair          bool // a deletion that is no update
	drain           drainWrite
	inside          insideWrite
	left            uint32 // the writes that are left out if this one fails
}

func (w *write) String() string {
	switch w.op {
	case createPod, updatePod:
		return fmt.Sprintf("%s %d at %s%s", w.op, w.ordinal, w.rev, w.inside)
	case patchClaim:
		return fmt.Sprintf("%s %d to %d", w.op, w.ordinal, w.asks)
	case setClaimOwner:
		return fmt.Sprintf("%s %d to %s", w.op, w.ordinal, w.owner)
	case deletePod, evictPod, createClaim, createDrainPod, deleteDrainPod, annotateClaim, deleteClaim:
		return fmt.Sprintf("%s %d", w.op, w.ordinal)
	case updateStatus:
		return fmt.Sprintf("%s: current %s, update %s, counters %v", w.op, w.current, w.newest, w.counters)
	}
	return fmt.Sprintf("%s %s", w.op, w.rev)
}

// result of a write at the API.
type result struct {
	ok      bool
	wrote   bool
	changed uint32
	noted   bool // a refusal that the adapter remembers
}

var (
	refused = result{}
	futile  = result{ok: true} // counts as done, and nothing was written
)

func wrote(changed uint32) result { return result{ok: true, wrote: true, changed: changed} }

// apply carries out a write on the truth, as the API server would: it refuses what a precondition rules out. same says which objects of
// the plan's view are unchanged.
func (c *cluster) apply(w *write, same uint32) result {
	before := c.count()
	r := c.write(w, same)
	if r.wrote && w.op != updateStatus && before != c.count() {
		c.told = false
	}
	return r
}

func (c *cluster) write(w *write, same uint32) result {
	i := w.ordinal
	kept := func(mask uint32, asked bool) bool { return !asked || same&mask != 0 }
	switch w.op {
	case createPod:
		switch {
		case c.pods[i].drain:
			return refused
		case c.pods[i].exists():
			return futile // it has the set as its controller: an earlier attempt
		}
		c.pods[i] = pod{phase: pending, rev: w.rev, inside: c.newInside(w.rev)}
		return wrote(podGone(i))
	case deletePod, deleteDrainPod:
		return c.deletePod(w, same)
	case evictPod:
		return c.evict(w, same)
	case updatePod:
		return c.updateInPlace(w, same)
	case patchClaim:
		return c.patchClaim(w, same)
	case createClaim:
		if c.claims[i].exists {
			return refused // a claim has no owner by which to tell ours
		}
		c.claims[i] = claim{exists: true, marked: w.drain.marks, volume: newVolume(w.asks)}
		return wrote(claimGone(i))
	case setClaimOwner:
		if !c.claims[i].exists || !kept(claimSame(i), w.uid) || !kept(claimKept(i), w.version) {
			return refused
		}
		c.claims[i].owner = w.owner
		if w.owner == byPod && (!c.pods[i].exists() || same&podSame(i) == 0) {
			c.claims[i].owner = byEarlierPod
		}
		return wrote(claimKept(i))
	case updateStatus:
		if !kept(setKept, w.version) {
			return refused
		}
		c.statusCurrent, c.statusNew = w.current, w.newest
		c.told = w.counters == c.count()
		c.unnoticed = c.unnoticed && !c.told
		return wrote(setKept)
	}
	if w.op.drains() {
		return c.writeDrain(w, same)
	}
	return c.writeRevision(w, kept)
}

// deletePod is a deletion that its pod survives for a while.
func (c *cluster) deletePod(w *write, same uint32) result {
	p := &c.pods[w.ordinal]
	switch {
	case !p.exists():
		return futile // NotFound is what was wanted
	case w.uid && same&podSame(w.ordinal) == 0 || w.version && same&podKept(w.ordinal) == 0:
		return refused
	case p.mode != staying:
		return futile
	}
	*p = p.in(p.phase, going)
	return wrote(podKept(w.ordinal))
}

func (c *cluster) writeRevision(w *write, kept func(uint32, bool) bool) result {
	switch w.op {
	case createRevision:
		if c.ranks[w.rev] > 0 {
			return futile // the same data
		}
		c.makeNewest(w.rev)
		return wrote(revGone(w.rev))
	case renumberRevision:
		if c.ranks[w.rev] == 0 || !kept(revSame(w.rev), w.uid) || !kept(revKept(w.rev), w.version) {
			return refused
		}
		c.makeNewest(w.rev)
		return wrote(revKept(w.rev))
	default: // deleteRevision
		switch {
		case c.ranks[w.rev] == 0:
			return futile
		case !kept(revSame(w.rev), w.uid):
			return refused
		}
		c.ranks[w.rev] = 0
		c.rerank()
		return wrote(revGone(w.rev))
	}
}

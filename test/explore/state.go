package explore

import "github.com/setplan/setplan/test/invariants/law"

// maxOrdinals is how many ordinals a cluster can have.
const maxOrdinals = 4

// revisionCount is the number of templates: A and B are good, the pods of C never get ready. B is A with another image, unless a search says
// otherwise.
const revisionCount = 3

// revision is a template and its stored revision; 0 is none.
type revision uint8

const (
	changedRevision revision = 2
	badRevision     revision = 3
)

func (r revision) String() string { return [...]string{"none", "A", "B", "C"}[r] }

// phase is a pod's phase, with two more for readiness: a running pod that is ready, and one that was.
type phase uint8

const (
	absent phase = iota
	pending
	running
	ready
	failed
	recovering
	succeeded // drain pods only
)

func (p phase) String() string {
	return [...]string{"absent", "pending", "running", "ready", "failed", "recovering", "succeeded"}[p]
}

// mode says whether a pod is being deleted. A stuck one, on a lost node, does not disappear by itself.
type mode uint8

const (
	staying mode = iota
	going
	stuck
)

// pod is the pod with an ordinal's name: a replica, or a drain pod.
type pod struct {
	phase phase
	mode  mode
	rev   revision // of a replica
	drain bool
	owned bool // of a drain pod: it goes with the set

	refused refusal // its eviction
	leads   bool    // it has the label of the leader

	lasts bool // it has been made, or has stopped being ready, more than a moment ago; see moments.go

	mayLeave, confirmed revision // to which somebody has agreed that it is updated, and with which that the update goes on

	inside inside // its container
}

func (p pod) exists() bool    { return p.phase != absent }
func (p pod) replica() bool   { return p.exists() && !p.drain }
func (p pod) available() bool { return p.phase == ready && p.mode == staying }
func (p pod) mounts() bool    { return p.phase == running || p.phase == ready || p.phase == recovering }

// in is a pod in a phase and a mode. What only matters of a pod that stays is forgotten of others.
func (p pod) in(to phase, m mode) pod {
	if to == ready || to == recovering || m != staying {
		p.lasts = false
	}
	p.phase, p.mode = to, m
	if m != staying || to == failed {
		p.refused, p.leads, p.mayLeave, p.confirmed, p.inside = neverRefused, false, 0, 0, inside{}
	}
	return p
}

// owner is a claim's owner. byEarlierPod is an earlier pod of the ordinal's name.
type owner uint8

const (
	byNobody owner = iota
	bySet
	byPod
	byEarlierPod
)

func (o owner) String() string {
	return [...]string{"nobody", "the set", "its pod", "an earlier pod"}[o]
}

type claim struct {
	exists, going bool
	owner         owner
	marked        bool // the drain policy covers it
	attempted     bool // a drain pod was created, or about to be created, for it
	listed        bool // the existing drain pod drains it
	empty         bool // not stored: a drain pod of this claim has succeeded, and no replica has used it since
	volume        volume
}

// notes say what else is stored of pods and claims, for which there is room once.
type notes uint8

const (
	ofDrains notes = iota
	ofGrowth
	ofGates
	ofMoments
)

// cluster is everything that the API server stores about the set.
type cluster struct {
	pods   [maxOrdinals]pod
	claims [maxOrdinals]claim
	ranks  [revisionCount + 1]uint8 // of the revision numbers; 0: not stored

	replicas, partition      uint8
	reserved                 uint8 // ordinals, a bit each
	pause                    law.Pause
	template                 revision
	whenScaled, whenDeleted  bool // the retention policy: true is Delete
	drains                   bool // there is a drain policy
	deleting, foreground     bool
	finalizer                bool     // the set stays until it is drained
	promised                 bool     // it was deleted when nothing warned that a claim would be deleted with it
	statusCurrent, statusNew revision // status.currentRevision and status.updateRevision
	told                     bool     // the rest of the status matches the pods
	unnoticed                bool     // annotations were edited since, which status.observedGeneration does not show
	wants                    uint8    // healthy pods, by the disruption budget; 0: there is none
	notes                    notes    // never changes
	inner                    inner    // the same
	size                     uint8    // what the set asks for its claims, in Gi; 0: nothing
}

// dissolves reports whether the garbage collector deletes the set's objects: at once in a foreground deletion, otherwise when the set is
// gone.
func (c *cluster) dissolves() bool { return c.deleting && (c.foreground || !c.finalizer) }

// isReserved reports whether the set does not have an ordinal.
func (c *cluster) isReserved(ordinal int) bool { return c.reserved>>ordinal&1 == 1 }

// inRange reports whether the set wants a pod at an ordinal: it has as many as it has replicas, from 0 on.
func (c *cluster) inRange(ordinal int) bool {
	free := 0
	for i := range ordinal {
		if !c.isReserved(i) {
			free++
		}
	}
	return !c.isReserved(ordinal) && free < int(c.replicas)
}

// remove removes a pod and what depends on it.
func (c *cluster) remove(i int) {
	c.pods[i] = pod{}
	c.claims[i].listed = false
	if c.claims[i].owner == byPod {
		c.claims[i].owner = byEarlierPod
	}
}

// newest is the stored revision with the highest number.
func (c *cluster) newest() revision {
	newest := revision(0)
	for r := revision(1); r <= revisionCount; r++ {
		if c.ranks[r] > 0 && (newest == 0 || c.ranks[r] > c.ranks[newest]) {
			newest = r
		}
	}
	return newest
}

// rerank closes the gaps in the ranks.
func (c *cluster) rerank() {
	var ranks [revisionCount + 1]uint8
	for r := 1; r <= revisionCount; r++ {
		if c.ranks[r] == 0 {
			continue
		}
		ranks[r] = 1
		for other := 1; other <= revisionCount; other++ {
			if c.ranks[other] > 0 && c.ranks[other] < c.ranks[r] {
				ranks[r]++
			}
		}
	}
	c.ranks = ranks
}

// makeNewest gives a revision the highest number.
func (c *cluster) makeNewest(r revision) {
	c.ranks[r] = revisionCount + 1
	c.rerank()
}

// updateRevision is the revision that pods of the range are updated to.
func (c *cluster) updateRevision() revision {
	switch {
	case !c.deleting:
		return c.template
	case c.statusNew != 0:
		return c.statusNew
	}
	return c.newest()
}

// currentRevision is the revision of pods below the partition: the one that the status names, stored or not (LostRevisionHolds).
func (c *cluster) currentRevision() revision {
	if c.statusCurrent != 0 {
		return c.statusCurrent
	}
	return c.updateRevision()
}

// counters are the counters of a status: replicas, ready, available, current, updated.
type counters [5]int8

func (c *cluster) count() (n counters) {
	current, update := c.currentRevision(), c.updateRevision()
	for _, p := range c.pods {
		if !p.replica() {
			continue
		}
		n[0]++
		if p.phase == ready {
			n[1]++
			n[2] += int8(bit(!c.startsAnew(p) || p.arrived()))
		}
		if p.mode == staying && p.rev == current {
			n[3]++
		}
		if p.mode == staying && p.rev == update && p.inside.to == 0 {
			n[4]++
		}
	}
	return n
}

// comesBackAt is the revision of a new pod for an ordinal of the range.
func (c *cluster) comesBackAt(ordinal int) revision {
	if ordinal < int(c.partition) {
		return c.currentRevision()
	}
	return c.updateRevision()
}

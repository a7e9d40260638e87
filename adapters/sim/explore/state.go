package explore

// maxOrdinals is what 64 bits have room for.
const maxOrdinals = 4

// revisionCount is the number of templates: A and B are good, the pods of C never get ready.
const revisionCount = 3

// revision is a template and the stored revision of it; 0 is none.
type revision uint8

const badRevision revision = 3

func (r revision) String() string { return [...]string{"none", "A", "B", "C"}[r] }

// phase is a pod's, with readiness as two more phases: a running pod that is ready, and one that was.
type phase uint8

const (
	absent phase = iota
	pending
	running
	ready
	failed
	recovering
)

func (p phase) String() string {
	return [...]string{"absent", "pending", "running", "ready", "failed", "recovering"}[p]
}

// mode tells whether a pod is on its way out. One that is stuck, on a lost node, does not go by itself.
type mode uint8

const (
	staying mode = iota
	going
	stuck
)

type pod struct {
	phase phase
	mode  mode
	rev   revision
}

func (p pod) exists() bool    { return p.phase != absent }
func (p pod) available() bool { return p.phase == ready && p.mode == staying }

// neverReady pods are those that the repair is about; what has failed is replaced by other rules.
func (p pod) neverReady() bool { return p.phase == pending || p.phase == running }

// owner is whom a claim refers to. byEarlierPod is a pod of the ordinal's name with another uid than the present one.
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
}

// cluster is everything that the API server stores about the set.
type cluster struct {
	pods   [maxOrdinals]pod
	claims [maxOrdinals]claim
	ranks  [revisionCount + 1]uint8 // of the revision numbers; 0: not stored

	replicas, partition      uint8
	template                 revision
	whenScaled, whenDeleted  bool // the retention policy: true is Delete
	deleting                 bool
	statusCurrent, statusNew revision // status.currentRevision and status.updateRevision
	told                     bool     // the rest of the status is what the pods call for
}

// cursor is a place in a number.
type cursor struct {
	value uint64
	at    uint
}

func (b *cursor) put(value uint64, width uint) {
	b.value |= value << b.at
	b.at += width
}

func (b *cursor) putFlag(flag bool) {
	if flag {
		b.value |= 1 << b.at
	}
	b.at++
}

func (b *cursor) take(width uint) uint64 {
	value := b.value >> b.at & (1<<width - 1)
	b.at += width
	return value
}

func (b *cursor) takeFlag() bool { return b.take(1) == 1 }

// packed is a cluster in 64 bits. No cluster is 0, which stands for "no view".
type packed uint64

const packedMark packed = 1 << 63

func (c *cluster) pack() packed {
	var b cursor
	for i := range c.pods {
		p, k := c.pods[i], c.claims[i]
		code := uint64(0)
		if p.exists() {
			code = 1 + (uint64(p.phase-1)*3+uint64(p.mode))*3 + uint64(p.rev-1)
		}
		b.put(code, 6)
		code = 0
		if k.exists {
			code = 1 + uint64(k.owner)
			if k.going {
				code += 4
			}
		}
		b.put(code, 4)
	}
	for r := 1; r <= revisionCount; r++ {
		b.put(uint64(c.ranks[r]), 2)
	}
	b.put(uint64(c.replicas), 3)
	b.put(uint64(c.partition), 3)
	b.put(uint64(c.template), 2)
	b.putFlag(c.whenScaled)
	b.putFlag(c.whenDeleted)
	b.putFlag(c.deleting)
	b.put(uint64(c.statusCurrent), 2)
	b.put(uint64(c.statusNew), 2)
	b.putFlag(c.told)
	return packed(b.value) | packedMark
}

func (p packed) unpack() (c cluster) {
	b := cursor{value: uint64(p)}
	for i := range c.pods {
		if code := b.take(6); code > 0 {
			code--
			c.pods[i] = pod{phase: phase(code/9) + 1, mode: mode(code / 3 % 3), rev: revision(code%3) + 1}
		}
		if code := b.take(4); code > 0 {
			code--
			c.claims[i] = claim{exists: true, going: code >= 4, owner: owner(code % 4)}
		}
	}
	for r := 1; r <= revisionCount; r++ {
		c.ranks[r] = uint8(b.take(2))
	}
	c.replicas, c.partition = uint8(b.take(3)), uint8(b.take(3))
	c.template = revision(b.take(2))
	c.whenScaled, c.whenDeleted, c.deleting = b.takeFlag(), b.takeFlag(), b.takeFlag()
	c.statusCurrent, c.statusNew = revision(b.take(2)), revision(b.take(2))
	c.told = b.takeFlag()
	return c
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

// updateRevision is what pods of the range are to come to.
func (c *cluster) updateRevision() revision {
	switch {
	case !c.deleting:
		return c.template
	case c.statusNew != 0:
		return c.statusNew
	}
	return c.newest()
}

// currentRevision is what pods below the partition are at.
func (c *cluster) currentRevision() revision {
	if c.statusCurrent != 0 && c.ranks[c.statusCurrent] > 0 {
		return c.statusCurrent
	}
	return c.updateRevision()
}

// counters are the counters of a status: replicas, ready, available, current, updated.
type counters [5]int8

func (c *cluster) count() (n counters) {
	current, update := c.currentRevision(), c.updateRevision()
	for _, p := range c.pods {
		if !p.exists() {
			continue
		}
		n[0]++
		if p.phase == ready {
			n[1]++
			n[2]++
		}
		if p.mode == staying && p.rev == current {
			n[3]++
		}
		if p.mode == staying && p.rev == update {
			n[4]++
		}
	}
	return n
}

// comesBackAt is the revision of the pod that is made in an ordinal of the range.
func (c *cluster) comesBackAt(ordinal int) revision {
	if ordinal < int(c.partition) {
		return c.currentRevision()
	}
	return c.updateRevision()
}

// wantedOwner is the retention table.
func (c *cluster) wantedOwner(ordinal int) owner {
	switch {
	case c.whenScaled && ordinal >= int(c.replicas):
		return byPod
	case c.whenDeleted:
		return bySet
	}
	return byNobody
}

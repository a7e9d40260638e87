package explore

import (
	"cmp"

	"github.com/setplan/setplan/test/invariants/law"
)

// packed is a cluster in 128 bits: 16 for each ordinal, and the rest. No cluster is all zeroes, which stands for "no view".
type packed [2]uint64

const packedMark = 1 << 63

func (p packed) none() bool { return p == packed{} }

func (p packed) compare(other packed) int {
	return cmp.Or(cmp.Compare(p[0], other[0]), cmp.Compare(p[1], other[1]))
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

func (b *cursor) putFlags(flags ...bool) {
	for _, flag := range flags {
		if flag {
			b.value |= 1 << b.at
		}
		b.at++
	}
}

func (b *cursor) take(width uint) uint64 {
	value := b.value >> b.at & (1<<width - 1)
	b.at += width
	return value
}

func (b *cursor) takeFlags(flags ...*bool) {
	for _, flag := range flags {
		*flag = b.take(1) == 1
	}
}

func (c *cluster) pack() packed {
	var each, rest cursor
	rest.put(uint64(c.notes), 2)
	for i := range c.pods {
		p, k := &c.pods[i], &c.claims[i]
		each.put(uint64(p.phase), 3)
		each.put(uint64(p.mode), 2)
		each.put(uint64(p.rev), 2)
		each.putFlags(p.drain, k.exists, k.going)
		switch c.notes {
		case ofDrains:
			each.putFlags(k.marked, k.attempted, k.listed, k.empty)
		case ofGrowth:
			each.put(uint64(k.volume), volumeBits)
		case ofGates:
			each.put(uint64(p.mayLeave), 2)
			each.put(uint64(p.confirmed), 2)
		}
		each.put(uint64(k.owner), 2)
		rest.putFlags(p.owned, p.leads)
		rest.put(uint64(p.refused), 2)
	}
	for r := 1; r <= revisionCount; r++ {
		rest.put(uint64(c.ranks[r]), 2)
	}
	rest.put(uint64(c.replicas), 3)
	rest.put(uint64(c.partition), 3)
	rest.put(uint64(c.wants), 3)
	rest.put(uint64(c.size), 2)
	rest.put(uint64(c.reserved), maxOrdinals)
	rest.put(uint64(c.pause), 2)
	rest.put(uint64(c.template), 2)
	rest.put(uint64(c.statusCurrent), 2)
	rest.put(uint64(c.statusNew), 2)
	rest.putFlags(c.whenScaled, c.whenDeleted, c.drains, c.deleting, c.foreground, c.finalizer, c.told, c.promised, c.unnoticed)
	return packed{each.value, rest.value | packedMark}
}

func (p packed) unpack() (c cluster) {
	each, rest := cursor{value: p[0]}, cursor{value: p[1]}
	c.notes = notes(rest.take(2))
	for i := range c.pods {
		p, k := &c.pods[i], &c.claims[i]
		p.phase, p.mode, p.rev = phase(each.take(3)), mode(each.take(2)), revision(each.take(2))
		each.takeFlags(&p.drain, &k.exists, &k.going)
		switch c.notes {
		case ofDrains:
			each.takeFlags(&k.marked, &k.attempted, &k.listed, &k.empty)
		case ofGrowth:
			k.volume = volume(each.take(volumeBits))
		case ofGates:
			p.mayLeave, p.confirmed = revision(each.take(2)), revision(each.take(2))
		}
		k.owner = owner(each.take(2))
		rest.takeFlags(&p.owned, &p.leads)
		p.refused = refusal(rest.take(2))
	}
	for r := 1; r <= revisionCount; r++ {
		c.ranks[r] = uint8(rest.take(2))
	}
	c.replicas, c.partition, c.wants = uint8(rest.take(3)), uint8(rest.take(3)), uint8(rest.take(3))
	c.size = uint8(rest.take(2))
	c.reserved, c.pause = uint8(rest.take(maxOrdinals)), law.Pause(rest.take(2))
	c.template = revision(rest.take(2))
	c.statusCurrent, c.statusNew = revision(rest.take(2)), revision(rest.take(2))
	rest.takeFlags(&c.whenScaled, &c.whenDeleted, &c.drains, &c.deleting, &c.foreground, &c.finalizer, &c.told, &c.promised, &c.unnoticed)
	return c
}

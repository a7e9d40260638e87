package explore

import (
	"cmp"

	"github.com/setplan/setplan/test/invariants/law"
)

// packed is a cluster in 192 bits: 16 for each ordinal, the rest, and 16 for the inside of each pod. No cluster is all zeroes, which stands for "no view".
type packed [3]uint64

const packedMark = 1 << 63

func (p packed) none() bool { return p == packed{} }

func (p packed) compare(other packed) int {
	return cmp.Or(cmp.Compare(p[0], other[0]), cmp.Compare(p[1], other[1]), cmp.Compare(p[2], other[2]))
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
	var each, rest, insides cursor
	rest.put(uint64(c.notes), 2)
	rest.put(uint64(c.inner), 2)
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
		case ofMoments:
			each.putFlags(p.lasts, false, false, false)
		}
		each.put(uint64(k.owner), 2)
		rest.putFlags(p.owned, p.leads, p.inside.late)
		rest.put(uint64(p.refused), 2)
		c.putInside(&insides, &p.inside)
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
	return packed{each.value, rest.value | packedMark, insides.value}
}

func (p packed) unpack() (c cluster) {
	each, rest, insides := cursor{value: p[0]}, cursor{value: p[1]}, cursor{value: p[2]}
	c.notes, c.inner = notes(rest.take(2)), inner(rest.take(2))
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
		case ofMoments:
			each.takeFlags(&p.lasts)
			each.take(3)
		}
		k.owner = owner(each.take(2))
		rest.takeFlags(&p.owned, &p.leads, &p.inside.late)
		p.refused = refusal(rest.take(2))
		c.takeInside(&insides, &p.inside)
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

func (c *cluster) putInside(b *cursor, in *inside) {
	if c.inner == noInside {
		return
	}
	b.putFlags(in.marked)
	b.put(uint64(in.to), 2)
	if c.inner == ofImages {
		for _, r := range [...]revision{in.knows, in.runs, in.record.image} {
			b.put(uint64(r), 2)
		}
		b.put(uint64(in.id), 2)
		b.put(uint64(in.record.id), 2)
		b.putFlags(in.record.open, in.record.seen, in.record.none)
		return
	}
	for _, r := range [...]revision{in.asks, in.has, in.was} {
		b.put(uint64(r), 2)
	}
	b.put(uint64(in.answer), 2)
}

func (c *cluster) takeInside(b *cursor, in *inside) {
	if c.inner == noInside {
		return
	}
	b.takeFlags(&in.marked)
	in.to = revision(b.take(2))
	if c.inner == ofImages {
		for _, r := range [...]*revision{&in.knows, &in.runs, &in.record.image} {
			*r = revision(b.take(2))
		}
		in.id, in.record.id = id(b.take(2)), id(b.take(2))
		b.takeFlags(&in.record.open, &in.record.seen, &in.record.none)
		return
	}
	for _, r := range [...]*revision{&in.asks, &in.has, &in.was} {
		*r = revision(b.take(2))
	}
	in.answer = answer(b.take(2))
}

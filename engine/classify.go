package engine

// classify gives every member its one place: the slot of its ordinal, or the condemned. A pod whose ordinal fits no
// int32 gets none, and nothing is done with it.
func (d *decision) classify() {
	d.replicas = make([]*Pod, d.size())
	var condemned []member
	for i, m := range d.members {
		d.workAlong(partPods, 1, i, len(d.members))
		if slot, ok := d.slotOf(m.ordinal); ok {
			if d.replicas[slot] == nil || d.betterFit(m, d.replicas[slot]) {
				d.replicas[slot] = m.pod
			}
		} else if m.ordinal >= 0 {
			condemned = append(condemned, m)
		}
	}
	sortList(d, partPods, condemned, func(a, b member) int {
		if a.ordinal != b.ordinal {
			return int(b.ordinal) - int(a.ordinal)
		}
		if d.betterFit(a, b.pod) {
			return -1
		}
		return 1
	})
	d.condemned = condemned
	d.indexClaims()
	d.indexStrangers()
}

// slotOf returns the place of an ordinal in the range [start, start+replicas).
func (d *decision) slotOf(ordinal int32) (slot int, ok bool) {
	slot = int(ordinal) - int(d.set.OrdinalsStart)
	return slot, ordinal >= 0 && slot >= 0 && slot < d.size()
}

// size is how many ordinals the range has; a set that is being deleted and drained first has none.
func (d *decision) size() int {
	if d.emptying() {
		return 0
	}
	return int(d.set.Replicas)
}

// betterFit orders web-1 and web-01, which only the upstream rules both take for ordinal 1: the canonical name
// wins, then the smaller one. Upstream takes whichever its cache lists last.
func (d *decision) betterFit(m member, other *Pod) bool {
	canonical := d.set.podName(m.ordinal)
	if m.pod.Name == canonical || other.Name == canonical {
		return m.pod.Name == canonical
	}
	return m.pod.Name < other.Name
}

// indexStrangers remembers who bears the name of an ordinal of the range without being ours.
func (d *decision) indexStrangers() {
	for i, p := range d.strangers {
		d.workAlong(partPods, 1, i, len(d.strangers))
		parent, ordinal, canonical, ok := parseMember(p.Name)
		if !ok || parent != d.set.Name || !canonical {
			continue
		}
		if slot, inRange := d.slotOf(ordinal); inRange {
			if d.taken == nil {
				d.taken = make(map[int]*Pod)
			}
			d.taken[slot] = p
		}
	}
}

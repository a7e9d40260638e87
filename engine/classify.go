package engine

// classify gives every member its one place: the slot of its ordinal, or the condemned. A pod whose ordinal fits no
// int32 gets none, and nothing is done with it.
func (v *view) classify() {
	v.replicas = make([]*Pod, v.size)
	var condemned []member
	for i, m := range v.members {
		v.meter.workAlong(partPods, 1, i, len(v.members))
		if slot, ok := v.slotOf(m.ordinal); ok {
			if v.replicas[slot] == nil || v.betterFit(m, v.replicas[slot]) {
				v.replicas[slot] = m.pod
			}
		} else if m.ordinal >= 0 {
			condemned = append(condemned, m)
		}
	}
	sortList(v.meter, partPods, condemned, func(a, b member) int {
		if a.ordinal != b.ordinal {
			return int(b.ordinal) - int(a.ordinal)
		}
		if v.betterFit(a, b.pod) {
			return -1
		}
		return 1
	})
	v.condemned = condemned
	v.indexClaims()
	v.indexStrangers()
}

// betterFit orders web-1 and web-01, which only the upstream rules both take for ordinal 1: the canonical name
// wins, then the smaller one. Upstream takes whichever its cache lists last.
func (v *view) betterFit(m member, other *Pod) bool {
	canonical := v.set.podName(m.ordinal)
	if m.pod.Name == canonical || other.Name == canonical {
		return m.pod.Name == canonical
	}
	return m.pod.Name < other.Name
}

// indexStrangers records the pods of others that occupy a name of the range.
func (v *view) indexStrangers() {
	for i, p := range v.strangers {
		v.meter.workAlong(partPods, 1, i, len(v.strangers))
		parent, ordinal, canonical, ok := parseMember(p.Name)
		if !ok || parent != v.set.Name || !canonical {
			continue
		}
		if slot, inRange := v.slotOf(ordinal); inRange {
			if v.taken == nil {
				v.taken = make(map[int]*Pod)
			}
			v.taken[slot] = p
		}
	}
}

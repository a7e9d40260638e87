package engine

import "github.com/setplan/setplan/engine/model"

// classify puts each member into the slot of its ordinal, or among the condemned. Of two members with one slot the better fit gets it.
// The other one gets no place, and neither does a pod whose ordinal does not fit an int32.
func (v *view) classify() {
	v.replicas = make([]*model.Pod, v.size)
	var condemned []member
	chosen := false
	for i, m := range v.members {
		if v.endsAt(i) {
			break
		}
		if m.pod.Annotations != nil {
			v.noteFlight(m.pod)
		}
		if slot, ok := v.slotOf(m.ordinal); ok {
			if v.replicas[slot] == nil || v.betterFit(m, v.replicas[slot]) {
				v.replicas[slot] = m.pod
				chosen = chosen || m.pod.Annotations.Get(annotationRecreate) != ""
			}
		} else if m.ordinal >= 0 {
			condemned = append(condemned, m)
		}
	}
	sortList(condemned, func(a, b member) int {
		if a.ordinal != b.ordinal {
			return int(b.ordinal) - int(a.ordinal)
		}
		if v.betterFit(a, b.pod) {
			return -1
		}
		return 1
	})
	v.condemned, v.anyChosen = condemned, chosen
	v.indexClaims()
	v.indexStrangers()
}

// betterFit orders web-1 and web-01; only upstream's rules take both for ordinal 1. The canonical name wins, then the smaller one.
// Upstream takes whichever its cache lists last.
func (v *view) betterFit(m member, other *model.Pod) bool {
	canonical := v.set.PodName(m.ordinal)
	if m.pod.Name == canonical || other.Name == canonical {
		return m.pod.Name == canonical
	}
	return m.pod.Name < other.Name
}

// indexStrangers records pods that are not the set's and occupy a name of the range.
func (v *view) indexStrangers() {
	for _, p := range v.strangers {
		parent, ordinal, canonical, ok := model.ParseMember(p.Name)
		if !ok || parent != v.set.Name || !canonical {
			continue
		}
		if slot, inRange := v.slotOf(ordinal); inRange {
			if v.taken == nil {
				v.taken = make(map[int]*model.Pod)
			}
			v.taken[slot] = p
		}
	}
}

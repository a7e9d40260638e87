package engine

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/state"
)

// classify puts each member into the slot of its ordinal, or among the condemned. Of two members with one slot the better fit gets it.
// The other one gets no place, and neither does a pod whose ordinal does not fit an int32.
func (v *view) classify() {
	v.Replicas = make([]*model.Pod, v.Size)
	var condemned []state.Member
	chosen := false
	for i, m := range v.Members {
		if v.EndsAt(i) {
			break
		}
		if m.Pod.Annotations != nil {
			v.NoteFlight(m.Pod)
		}
		if slot, ok := v.SlotOf(m.Ordinal); ok {
			if v.Replicas[slot] == nil || v.betterFit(m, v.Replicas[slot]) {
				v.Replicas[slot] = m.Pod
				chosen = chosen || m.Pod.Annotations.Get(state.AnnotationRecreate) != ""
			}
		} else if m.Ordinal >= 0 {
			condemned = append(condemned, m)
		}
	}
	plan.Sort(condemned, func(a, b state.Member) int {
		if a.Ordinal != b.Ordinal {
			return int(b.Ordinal) - int(a.Ordinal)
		}
		if v.betterFit(a, b.Pod) {
			return -1
		}
		return 1
	})
	v.Condemned, v.anyChosen = condemned, chosen
	v.IndexClaims()
	v.indexStrangers()
}

// betterFit orders web-1 and web-01; only upstream's rules take both for ordinal 1. The canonical name wins, then the smaller one.
// Upstream takes whichever its cache lists last.
func (v *view) betterFit(m state.Member, other *model.Pod) bool {
	canonical := v.Set.PodName(m.Ordinal)
	if m.Pod.Name == canonical || other.Name == canonical {
		return m.Pod.Name == canonical
	}
	return m.Pod.Name < other.Name
}

// indexStrangers records pods that are not the set's and occupy a name of the range.
func (v *view) indexStrangers() {
	for _, p := range v.Strangers {
		parent, ordinal, canonical, ok := model.ParseMember(p.Name)
		if !ok || parent != v.Set.Name || !canonical {
			continue
		}
		if slot, inRange := v.SlotOf(ordinal); inRange {
			if v.taken == nil {
				v.taken = make(map[int]*model.Pod)
			}
			v.taken[slot] = p
		}
	}
}

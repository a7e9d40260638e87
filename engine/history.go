package engine

import (
	"slices"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
)

// trimHistory deletes the oldest revisions beyond the limit. A revision is live, and does not count, while it is the
// current or the update one or a pod has it (truncateHistory upstream).
func trimHistory(v *view, out *draft) {
	limit := int(v.set.RevisionHistoryLimit)
	if limit < 0 || v.paused == pauseAll || v.deleting() && v.rules.DeletingSetStatusOnly {
		return
	}
	old := v.oldRevisions()
	if len(old) <= limit {
		return
	}
	beyond := v.unlessClaimsGo(old[:len(old)-limit])
	out.startPhase()
	var step model.Step
	for _, r := range beyond {
		if !out.emit(&step, model.Action{Kind: model.KindRevision, Name: r.Name, UID: r.UID, Op: model.DeleteRevision{}, Cause: causeHistoryLimit(len(old), limit)}) {
			break
		}
	}
	if len(step.Actions) > 0 {
		out.stage(model.Stage{Phase: model.PhaseHistory, Steps: []model.Step{step}, OnFailure: model.SkipPhase, AlwaysRun: true})
	}
}

// oldRevisions are those that are not live, oldest first.
func (v *view) oldRevisions() []*model.Revision {
	var used map[string]bool // by pods, beyond the current and the update revision: usually none
	last := v.update.name
	for _, m := range v.members {
		name := m.pod.Revision
		underWay := m.pod.Annotations != nil && v.underWay(m.pod)
		if !underWay && (name == last || name == v.update.name || name == v.current.name) {
			continue
		}
		if used == nil {
			used = make(map[string]bool)
		}
		used[name], last = true, name
		if underWay {
			used[v.specOf(m.pod)] = true // it comes from one and goes to another
		}
	}
	var old []*model.Revision
	for _, r := range v.revisions {
		if r.Name != v.update.name && r.Name != v.current.name && !used[r.Name] {
			old = append(old, r)
		}
	}
	return old
}

// unlessClaimsGo leaves out the last revision that has an added claim template, as long as a claim of it goes with the set or a pod: without the
// template nobody would take that reference away once the retention policy keeps the claim.
func (v *view) unlessClaimsGo(beyond []*model.Revision) (list []*model.Revision) {
	if v.said == nil || !v.claims.owned {
		return beyond
	}
	going := v.addedThatGo()
	if !slices.Contains(going, true) {
		return beyond
	}
	deleted := make(map[string]bool, len(beyond))
	for _, r := range beyond {
		deleted[r.Name] = true
	}
	for _, r := range v.revisions {
		if !deleted[r.Name] {
			v.crossOff(r, going)
		}
	}
	for _, r := range slices.Backward(beyond) {
		if !v.crossOff(r, going) {
			list = append(list, r)
		}
	}
	slices.Reverse(list)
	return list
}

// addedThatGo says of each claim template whether the set adds it and a claim of it goes with the set or a pod.
func (v *view) addedThatGo() []bool {
	which := make([]bool, len(v.templates))
	for i := range v.s.Claims {
		c := &v.s.Claims[i]
		if len(c.Owners) == 0 {
			continue
		}
		ordinal, template, ok := v.placeOf(c)
		if !ok || template < v.ownTemplates() || which[template] {
			continue
		}
		is := v.ownershipOf(c, podRef{name: v.set.PodName(ordinal)})
		which[template] = is.set || is.podSeen
	}
	return which
}

// crossOff takes the claim templates that a revision adds off a list, and reports whether one of them was there.
func (v *view) crossOff(r *model.Revision, which []bool) (found bool) {
	for _, m := range v.said[r.Name] {
		if i, known := v.templateNamed(m.name); known && m.kind == jsontree.Object && which[i] {
			which[i], found = false, true
		}
	}
	return found
}

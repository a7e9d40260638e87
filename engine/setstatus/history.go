package setstatus

import (
	"slices"

	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// TrimHistory deletes the oldest revisions beyond the limit. A revision is live, and does not count, while it is the
// current or the update one or a pod has it (truncateHistory upstream).
func TrimHistory(v *claims.Claims, out *state.Draft) {
	limit := int(v.Set.RevisionHistoryLimit)
	if limit < 0 || v.Paused == state.PauseAll || v.Deleting() && v.Rules.DeletingSetStatusOnly {
		return
	}
	old := oldRevisions(v)
	if len(old) <= limit {
		return
	}
	beyond := unlessClaimsGo(v, old[:len(old)-limit])
	out.StartPhase()
	var step model.Step
	for _, r := range beyond {
		if !out.Emit(&step, model.Action{Kind: model.KindRevision, Name: r.Name, UID: r.UID, Op: model.DeleteRevision{}, Cause: causeHistoryLimit(len(old), limit)}) {
			break
		}
	}
	if len(step.Actions) > 0 {
		out.Add(model.Stage{Phase: model.PhaseHistory, Steps: []model.Step{step}, OnFailure: model.SkipPhase, AlwaysRun: true})
	}
}

// oldRevisions are those that are not live, oldest first.
func oldRevisions(v *claims.Claims) []*model.Revision {
	var used map[string]bool // by pods, beyond the current and the update revision: usually none
	last := v.Update.Name
	for _, m := range v.Members {
		name := m.Pod.Revision
		underWay := m.Pod.Annotations != nil && v.UnderWay(m.Pod)
		if !underWay && (name == last || name == v.Update.Name || name == v.Current.Name) {
			continue
		}
		if used == nil {
			used = make(map[string]bool)
		}
		used[name], last = true, name
		if underWay {
			used[v.SpecOf(m.Pod)] = true // it comes from one and goes to another
		}
	}
	var old []*model.Revision
	for _, r := range v.Revisions {
		if r.Name != v.Update.Name && r.Name != v.Current.Name && !used[r.Name] {
			old = append(old, r)
		}
	}
	return old
}

// unlessClaimsGo leaves out the last revision that has an added claim template, as long as a claim of it goes with the set or a pod: without the
// template nobody would take that reference away once the retention policy keeps the claim.
func unlessClaimsGo(v *claims.Claims, beyond []*model.Revision) (list []*model.Revision) {
	if v.Said == nil || !v.Index.Owned {
		return beyond
	}
	going := addedThatGo(v)
	if !slices.Contains(going, true) {
		return beyond
	}
	deleted := make(map[string]bool, len(beyond))
	for _, r := range beyond {
		deleted[r.Name] = true
	}
	for _, r := range v.Revisions {
		if !deleted[r.Name] {
			crossOff(v, r, going)
		}
	}
	for _, r := range slices.Backward(beyond) {
		if !crossOff(v, r, going) {
			list = append(list, r)
		}
	}
	slices.Reverse(list)
	return list
}

// addedThatGo says of each claim template whether the set adds it and a claim of it goes with the set or a pod.
func addedThatGo(v *claims.Claims) []bool {
	which := make([]bool, len(v.Templates))
	for i := range v.Snap.Claims {
		c := &v.Snap.Claims[i]
		if len(c.Owners) == 0 {
			continue
		}
		ordinal, template, ok := v.PlaceOf(c)
		if !ok || template < v.OwnTemplates() || which[template] {
			continue
		}
		is := v.OwnershipOf(c, claims.PodRef{Name: v.Set.PodName(ordinal)})
		which[template] = is.Set || is.PodSeen
	}
	return which
}

// crossOff takes the claim templates that a revision adds off a list, and reports whether one of them was there.
func crossOff(v *claims.Claims, r *model.Revision, which []bool) (found bool) {
	for _, m := range v.Said[r.Name] {
		if i, known := v.TemplateNamed(m.Name); known && m.Kind == jsontree.Object && which[i] {
			which[i], found = false, true
		}
	}
	return found
}

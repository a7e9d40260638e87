package engine

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
	out.startPhase()
	var step Step
	for _, r := range old[:len(old)-limit] {
		if !out.emit(&step, Action{Kind: KindRevision, Name: r.Name, UID: r.UID, Op: DeleteRevision{}, Cause: causeHistoryLimit(len(old), limit)}) {
			break
		}
	}
	if len(step.Actions) > 0 {
		out.stage(Stage{Phase: PhaseHistory, Steps: []Step{step}, OnFailure: SkipPhase, AlwaysRun: true})
	}
}

// oldRevisions are those that are not live, oldest first.
func (v *view) oldRevisions() []*Revision {
	var used map[string]bool // by pods, beyond the current and the update revision: usually none
	last := v.update.name
	for i, m := range v.members {
		v.meter.workAlong(partPods, 1, i, len(v.members))
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
	var old []*Revision
	for _, r := range v.revisions {
		if r.Name != v.update.name && r.Name != v.current.name && !used[r.Name] {
			old = append(old, r)
		}
	}
	return old
}

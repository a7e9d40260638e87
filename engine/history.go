package engine

import "fmt"

// trimHistory deletes the oldest revisions beyond the limit. A revision is live, and does not count, while it is the
// current or the update one or a pod has it (truncateHistory upstream).
func (d *decision) trimHistory() {
	limit := int(d.set.RevisionHistoryLimit)
	if limit < 0 || d.deleting() && d.rules.DeletingSetStatusOnly {
		return
	}
	old := d.oldRevisions()
	if len(old) <= limit {
		return
	}
	d.startPhase()
	var step Step
	for _, r := range old[:len(old)-limit] {
		if !d.emit(&step, Action{Kind: KindRevision, Name: r.Name, UID: r.UID, Op: DeleteRevision{}, Cause: Cause{CauseHistoryLimit,
			fmt.Sprintf("%s in no use, and revisionHistoryLimit keeps %d.", are(len(old), "revision"), limit)}}) {
			break
		}
	}
	if len(step.Actions) > 0 {
		d.stage(Stage{Phase: PhaseHistory, Steps: []Step{step}, OnFailure: SkipPhase, AlwaysRun: true})
	}
}

// oldRevisions are those that are not live, oldest first.
func (d *decision) oldRevisions() []*Revision {
	var used map[string]bool // by pods, beyond the current and the update revision: usually none
	last := d.update.name
	for i, m := range d.members {
		d.workAlong(partPods, 1, i, len(d.members))
		if name := m.pod.Revision; name != last && name != d.update.name && name != d.current.name {
			if used == nil {
				used = make(map[string]bool)
			}
			used[name], last = true, name
		}
	}
	var old []*Revision
	for _, r := range d.revisions {
		if r.Name != d.update.name && r.Name != d.current.name && !used[r.Name] {
			old = append(old, r)
		}
	}
	return old
}

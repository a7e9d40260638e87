package engine

import "github.com/setplan/setplan/engine/model"

// countCreated adds the replica that the plan creates, so that it needs no status of its own once it is seen. It reports whether there
// is one: such a status is true only if everything before it succeeds. Where something failed the last time, it may fail again, and the
// counters tell what was seen. So they do for Parallel, whose plans go on after a failed create.
func countCreated(v *view, status *model.Status, out *draft) bool {
	if !v.rules.StatusCountsCreated || out.created == "" || out.anyFailed() {
		return false
	}
	v.countRevision(status, out.created)
	status.Replicas++
	return true
}

// countPlaced counts the pods that have a place: of the range and the condemned.
func countPlaced(v *view) model.Status {
	status := startStatus(v)
	for _, p := range v.replicas {
		if p != nil {
			v.count(&status, p)
		}
	}
	for _, m := range v.condemned {
		v.count(&status, m.pod)
	}
	return status
}

// countMembers counts every pod of the set, those without an ordinal included: what upstream does for a set that is
// being deleted.
func countMembers(v *view) model.Status {
	status := startStatus(v)
	for _, m := range v.members {
		v.count(&status, m.pod)
	}
	return status
}

// startStatus begins the status with what does not depend on pods.
func startStatus(v *view) model.Status {
	collisions := v.collision
	return model.Status{
		ObservedGeneration: v.set.Generation,
		CurrentRevision:    v.current.name,
		UpdateRevision:     v.update.name,
		CollisionCount:     &collisions,
	}
}

// count is computeReplicaStatus upstream for one pod.
func (v *view) count(status *model.Status, p *model.Pod) {
	status.Replicas++
	if p.RunningReady() {
		status.ReadyReplicas++
		if v.available(p) && (p.Annotations == nil || !v.startingAnew(p) || v.proven(p)) {
			status.AvailableReplicas++
		}
	}
	if p.Terminating() {
		return
	}
	v.countRevision(status, p.Revision)
	if p.Annotations != nil && p.Revision == v.update.name && v.underWay(p) {
		status.UpdatedReplicas-- // it may run anything yet
	}
}

func (v *view) countRevision(status *model.Status, revision string) {
	if revision == v.current.name {
		status.CurrentReplicas++
	}
	if revision == v.update.name {
		status.UpdatedReplicas++
	}
}

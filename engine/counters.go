package engine

// countPlaced counts the pods that have a place: of the range and the condemned. The counters tell what was seen, not
// what the plan will bring.
func countPlaced(v *view) Status {
	status := startStatus(v)
	for i, p := range v.replicas {
		v.meter.workAlong(partReplicas, 1, i, len(v.replicas))
		if p != nil {
			v.count(&status, p)
		}
	}
	for i, m := range v.condemned {
		v.meter.workAlong(partPods, 1, i, len(v.condemned))
		v.count(&status, m.pod)
	}
	return status
}

// countMembers counts every pod of the set, those without an ordinal included: what upstream does for a set that is
// being deleted.
func countMembers(v *view) Status {
	status := startStatus(v)
	for i, m := range v.members {
		v.meter.workAlong(partPods, 1, i, len(v.members))
		v.count(&status, m.pod)
	}
	return status
}

// startStatus begins the status with what does not depend on pods.
func startStatus(v *view) Status {
	collisions := v.collision
	return Status{
		ObservedGeneration: v.set.Generation,
		CurrentRevision:    v.current.name,
		UpdateRevision:     v.update.name,
		CollisionCount:     &collisions,
	}
}

// count is computeReplicaStatus upstream for one pod.
func (v *view) count(status *Status, p *Pod) {
	status.Replicas++
	if p.runningReady() {
		status.ReadyReplicas++
		if p.available(v.minReady, v.now) {
			status.AvailableReplicas++
		}
	}
	if p.terminating() {
		return
	}
	if p.Revision == v.current.name {
		status.CurrentReplicas++
	}
	if p.Revision == v.update.name {
		status.UpdatedReplicas++
	}
}

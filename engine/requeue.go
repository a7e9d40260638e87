package engine

// requeue asks for another look when the next pod becomes available, which no watch event announces. Where the time of
// readiness is not known, after minReadySeconds (syncStatefulSet upstream).
func (d *decision) requeue() {
	if d.minReady <= 0 || d.status.ReadyReplicas == d.status.AvailableReplicas {
		return
	}
	d.plan.RequeueAfter = d.minReady
	first := true
	for _, m := range d.members {
		at, known := m.pod.availableAt(d.minReady)
		if !m.pod.Ready || !known || !at.After(d.now) {
			continue
		}
		if wait := at.Sub(d.now); first || wait < d.plan.RequeueAfter {
			d.plan.RequeueAfter, first = wait, false
		}
	}
}

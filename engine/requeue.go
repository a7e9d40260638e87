package engine

import "time"

// requeue asks for another look when the next pod becomes available, which no watch event announces. Where the time of
// readiness is not known, after minReadySeconds (syncStatefulSet upstream).
func (d *decision) requeue() {
	if d.minReady <= 0 || d.status.ReadyReplicas == d.status.AvailableReplicas {
		return
	}
	soonest := d.minReady
	first := true
	for _, m := range d.members {
		d.work(partPods, 1)
		at, known := m.pod.availableAt(d.minReady)
		if !m.pod.Ready || !known || !at.After(d.now) {
			continue
		}
		if wait := at.Sub(d.now); first || wait < soonest {
			soonest, first = wait, false
		}
	}
	d.lookAgainIn(soonest)
}

// lookAgainIn asks for another look after a positive time; the soonest one counts.
func (d *decision) lookAgainIn(wait time.Duration) {
	if d.plan.RequeueAfter == 0 || wait < d.plan.RequeueAfter {
		d.plan.RequeueAfter = wait
	}
}

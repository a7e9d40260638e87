package engine

import (
	"fmt"
	"strconv"
)

// startStatus begins the status with what does not depend on pods.
func (d *decision) startStatus() {
	collisions := d.collision
	d.status = Status{
		ObservedGeneration: d.set.Generation,
		CurrentRevision:    d.current.name,
		UpdateRevision:     d.update.name,
		CollisionCount:     &collisions,
	}
}

// countMembers counts every pod of the set, those without an ordinal included: what upstream does for a set that is
// being deleted.
func (d *decision) countMembers() {
	d.startStatus()
	for i, m := range d.members {
		d.workAlong(partPods, 1, i, len(d.members))
		d.count(m.pod)
	}
}

// countPlaced counts the pods that have a place: of the range and the condemned. The counters tell what was seen, not
// what the plan will bring.
func (d *decision) countPlaced() {
	d.startStatus()
	for i, p := range d.replicas {
		d.workAlong(partReplicas, 1, i, len(d.replicas))
		if p != nil {
			d.count(p)
		}
	}
	for i, m := range d.condemned {
		d.workAlong(partPods, 1, i, len(d.condemned))
		d.count(m.pod)
	}
}

// count is computeReplicaStatus upstream for one pod.
func (d *decision) count(p *Pod) {
	d.status.Replicas++
	if p.runningReady() {
		d.status.ReadyReplicas++
		if p.available(d.minReady, d.now) {
			d.status.AvailableReplicas++
		}
	}
	if p.terminating() {
		return
	}
	if p.Revision == d.current.name {
		d.status.CurrentReplicas++
	}
	if p.Revision == d.update.name {
		d.status.UpdatedReplicas++
	}
}

// writeStatus completes a finished update and plans the status if it differs from the stored one.
func (d *decision) writeStatus() {
	d.completeUpdate()
	d.reportFailures()
	d.setConditions()
	if !d.statusDiffers() && !d.conditionsDiffer() {
		return
	}
	d.startPhase()
	st := &d.status
	facts := []string{strconv.FormatInt(st.ObservedGeneration, 10), strconv.Itoa(int(st.Replicas)),
		strconv.Itoa(int(st.ReadyReplicas)), strconv.Itoa(int(st.AvailableReplicas)), strconv.Itoa(int(st.CurrentReplicas)),
		strconv.Itoa(int(st.UpdatedReplicas)), st.CurrentRevision, st.UpdateRevision}
	for _, c := range st.Conditions {
		facts = append(facts, c.Type, c.Status, c.Reason, c.Message)
	}
	var step Step
	d.emit(&step, Action{Kind: d.set.Kind, Name: d.set.Name, UID: d.set.UID, ResourceVersion: d.set.ResourceVersion,
		Op:    UpdateStatus{Status: *st},
		Cause: Cause{CauseStatusChanged, d.statusSentence()},
	}, facts...)
	if len(step.Actions) > 0 {
		d.stage(Stage{Phase: PhaseStatus, Steps: []Step{step}, OnFailure: SkipPhase, AlwaysRun: true})
	}
}

// statusSentence tells the counters, and the conditions where it is they that have changed.
func (d *decision) statusSentence() string {
	if !d.statusDiffers() {
		return d.conditionsSentence()
	}
	st := &d.status
	return fmt.Sprintf("%s, %d ready, %d available, %d current, %d updated.",
		plural(int(st.Replicas), "pod"), st.ReadyReplicas, st.AvailableReplicas, st.CurrentReplicas, st.UpdatedReplicas)
}

// completeUpdate makes the update revision the current one when every pod has it and is well.
func (d *decision) completeUpdate() {
	st, want := &d.status, d.set.Replicas
	if d.onDelete() || st.UpdatedReplicas != want || st.ReadyReplicas != want || st.Replicas != want {
		return
	}
	if d.rules.CompletionNeedsAvailability && st.AvailableReplicas != want {
		return
	}
	st.CurrentReplicas = st.UpdatedReplicas
	st.CurrentRevision = st.UpdateRevision
}

// statusDiffers is inconsistentStatus upstream: a changed collision count alone is not written.
func (d *decision) statusDiffers() bool {
	a, b := &d.status, &d.set.Status
	return a.ObservedGeneration > b.ObservedGeneration ||
		a.Replicas != b.Replicas ||
		a.ReadyReplicas != b.ReadyReplicas ||
		a.AvailableReplicas != b.AvailableReplicas ||
		a.CurrentReplicas != b.CurrentReplicas ||
		a.UpdatedReplicas != b.UpdatedReplicas ||
		a.CurrentRevision != b.CurrentRevision ||
		a.UpdateRevision != b.UpdateRevision
}

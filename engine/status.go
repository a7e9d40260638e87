package engine

import (
	"fmt"
	"strconv"
)

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

// statusPass makes the status of the counters and of what the plan says so far.
type statusPass struct {
	view       *view
	status     *Status
	out        *draft
	stored     [len(conditionTypes)]*Condition // of our types, once they have been read
	storedRead bool
}

// writeStatus completes a finished update and plans the status if it differs from the stored one.
func writeStatus(v *view, status *Status, out *draft) {
	pass := statusPass{view: v, status: status, out: out}
	pass.completeUpdate()
	out.reportFailures()
	pass.setConditions()
	if !pass.statusDiffers() && !pass.conditionsDiffer() {
		return
	}
	out.startPhase()
	facts := []string{strconv.FormatInt(status.ObservedGeneration, 10), strconv.Itoa(int(status.Replicas)),
		strconv.Itoa(int(status.ReadyReplicas)), strconv.Itoa(int(status.AvailableReplicas)), strconv.Itoa(int(status.CurrentReplicas)),
		strconv.Itoa(int(status.UpdatedReplicas)), status.CurrentRevision, status.UpdateRevision}
	for _, c := range status.Conditions {
		facts = append(facts, c.Type, c.Status, c.Reason, c.Message)
	}
	var step Step
	out.emit(&step, Action{Kind: v.set.Kind, Name: v.set.Name, UID: v.set.UID, ResourceVersion: v.set.ResourceVersion,
		Op:    UpdateStatus{Status: *status},
		Cause: Cause{CauseStatusChanged, pass.statusSentence()},
	}, facts...)
	if len(step.Actions) > 0 {
		out.stage(Stage{Phase: PhaseStatus, Steps: []Step{step}, OnFailure: SkipPhase, AlwaysRun: true})
	}
}

// statusSentence tells the counters, and the conditions where it is they that have changed.
func (pass *statusPass) statusSentence() string {
	if !pass.statusDiffers() {
		return pass.conditionsSentence()
	}
	st := pass.status
	return fmt.Sprintf("%s, %d ready, %d available, %d current, %d updated.",
		plural(int(st.Replicas), "pod"), st.ReadyReplicas, st.AvailableReplicas, st.CurrentReplicas, st.UpdatedReplicas)
}

// completeUpdate makes the update revision the current one when every pod has it and is well.
func (pass *statusPass) completeUpdate() {
	st, want := pass.status, pass.view.set.Replicas
	if pass.view.onDelete() || st.UpdatedReplicas != want || st.ReadyReplicas != want || st.Replicas != want {
		return
	}
	if pass.view.rules.CompletionNeedsAvailability && st.AvailableReplicas != want {
		return
	}
	st.CurrentReplicas = st.UpdatedReplicas
	st.CurrentRevision = st.UpdateRevision
}

// statusDiffers is inconsistentStatus upstream: a changed collision count alone is not written.
func (pass *statusPass) statusDiffers() bool {
	a, b := pass.status, &pass.view.set.Status
	return a.ObservedGeneration > b.ObservedGeneration ||
		a.Replicas != b.Replicas ||
		a.ReadyReplicas != b.ReadyReplicas ||
		a.AvailableReplicas != b.AvailableReplicas ||
		a.CurrentReplicas != b.CurrentReplicas ||
		a.UpdatedReplicas != b.UpdatedReplicas ||
		a.CurrentRevision != b.CurrentRevision ||
		a.UpdateRevision != b.UpdateRevision
}

package oracle

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/oracle/planned"
	"github.com/setplan/setplan/test/oracle/world"
)

// afterFailure returns the allowance that excuses a write in a world with a refused request; nil if there is none. Writes of
// both sides are checked.
func afterFailure(fault *world.Fault, write world.Write) *Allowance {
	switch {
	case fault == nil:
	case write.Op == world.DeleteRevision && (fault.Op == world.CreateRevision || fault.Op == world.UpdateRevision):
		return historyAfterFailure
	case write.Op == world.CreateClaim && fault.Op == world.CreateClaim && write.Name != fault.Name &&
		ordinalOf(write.Name) == ordinalOf(fault.Name):
		return claimsAfterFailure
	case write.Op == world.UpdateClaim && fault.Op == world.CreatePod && ordinalOf(write.Name) == ordinalOf(fault.Name):
		return ownersAfterFailure
	}
	return nil
}

// aheadOf corrects upstream's status for the update deletions that ours planned and counted in currentReplicas but, because of
// a refusal, did not carry out.
func aheadOf(d *Divergence, theirs []world.Write, used tally) []world.Write {
	if d.World.Set.Spec.UpdateStrategy.Type == world.Recreate {
		return recreationAhead(d, theirs, used)
	}
	ahead := int32(0)
	for _, stage := range d.Ours.Plan.Stages {
		if stage.Phase == model.PhaseUpdate {
			ahead += int32(len(stage.Steps[0].Actions))
		}
	}
	for _, stage := range d.Ours.Stages {
		for _, write := range stage.Writes() {
			if stage.Phase == model.PhaseUpdate && (write.Refused == "" || write.Refused == "NotFound") {
				ahead--
			}
		}
	}
	if ahead == 0 || d.Ours.Aborted || d.World.Fault == nil {
		return theirs
	}
	status := statusAfter(d.World, theirs)
	used[countedAhead]++
	if completed(d.World, status) {
		return theirs
	}
	status.CurrentReplicas -= ahead
	if !slices.ContainsFunc(theirs, func(w world.Write) bool { return w.Op == world.UpdateStatus }) {
		*status.CollisionCount += collisions(d.Theirs.Writes)
	}
	return withStatus(d.World, status, theirs)
}

// recreationAhead puts the condition that ours planned into upstream's status where a deletion was refused.
func recreationAhead(d *Divergence, theirs []world.Write, used tally) []world.Write {
	refused := func(w world.Write) bool { return w.Op == world.DeletePod && w.Refused != "" && w.Refused != "NotFound" }
	for _, stage := range d.Ours.Stages {
		if stage.Phase == model.PhaseUpdate && slices.ContainsFunc(stage.Writes(), refused) {
			used[countedAhead]++
			status := statusAfter(d.World, theirs)
			status.Conditions = planned.Merged(status.Conditions, []appsv1.StatefulSetCondition{
				{Type: "Progressing", Status: corev1.ConditionTrue, Reason: "RecreateInProgress", Message: "Deleting old revision pods"}})
			return withStatus(d.World, status, theirs)
		}
	}
	return theirs
}

// collisions is how often upstream found the name of a new revision taken, and tried another.
func collisions(writes []world.Write) (n int32) {
	created := slices.DeleteFunc(slices.Clone(writes), func(w world.Write) bool { return w.Op != world.CreateRevision })
	for i := range created {
		if i > 0 && created[i-1].Refused == "AlreadyExists" {
			n++
		}
	}
	return n
}

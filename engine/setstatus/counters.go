package setstatus

import (
	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// countCreated adds the replica that the plan creates, so that it needs no status of its own once it is seen. It reports whether there
// is one: such a status is true only if everything before it succeeds. Where something failed the last time, it may fail again, and the
// counters tell what was seen. So they do for Parallel, whose plans go on after a failed create.
func countCreated(v *claims.Claims, status *model.Status, out *state.Draft) bool {
	if !v.Rules.StatusCountsCreated || out.Created == "" || out.AnyFailed() {
		return false
	}
	countRevision(v, status, out.Created)
	status.Replicas++
	return true
}

// CountPlaced counts the pods that have a place: of the range and the condemned.
func CountPlaced(v *claims.Claims) model.Status {
	status := startStatus(v)
	for _, p := range v.Replicas {
		if p != nil {
			count(v, &status, p)
		}
	}
	for _, m := range v.Condemned {
		count(v, &status, m.Pod)
	}
	return status
}

// CountMembers counts every pod of the set, those without an ordinal included: what upstream does for a set that is
// being deleted.
func CountMembers(v *claims.Claims) model.Status {
	status := startStatus(v)
	for _, m := range v.Members {
		count(v, &status, m.Pod)
	}
	return status
}

// startStatus begins the status with what does not depend on pods.
func startStatus(v *claims.Claims) model.Status {
	collisions := v.Collision
	return model.Status{
		ObservedGeneration: v.Set.Generation,
		CurrentRevision:    v.Current.Name,
		UpdateRevision:     v.Update.Name,
		CollisionCount:     &collisions,
	}
}

// count is computeReplicaStatus upstream for one pod.
func count(v *claims.Claims, status *model.Status, p *model.Pod) {
	status.Replicas++
	if p.RunningReady() {
		status.ReadyReplicas++
		if v.Available(p) && (p.Annotations == nil || !v.StartingAnew(p) || v.Proven(p)) {
			status.AvailableReplicas++
		}
	}
	if p.Terminating() {
		return
	}
	countRevision(v, status, p.Revision)
	if p.Annotations != nil && p.Revision == v.Update.Name && v.UnderWay(p) {
		status.UpdatedReplicas-- // it may run anything yet
	}
}

func countRevision(v *claims.Claims, status *model.Status, revision string) {
	if revision == v.Current.Name {
		status.CurrentReplicas++
	}
	if revision == v.Update.Name {
		status.UpdatedReplicas++
	}
}

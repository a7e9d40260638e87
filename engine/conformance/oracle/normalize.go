package oracle

import (
	appsv1 "k8s.io/api/apps/v1"

	"github.com/setplan/setplan/engine/conformance/upstream"
	"github.com/setplan/setplan/engine/conformance/world"
)

// expected is what ours has to do: upstream's writes without those that the allowances leave out.
func expected(w *world.World, out *upstream.Outcome, used tally) []world.Write {
	n := normalizer{w: w, used: used, created: map[string]world.Write{}, claims: map[world.Write]bool{}}
	var writes []world.Write
	for _, write := range out.Writes {
		if a := n.leaveOut(write); a != nil {
			used[a]++
			continue
		}
		writes = append(writes, write)
	}
	if n.undone > 0 && out.Status != nil {
		writes = restoreStatus(w, out.Status, int32(n.undone), writes)
	}
	if len(w.Set.Status.Conditions) > 0 {
		for _, write := range writes {
			if write.Op == world.UpdateStatus {
				used[noConditions]++
			}
		}
	}
	return writes
}

type normalizer struct {
	w       *world.World
	used    tally
	created map[string]world.Write // pods
	claims  map[world.Write]bool
	undone  int
}

func (n *normalizer) leaveOut(write world.Write) *Allowance {
	switch write.Op {
	case world.CreatePod:
		if write.Refused == "AlreadyExists" && n.w.Fault == nil {
			return nameTaken
		}
		n.created[write.Name] = write
	case world.CreateRevision:
		if write.Refused == "AlreadyExists" {
			return revisionTaken
		}
	case world.DeletePod:
		if n.w.Pod(write.Name) == nil {
			n.undone++
			return unborn
		}
	case world.UpdatePod:
		pod := n.w.Pod(write.Name)
		created, isNew := n.created[write.Name]
		switch {
		case isNew && created.Body == write.Body, pod != nil && world.PodBody(pod) == write.Body:
			return emptyUpdate
		case pod == nil && !isNew:
			return rename
		}
	case world.CreateClaim, world.UpdateClaim:
		if n.claims[write] {
			return writtenTwice
		}
		n.claims[write] = true
	}
	return nil
}

// restoreStatus is the status that upstream would have written, had it not deleted pods that it has just created.
func restoreStatus(w *world.World, got *appsv1.StatefulSetStatus, undone int32, writes []world.Write) []world.Write {
	replicas := *w.Set.Spec.Replicas
	if got.UpdatedReplicas == replicas && got.ReadyReplicas == replicas && got.Replicas == replicas {
		return writes // completed: currentReplicas was overwritten
	}
	status := *got
	status.CurrentReplicas += undone
	var out []world.Write
	at := 0
	for _, write := range writes {
		if write.Op == world.UpdateStatus {
			continue
		}
		out = append(out, write)
		if write.Op != world.DeleteRevision {
			at = len(out)
		}
	}
	if !differs(&w.Set.Status, &status) {
		return out
	}
	restored := world.Write{Op: world.UpdateStatus, Name: w.Set.Name, Body: world.StatusBody(&status)}
	return append(out[:at:at], append([]world.Write{restored}, out[at:]...)...)
}

// differs is upstream's inconsistentStatus, which is not exported.
func differs(old, status *appsv1.StatefulSetStatus) bool {
	return status.ObservedGeneration > old.ObservedGeneration ||
		status.Replicas != old.Replicas ||
		status.CurrentReplicas != old.CurrentReplicas ||
		status.ReadyReplicas != old.ReadyReplicas ||
		status.UpdatedReplicas != old.UpdatedReplicas ||
		status.CurrentRevision != old.CurrentRevision ||
		status.AvailableReplicas != old.AvailableReplicas ||
		status.UpdateRevision != old.UpdateRevision
}

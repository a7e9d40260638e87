package oracle

import (
	"encoding/json"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/test/oracle/upstream"
	"github.com/setplan/setplan/test/oracle/world"
)

// expected is what ours must do: upstream's writes without those that the allowances leave out.
func expected(w *world.World, out *upstream.Outcome, used tally) []world.Write {
	n := normalizer{w: w, owned: map[string]bool{}, created: map[string]world.Write{}, claims: map[world.Write]bool{}}
	var writes []world.Write
	for _, write := range out.Writes {
		a := afterFailure(w.Fault, write)
		if a == nil {
			a = n.leaveOut(write)
		}
		if a != nil {
			used[a]++
			continue
		}
		writes = append(writes, write)
	}
	if n.undone > 0 {
		writes = restoreStatus(w, int32(n.undone), writes)
	}
	if len(w.Set.Status.Conditions) > 0 && !world.Since137 {
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
	owned   map[string]bool        // pods that were adopted (true) or released (false)
	created map[string]world.Write // pods
	claims  map[world.Write]bool
	undone  int
}

func (n *normalizer) leaveOut(write world.Write) *Allowance {
	switch write.Op {
	case world.CreatePod:
		if write.Refused == "AlreadyExists" {
			return nameTaken
		}
		n.created[write.Name] = write
	case world.CreateRevision:
		if write.Refused == "AlreadyExists" {
			return revisionTaken
		}
	case world.OwnPod:
		n.owned[write.Name] = strings.Contains(write.Body, `"uid":"`+string(n.w.Set.UID)+`"`)
	case world.DeletePod:
		if !n.member(write.Name) {
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

// member reports whether the set controls a pod at this point.
func (n *normalizer) member(name string) bool {
	pod := n.w.Pod(name)
	if owned, changed := n.owned[name]; pod == nil || changed {
		return owned
	}
	owner := metav1.GetControllerOf(pod)
	return owner != nil && owner.UID == n.w.Set.UID
}

// restoreStatus corrects upstream's status for the deletions of pods that do not exist.
func restoreStatus(w *world.World, undone int32, writes []world.Write) []world.Write {
	status := statusAfter(w, writes)
	if completed(w, status) {
		return writes
	}
	status.CurrentReplicas += undone
	return withStatus(w, status, writes)
}

// statusAfter is the status after a pass: the written one, else the stored one.
func statusAfter(w *world.World, writes []world.Write) *appsv1.StatefulSetStatus {
	for _, write := range writes {
		if write.Op == world.UpdateStatus {
			status := &appsv1.StatefulSetStatus{}
			if err := json.Unmarshal([]byte(write.Body), status); err != nil {
				panic(err) // it is our own encoding
			}
			return status
		}
	}
	status := w.Set.Status.DeepCopy()
	if !world.Since137 {
		status.Conditions = nil // upstream wrote none
	}
	status.ObservedGeneration = w.Set.Generation
	if status.CollisionCount == nil {
		status.CollisionCount = new(int32)
	}
	return status
}

// completed reports whether an update is over: then currentReplicas equals updatedReplicas.
func completed(w *world.World, status *appsv1.StatefulSetStatus) bool {
	replicas := *w.Set.Spec.Replicas
	return (world.Since137 || w.Set.Spec.UpdateStrategy.Type == appsv1.RollingUpdateStatefulSetStrategyType) &&
		status.UpdatedReplicas == replicas && status.ReadyReplicas == replicas && status.Replicas == replicas
}

// withStatus replaces the written status, if any; a status without news is not written.
func withStatus(w *world.World, status *appsv1.StatefulSetStatus, writes []world.Write) []world.Write {
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
	if !differs(&w.Set.Status, status) {
		return out
	}
	return slices.Insert(out, at, world.Write{Op: world.UpdateStatus, Name: w.Set.Name, Body: world.StatusBody(status)})
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
		status.UpdateRevision != old.UpdateRevision ||
		world.Since137 && world.StatusBody(&appsv1.StatefulSetStatus{Conditions: status.Conditions}) != world.StatusBody(&appsv1.StatefulSetStatus{Conditions: old.Conditions})
}

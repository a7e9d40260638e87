package why

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/clients/cli/world"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// updateTurn: the budget counts the pods that this plan deletes, or whose containers it restarts. If there are any, nothing is wrong: the pod's turn comes after
// them.
func (c *Case) updateTurn(r *Reason, _ string) {
	if first := c.updated(); len(first) > 0 {
		verb := "deletes"
		if slices.ContainsFunc(slices.Collect(actions(c.Plan)), restarts) {
			verb = "updates"
		}
		r.Message = fmt.Sprintf("The pod is outdated and waits for its turn: the plan %s %s first, and maxUnavailable allows no more at once.", verb, few(first))
	}
}

// rolloutBehind names the pods that the update reaches only after the subject, if a block says that the update waits.
func (c *Case) rolloutBehind(subject string) []string {
	held := slices.ContainsFunc(c.Plan.GetBlocks(), func(b *setplanv1.Block) bool {
		return b.GetCode() == setplanv1.BlockCode_BLOCK_CODE_UPDATE_BUDGET || b.GetCode() == setplanv1.BlockCode_BLOCK_CODE_UPDATE_WAITS_FOR_POD
	})
	if !held || len(c.updated()) > 0 {
		return nil
	}
	var names []string
	for _, member := range c.Snapshot.GetPods() {
		if pod := c.World.Pod(c.key(member.GetName())); pod != nil && pod.Name != subject && pod.DeletionTimestamp == nil && c.outdated(pod) {
			names = append(names, pod.Name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(b, a)) }) // highest first
	return names
}

// updated names the pods that the plan deletes for the update, or whose containers it restarts.
func (c *Case) updated() []string {
	var names []string
	for action := range actions(c.Plan) {
		if (takesAway(action) || restarts(action)) && action.GetCause().GetCode() == setplanv1.CauseCode_CAUSE_CODE_OUTDATED {
			names = append(names, action.GetTarget().GetName())
		}
	}
	return names
}

// takesAway reports whether an action deletes a pod, or evicts it.
func takesAway(action *setplanv1.Action) bool {
	return action.GetDeletePod() != nil || action.GetEvictPod() != nil
}

// setsImages reports whether an action gives a pod other images, which restarts its containers.
func setsImages(action *setplanv1.Action) bool {
	return len(action.GetUpdatePod().GetContainers())+len(action.GetUpdatePod().GetInitContainers()) > 0
}

// restarts reports whether an action makes containers start again: it sets images, or notes that resources are to change that take a restart.
func restarts(action *setplanv1.Action) bool {
	var underWay struct{ Restarts, Seen bool }
	note := action.GetUpdatePod().GetAnnotations()[world.AnnotationUpdate]
	return setsImages(action) || json.Unmarshal([]byte(note), &underWay) == nil && underWay.Restarts && !underWay.Seen
}

// undo returns the command that undoes a rollout, for a pod at the rollout's revision; empty without a rollout. kubectl goes to the
// revision before the last, which need not be that of the other pods.
func (c *Case) undo(pod *corev1.Pod) []string {
	current := c.currentRevision()
	if current == "" || current == c.updateRevision() || revisionOf(pod) != c.updateRevision() {
		return nil
	}
	revisions := slices.SortedFunc(slices.Values(c.Snapshot.GetRevisions()), func(a, b *setplanv1.Revision) int { return cmp.Compare(b.GetNumber(), a.GetNumber()) })
	at := slices.IndexFunc(revisions, func(r *setplanv1.Revision) bool { return r.GetName() == current })
	switch {
	case at < 0:
		return nil
	case at == 1:
		return []string{c.rollout("undo %s/%s", c.sets(), c.Key.Name)}
	default:
		return []string{c.rollout("undo %s/%s --to-revision=%d", c.sets(), c.Key.Name, revisions[at].GetNumber())}
	}
}

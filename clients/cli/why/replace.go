package why

import (
	"cmp"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/show"
	"github.com/setplan/setplan/clients/cli/world"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// replacement says what happens to this pod once the set's template is changed, and returns the commands if somebody must act. A pod
// keeps the template that it was made from.
func (c *Case) replacement(pod *corev1.Pod) (text string, commands []string) {
	slot, held := c.heldByPartition(pod)
	if held {
		text = "The partition keeps this pod at its revision: a change of the template reaches it once the partition is lowered. "
		commands = append(commands, c.setPartition(slot))
	}
	_, inPlace := pod.Annotations[world.AnnotationUpdate]
	ours := c.oursToRun()
	switch {
	case ours && c.pause() != nil:
		return text + "The set is paused: " + c.pause().GetMessage() + " A change of the template reaches this pod once the set is resumed.", commands
	case ours && inPlace:
		return text + "Setplan gives the pod its new image or resources once the template is changed, if nothing else has changed.", commands
	}
	repairs := c.repair()
	switch {
	case held && repairs != "Never":
		return strings.TrimSpace(text), commands
	case repairs == "Unready", !held && c.updatesBroken():
		text += "Setplan replaces the pod once the template is changed"
	case repairs == "NeverReady":
		text += "Setplan replaces the pod once the template is changed"
		if !neverReady(pod) {
			text += ", if it has never been ready"
		}
	default:
		what, recreate := c.byHand(pod)
		switch {
		case recreate == nil:
			return text + "The pod keeps the template that it was created from. " + what, commands
		case ours:
			text += "Then have the pod recreated"
		default:
			text += "Then delete the pod"
		}
		return text + ": it keeps the template that it was created from.", append(commands, recreate...)
	}
	if who := c.asksBefore(); who != "" {
		text += " and " + who + " approves (setplan.io/before-update)"
	}
	return text + ".", commands
}

// leftBehind says what becomes of a pod that is not ready and would come back at another revision, where the plan does nothing about it
// yet. There are no commands if nobody should do anything about it now.
func (c *Case) leftBehind(pod *corev1.Pod) (text string, commands []string) {
	text = "The set's template has changed since this pod was created"
	switch repairs := c.repair(); {
	case c.oursToRun() && c.pause() != nil:
		return text + ". The change reaches the pod once the set, which is paused, is resumed.", nil
	case c.updatesBroken(), repairs == "Unready", repairs == "NeverReady" && neverReady(pod):
		text += ", and Setplan replaces the pod in its turn."
		if block := c.holdsBack(); block != nil {
			text += " " + show.Code(block) + " says what that waits for."
		}
		return text, nil
	}
	what, commands := c.byHand(pod)
	return text + ". " + what, commands
}

// updatesBroken reports whether the update reaches a pod that is not ready: that of a Parallel set and Recreate do not wait until it is.
func (c *Case) updatesBroken() bool {
	set := c.Snapshot.GetSet()
	strategy := set.GetUpdateStrategy().GetType()
	return c.oursToRun() && (set.GetPodManagementPolicy() == string(appsv1.ParallelPodManagement) && strategy != string(appsv1.OnDeleteStatefulSetStrategyType) || strategy == "Recreate")
}

// holdsBack is the first block about what an update or a repair waits for, or nil.
func (c *Case) holdsBack() *setplanv1.Block {
	for _, block := range c.Plan.GetBlocks() {
		switch block.GetCode() {
		case setplanv1.BlockCode_BLOCK_CODE_UPDATE_BUDGET, setplanv1.BlockCode_BLOCK_CODE_UPDATE_GATED, setplanv1.BlockCode_BLOCK_CODE_UPDATE_WAITS_FOR_POD,
			setplanv1.BlockCode_BLOCK_CODE_LEADER_UNCLEAR, setplanv1.BlockCode_BLOCK_CODE_LEADER_WAITS, setplanv1.BlockCode_BLOCK_CODE_REPAIR_WAITS,
			setplanv1.BlockCode_BLOCK_CODE_DISRUPTION_BUDGET:
			return block
		}
	}
	return nil
}

// byHand says how somebody has a pod recreated that is broken and that nobody replaces. A moment is no proof, here as in the engine, and
// no text asks people to go around what holds an update back.
func (c *Case) byHand(pod *corev1.Pod) (text string, commands []string) {
	switch who := c.asksBefore(); {
	case !c.broken(pod):
		return "If it is still not ready in a minute, it can be recreated.", nil
	case !c.oursToRun() && c.othersOnTheWay(pod):
		return "Another pod of the set is missing, starting or being deleted. Once that is over, the pod can be recreated.", nil
	case !c.oursToRun():
		return "Delete the pod to recreate it from the new template.", []string{c.kubectl("delete pod %s", pod.Name)}
	case who != "":
		return "Once " + who + " approves (setplan.io/before-update), annotate the pod with setplan.io/recreate=true to have it recreated.", nil
	}
	return "Annotate the pod to have it recreated from the new template, within maxUnavailable.", []string{c.kubectl("annotate pod %s setplan.io/recreate=true --overwrite", pod.Name)}
}

// broken reports whether a pod has not been ready for as long as the engine asks for.
func (c *Case) broken(pod *corev1.Pod) bool {
	ready := podCondition(pod, corev1.PodReady)
	switch {
	case pod.DeletionTimestamp != nil, ready == nil && pod.Status.Phase != corev1.PodPending, ready != nil && ready.Status == corev1.ConditionTrue:
		return false
	case ready == nil:
		return c.now().Sub(pod.CreationTimestamp.Time) >= time.Minute
	}
	return c.now().Sub(ready.LastTransitionTime.Time) >= time.Minute
}

// othersOnTheWay reports whether another pod of the set is neither ready nor broken.
func (c *Case) othersOnTheWay(pod *corev1.Pod) bool {
	return slices.ContainsFunc(c.wanted(), func(name string) bool {
		other := c.World.Pod(c.key(name))
		return name != pod.Name && (other == nil || other.DeletionTimestamp != nil || !isReady(other) && !c.broken(other))
	})
}

// asksBefore is who has to agree before a pod is replaced; empty: nobody.
func (c *Case) asksBefore() string {
	set := c.World.Set(c.Key)
	field, _, _ := unstructured.NestedString(set.Object, "spec", "beforeUpdate") // of a kind with fields of its own
	return cmp.Or(set.GetAnnotations()["setplan.io/before-update"], field)
}

// neverReady reports whether a pod cannot have been ready: no node has it, or no container of it has ever run, or its condition Ready has not changed
// since a kubelet took the pod.
func neverReady(pod *corev1.Pod) bool {
	if pod.Spec.NodeName == "" {
		return true
	}
	if ready := podCondition(pod, corev1.PodReady); ready != nil && ready.Status != corev1.ConditionTrue && pod.Status.StartTime != nil {
		before := pod.Status.StartTime.Sub(ready.LastTransitionTime.Time)
		return before >= 0 && before <= time.Second
	}
	for i := range pod.Status.ContainerStatuses {
		s := &pod.Status.ContainerStatuses[i]
		if s.State.Waiting == nil || s.LastTerminationState.Terminated != nil || s.RestartCount > 0 {
			return false
		}
	}
	return len(pod.Status.ContainerStatuses) > 0
}

// pause is the planner's block about a pause, or nil.
func (c *Case) pause() *setplanv1.Block {
	for _, block := range c.Plan.GetBlocks() {
		if block.GetCode() == setplanv1.BlockCode_BLOCK_CODE_PAUSED {
			return block
		}
	}
	return nil
}

// repair returns the set's repair policy as in docs/repair.md. The planner decides by it. Here it only tells whether people must do
// what an adapter would do. If another controller runs the set, nothing is repaired.
func (c *Case) repair() string {
	usual := "NeverReady"
	if c.Snapshot.GetPolicy().GetBehavior() > setplanv1.Behavior_BEHAVIOR_SETPLAN { // those of Kubernetes
		usual = "Never"
	}
	if c.Snapshot.GetSet().GetUpdateStrategy().GetType() == "OnDelete" || !c.oursToRun() {
		return "Never"
	}
	return cmp.Or(c.World.Set(c.Key).GetAnnotations()[adapters.AnnotationRepair], usual)
}

// planSetsImages reports whether the plan gives a pod other images.
func (c *Case) planSetsImages(pod *corev1.Pod) bool {
	return c.oursToRun() && slices.ContainsFunc(slices.Collect(actions(c.Plan)), func(action *setplanv1.Action) bool {
		return setsImages(action) && action.GetTarget().GetName() == pod.Name
	})
}

// planChanges reports whether the plan changes a pod in place: it gives it other resources, or takes the first steps of that.
func (c *Case) planChanges(pod *corev1.Pod) bool {
	return c.oursToRun() && slices.ContainsFunc(slices.Collect(actions(c.Plan)), func(action *setplanv1.Action) bool {
		_, marks := action.GetPatchAnnotations().GetSet()[world.AnnotationUpdate]
		first := marks || action.GetUpdatePod() != nil
		return (action.GetResizePod() != nil || first && c.outdated(pod)) && action.GetTarget().GetName() == pod.Name
	})
}

// planReplaces reports whether the plan deletes a pod, or holds back its repair.
func (c *Case) planReplaces(pod *corev1.Pod) bool {
	if !c.oursToRun() {
		return false
	}
	for action := range actions(c.Plan) {
		if takesAway(action) && action.GetTarget().GetName() == pod.Name {
			return true
		}
	}
	return slices.ContainsFunc(c.Plan.GetBlocks(), func(b *setplanv1.Block) bool {
		return b.GetCode() == setplanv1.BlockCode_BLOCK_CODE_REPAIR_WAITS && b.GetSubject().GetName() == pod.Name
	})
}

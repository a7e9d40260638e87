package why

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/setplan/setplan/adapters"
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
	if held && repairs != "Never" {
		return strings.TrimSpace(text), commands
	}
	switch repairs {
	case "NeverReady":
		text += "Setplan replaces the pod once the template is changed"
		if !neverReady(pod) {
			text += ", if it has never been ready"
		}
	case "Unready":
		text += "Setplan replaces the pod once the template is changed"
	default:
		return text + "Then delete the pod: it keeps the template that it was created from.", append(commands, c.kubectl("delete pod %s", pod.Name))
	}
	set := c.World.Set(c.Key)
	field, _, _ := unstructured.NestedString(set.Object, "spec", "beforeUpdate") // of a kind with fields of its own
	if who := cmp.Or(set.GetAnnotations()["setplan.io/before-update"], field); who != "" {
		text += " and " + who + " approves (setplan.io/before-update)"
	}
	return text + ".", commands
}

// neverReady reports whether a pod cannot have been ready: no node has it, or no container of it has ever run.
func neverReady(pod *corev1.Pod) bool {
	if pod.Spec.NodeName == "" {
		return true
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
	if c.Snapshot.GetPolicy().GetBehavior() == setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36 {
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

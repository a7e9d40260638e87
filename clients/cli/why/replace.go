package why

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/world"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// replacement says what happens to a pod once the set's template is changed, and returns the command if somebody must act. A pod keeps
// the template that it was made from.
func (c *Case) replacement(pod *corev1.Pod) (text string, remove []string) {
	if _, inPlace := pod.Annotations[world.AnnotationUpdate]; inPlace && c.oursToRun() {
		return "Setplan then gives the pod its new image or resources, if nothing else has changed.", nil
	}
	switch c.repair() {
	case "NeverReady":
		return "Setplan then replaces the pod, if it has never been ready.", nil
	case "Unready":
		return "Setplan then replaces the pod.", nil
	default:
		return "Then delete the pod: it keeps the template that it was created from.", []string{c.kubectl("delete pod %s", pod.Name)}
	}
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

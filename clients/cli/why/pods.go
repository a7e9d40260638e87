package why

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/clients/cli/shell"
)

// podNotReady looks for why a pod is not available, from its node down to its containers: a lost node makes the containers' state
// old news.
func (c *Case) podNotReady(r *Reason, name string) {
	pod := c.World.Pod(c.key(name))
	if pod == nil {
		return
	}
	switch {
	case pod.DeletionTimestamp != nil:
		c.podThatStays(r, name)
	case c.lostNode(r, pod):
	case c.unscheduled(r, pod):
	case c.stuckContainer(r, pod):
	case c.volumes(r, pod):
	default:
		c.unready(r, pod)
	}
}

// lostNode: nobody runs the pod or reports its state.
func (c *Case) lostNode(r *Reason, pod *corev1.Pod) bool {
	name := pod.Spec.NodeName
	node, known := c.World.Nodes[name]
	if name == "" || !known {
		return false
	}
	off := shell.Command("kubectl taint nodes %s node.kubernetes.io/out-of-service=nodeshutdown:NoExecute", name)
	if node == nil {
		r.Cause = "Its node " + name + " no longer exists."
		r.helps("The cluster deletes the pods of a missing node within minutes. Forcing the deletion does it at once.",
			c.kubectl("delete pod %s --force --grace-period=0", pod.Name))
		return true
	}
	ready := nodeCondition(node, corev1.NodeReady)
	if ready != nil && ready.Status == corev1.ConditionTrue {
		return false
	}
	r.Severity, r.Cause = Attention, "Its node "+name+" is not ready, so nobody reports the state of the pod."
	if ready != nil {
		r.saw("node %s: Ready is %s since %s: %s: %s", name, ready.Status, at(ready.LastTransitionTime.Time), ready.Reason, ready.Message)
	}
	r.helps("Bring the node back. Only if its machine is off and stays off, taint the node: its pods are then deleted by force and recreated elsewhere.", off)
	return true
}

func nodeCondition(node *corev1.Node, of corev1.NodeConditionType) *corev1.NodeCondition {
	for i := range node.Status.Conditions {
		if node.Status.Conditions[i].Type == of {
			return &node.Status.Conditions[i]
		}
	}
	return nil
}

// unscheduled: the pod has no node. Often it waits for a claim; then the claim is the cause.
func (c *Case) unscheduled(r *Reason, pod *corev1.Pod) bool {
	if pod.Spec.NodeName != "" {
		return false
	}
	condition := podCondition(pod, corev1.PodScheduled)
	if condition != nil {
		r.saw("pod %s: %s: %s", pod.Name, condition.Reason, condition.Message)
	}
	if claim := c.pendingClaim(pod); claim != nil {
		c.unbound(r, claim)
		return true
	}
	switch {
	case len(pod.Spec.SchedulingGates) > 0:
		r.Cause = "The scheduling gate " + pod.Spec.SchedulingGates[0].Name + " keeps the pod from being scheduled."
		r.helps("Check the controller that has to remove the gate.")
	case condition == nil:
		r.Cause = "No scheduler has handled the pod yet; it asks for " + pod.Spec.SchedulerName + "."
		r.helps("If this lasts, check that this scheduler is running.")
	default:
		c.unschedulable(r, pod, condition.Message)
	}
	return true
}

func podCondition(pod *corev1.Pod, of corev1.PodConditionType) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if pod.Status.Conditions[i].Type == of {
			return &pod.Status.Conditions[i]
		}
	}
	return nil
}

// volumes: the node cannot mount the pod's volumes.
func (c *Case) volumes(r *Reason, pod *corev1.Pod) bool {
	event := c.warning("Pod", pod, "FailedAttachVolume", "FailedMount")
	if event == nil || pod.Status.Phase != corev1.PodPending {
		return false
	}
	r.Severity, r.Cause = Attention, "The node cannot attach or mount a volume of the pod."
	r.saw("%s", eventText(event, c.now()))
	r.helps("The message names the volume: another node may still hold it, or a ConfigMap or Secret that it needs is missing.",
		c.kubectl("describe pod %s", pod.Name))
	return true
}

// unready: the containers run, but something makes the pod not ready.
func (c *Case) unready(r *Reason, pod *corev1.Pod) {
	for _, gate := range pod.Spec.ReadinessGates {
		if condition := podCondition(pod, gate.ConditionType); condition == nil || condition.Status != corev1.ConditionTrue {
			r.Cause = fmt.Sprintf("The readiness gate %s is not true.", gate.ConditionType)
			r.helps("Check the controller that sets this condition.")
			return
		}
	}
	var waiting []string
	for i := range pod.Status.ContainerStatuses {
		s := &pod.Status.ContainerStatuses[i]
		if s.Ready {
			continue
		}
		waiting = append(waiting, s.Name)
		if running := s.State.Running; running != nil {
			r.saw("container %s: runs since %s and is not ready; restarted %d times", s.Name, at(running.StartedAt.Time), s.RestartCount)
		}
	}
	if condition := podCondition(pod, corev1.PodReady); condition != nil && condition.Status != corev1.ConditionTrue {
		r.saw("pod %s: Ready is %s since %s %s", pod.Name, condition.Status, at(condition.LastTransitionTime.Time), condition.Message)
	}
	c.sawEvents(r, "Pod", pod)
	if pod.Status.Phase == corev1.PodPending {
		r.Cause = "The pod is on node " + pod.Spec.NodeName + ", which has not started its containers yet."
	}
	if len(waiting) == 0 || pod.Status.Phase != corev1.PodRunning {
		return
	}
	slices.Sort(waiting)
	r.Cause = "The pod is running, but not ready: container " + strings.Join(waiting, ", ") + "."
	commands := []string{c.kubectl("logs %s -c %s", pod.Name, waiting[0]), c.kubectl("describe pod %s", pod.Name)}
	help := "Check the container's logs and fix what keeps it unready."
	undo := c.undo(pod)
	switch {
	case c.outdated(pod) && c.planReplaces(pod):
		help = "The set's template has changed since this pod was created, and the plan replaces the pod."
	case c.outdated(pod):
		help += " If its template was bad, delete the pod to recreate it: the set's template has changed since."
		commands = append(commands, c.kubectl("delete pod %s", pod.Name))
	case len(undo) > 0:
		help += " Or undo the rollout."
		commands = append(commands, undo...)
	}
	r.helps(help, commands...)
}

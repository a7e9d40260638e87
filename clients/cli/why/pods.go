package why

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/clients/cli/shell"
	"github.com/setplan/setplan/clients/cli/show"
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
	case c.hasFailed(r, pod):
	case c.lostNode(r, pod):
	case c.unscheduled(r, pod):
	case c.stuckContainer(r, pod):
	case c.volumes(r, pod):
	default:
		c.unready(r, pod)
	}
}

// hasFailed: the pod has ended, and says why.
func (c *Case) hasFailed(r *Reason, pod *corev1.Pod) bool {
	if pod.Status.Phase != corev1.PodFailed || pod.Status.Reason == "" {
		return false
	}
	r.saw("pod %s: %s: %s", pod.Name, pod.Status.Reason, pod.Status.Message)
	c.disrupted(r, pod)
	r.Cause = "The pod has failed: " + sentence(strings.TrimSuffix(pod.Status.Reason+": "+quoted(pod.Status.Message), ": "))
	return true
}

// disrupted quotes who stopped a pod.
func (c *Case) disrupted(r *Reason, pod *corev1.Pod) {
	if condition := podCondition(pod, corev1.DisruptionTarget); condition != nil && condition.Status == corev1.ConditionTrue {
		r.saw("pod %s: %s: %s", pod.Name, condition.Reason, condition.Message)
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
		r.helps("The cluster deletes the pods of a missing node within minutes. Only if the node's machine is off and stays off, force the deletion: until then the pod may still run there.",
			c.kubectl("delete pod %s --force --grace-period=0", pod.Name))
		return true
	}
	ready := nodeCondition(node, corev1.NodeReady)
	if ready != nil && ready.Status == corev1.ConditionTrue {
		return false
	}
	r.Severity, r.Cause = Attention, "Its node "+name+" is not ready and does not report, so the state of the pod is not known."
	if ready != nil {
		r.saw("node %s: Ready is %s %s: %s: %s", name, ready.Status, c.since(ready.LastTransitionTime.Time), ready.Reason, ready.Message)
	}
	if ready != nil && ready.Status == corev1.ConditionFalse {
		r.Cause = "Its node " + name + " says that it is not ready: " + sentence(ready.Reason+": "+quoted(ready.Message))
		r.helps("Fix what the node reports.", shell.Command("kubectl describe node %s", name))
		return true
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

// unscheduled: the pod has no node. First come the gates and what the scheduler says. Its claims are a cause only where the scheduler
// says so, or says nothing: a claim may itself wait for the pod.
func (c *Case) unscheduled(r *Reason, pod *corev1.Pod) bool {
	if pod.Spec.NodeName != "" {
		return false
	}
	condition := podCondition(pod, corev1.PodScheduled)
	if condition != nil {
		r.saw("pod %s: %s: %s", pod.Name, condition.Reason, condition.Message)
	}
	if event := c.warning("Pod", pod, "FailedScheduling"); condition == nil && event != nil {
		r.saw("%s", eventText(event, c.now()))
		condition = &corev1.PodCondition{Message: event.Message}
	}
	var said string
	if condition != nil {
		said = condition.Message
	}
	claim, named := c.pendingClaim(pod, said), namedClaim.FindStringSubmatch(said)
	switch gates := pod.Spec.SchedulingGates; {
	case len(gates) > 0:
		names := make([]string, len(gates))
		for i := range gates {
			names[i] = gates[i].Name
		}
		r.Cause = "The scheduling gate " + names[0] + " keeps the pod from being scheduled."
		r.helps("Check the controller that has to remove it.")
		if len(gates) > 1 {
			r.Cause = "The scheduling gates " + strings.Join(names, ", ") + " keep the pod from being scheduled."
			r.helps("Check the controllers that have to remove them.")
		}
	case condition == nil && claim != nil && !c.waitsForPod(claim):
		c.unbound(r, claim)
	case condition == nil:
		r.Cause = "No scheduler has handled the pod yet; it asks for " + cmp.Or(pod.Spec.SchedulerName, corev1.DefaultSchedulerName) + "."
		r.helps("If this lasts, check that this scheduler is running.")
	case named != nil && (claim == nil || claim.Name != named[1]):
		c.otherClaim(r, pod, named[1], said)
	case claim != nil && aboutClaims.MatchString(said):
		c.unbound(r, claim)
	default:
		c.unschedulable(r, pod, said)
		if !strings.Contains(said, "persistent volumes to bind") {
			c.claimFollows(r, claim)
		}
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

var (
	multiAttach = regexp.MustCompile(`Multi-Attach error for volume "([^"]+)"`)
	volumeFails = regexp.MustCompile(`(Attach|Mount)Volume\.\w+ failed for volume "([^"]+)" ?: (.*)$`)
)

// volumes: the node cannot mount the pod's volumes.
func (c *Case) volumes(r *Reason, pod *corev1.Pod) bool {
	event := c.warning("Pod", pod, "FailedAttachVolume", "FailedMount")
	if event == nil || pod.Status.Phase != corev1.PodPending {
		return false
	}
	r.saw("%s", eventText(event, c.now()))
	describe := c.kubectl("describe pod %s", pod.Name)
	r.Severity, r.Cause = Attention, "The node cannot attach or mount a volume of the pod."
	r.helps("The message names the volume and what is wrong with it.", describe)
	if m := multiAttach.FindStringSubmatch(event.Message); m != nil {
		r.Cause = fmt.Sprintf("The volume %s is still attached to another node.", m[1])
		r.helps("It is detached once no pod on that node uses it. See which node has it, and which pods of that node still run.", "kubectl get volumeattachments", describe)
	} else if m := volumeFails.FindStringSubmatch(event.Message); m != nil {
		r.Cause = fmt.Sprintf(map[string]string{"Attach": "The volume %s cannot be attached to the node: %s", "Mount": "The node cannot mount the volume %s: %s"}[m[1]], m[2], sentence(quoted(m[3])))
		if of := missing.FindStringSubmatch(m[3]); of != nil {
			r.Cause = fmt.Sprintf("The %s %s does not exist, and volume %s is made from it.", objectKind(of[1]), of[2], m[2])
			r.helps("Create it; the kubelet retries by itself.", c.kubectl("get %ss", strings.ToLower(of[1])), describe)
		}
	}
	return true
}

// unready: the containers run, but something makes the pod not ready.
func (c *Case) unready(r *Reason, pod *corev1.Pod) {
	var gates, waiting []string
	for _, gate := range pod.Spec.ReadinessGates {
		if condition := podCondition(pod, gate.ConditionType); condition == nil || condition.Status != corev1.ConditionTrue {
			gates = append(gates, string(gate.ConditionType))
		}
	}
	for _, statuses := range [][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
		for i := range statuses {
			s := &statuses[i]
			init := initContainer(pod, s.Name)
			if s.Ready || init != nil && !sidecar(init) {
				continue
			}
			waiting = append(waiting, s.Name)
			if running := s.State.Running; running != nil {
				r.saw("%s %s: runs %s and is not ready; restarted %s", kindOf(init), s.Name, c.since(running.StartedAt.Time), show.Count(int(s.RestartCount), "time"))
			}
		}
	}
	if condition := podCondition(pod, corev1.PodReady); condition != nil && condition.Status != corev1.ConditionTrue {
		r.saw("pod %s: Ready is %s %s %s", pod.Name, condition.Status, c.since(condition.LastTransitionTime.Time), condition.Message)
	}
	c.sawEvents(r, "Pod", pod)
	c.sawEnd(r, pod)
	if pod.Status.Phase == corev1.PodPending {
		r.Cause = "The pod is on node " + pod.Spec.NodeName + ", which has not started its containers yet."
		if event := c.warning("Pod", pod, "FailedCreatePodSandBox"); event != nil {
			r.Severity, r.Cause = Attention, "Node "+pod.Spec.NodeName+" cannot create the pod's sandbox."
			r.helps("The message says why; often it is the node's network plugin.", c.kubectl("describe pod %s", pod.Name))
		}
	}
	switch {
	case len(waiting) == 0 && len(gates) > 0:
		r.Cause = "Every container is ready, and no controller has set these conditions of its readiness gates to True: " + strings.Join(gates, ", ") + "."
		r.helps("Check the controller that sets them.")
		return
	case len(waiting) == 0 || pod.Status.Phase != corev1.PodRunning:
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
		what, recreate := c.leftBehind(pod)
		help, commands = help+" "+what, append(commands, recreate...)
	case len(undo) > 0:
		help += " Or undo the rollout."
		commands = append(commands, undo...)
	}
	r.helps(help, commands...)
}

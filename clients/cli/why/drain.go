package why

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// drainFailed: the drain pod says how it ended.
func (c *Case) drainFailed(r *Reason, name string) {
	pod := c.World.Pod(c.key(name))
	if pod == nil {
		return
	}
	if pod.Status.Phase == corev1.PodSucceeded {
		c.drainUnproven(r, pod)
		return
	}
	r.Cause = "The drain pod has failed."
	if pod.Status.Reason != "" {
		r.Cause = strings.TrimSpace(fmt.Sprintf("The drain pod has failed: %s. %s", pod.Status.Reason, quoted(pod.Status.Message)))
	}
	for i := range pod.Status.ContainerStatuses {
		status := &pod.Status.ContainerStatuses[i]
		if ended := status.State.Terminated; ended != nil && ended.ExitCode != 0 {
			r.Cause = fmt.Sprintf("Container %s of the drain pod ended with exit code %d.", status.Name, ended.ExitCode)
			r.saw("container %s: %s %s", status.Name, ended.Reason, ended.Message)
		}
	}
	r.helps("Check its logs while it exists, and fix its template or what it needs. The data is kept, and each new drain pod uses the current template.",
		c.kubectl("logs %s --all-containers", name),
		c.kubectl("annotate %s %s --overwrite setplan.io/drain-pod-template=\"$(cat TEMPLATE)\"", c.sets(), c.Key.Name))
}

// drainUnproven: the drain pod has succeeded, but that is no proof. Its containers' termination messages say how far the program
// got.
func (c *Case) drainUnproven(r *Reason, pod *corev1.Pod) {
	r.Cause = "The drain pod has succeeded, but nothing proves that it finished."
	for i := range pod.Status.Conditions {
		if condition := &pod.Status.Conditions[i]; condition.Type == corev1.DisruptionTarget && condition.Status == corev1.ConditionTrue {
			r.saw("condition %s: %s %s", condition.Type, condition.Reason, condition.Message)
		}
	}
	for i := range pod.Status.ContainerStatuses {
		status := &pod.Status.ContainerStatuses[i]
		if ended := status.State.Terminated; ended != nil {
			r.saw("container %s ended with exit code %d and the termination message %.80q", status.Name, ended.ExitCode, ended.Message)
		}
	}
	r.Commands = []string{c.kubectl("logs %s --all-containers", pod.Name)}
}

// drainAtWork: a drain takes its time, but a drain pod that does not run is stuck like any pod.
func (c *Case) drainAtWork(r *Reason, name string) {
	if pod := c.World.Pod(c.key(name)); pod != nil && pod.Status.Phase == corev1.PodPending {
		c.podNotReady(r, name)
	}
}

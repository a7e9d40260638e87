package why

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/clients/cli/world"
)

// The reasons with which a kubelet reports that it cannot get an image.
var imageReasons = []string{"ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError", "RegistryUnavailable"}

// stuckContainer finds the first container that does not start; init containers come first, as on the node.
func (c *Case) stuckContainer(r *Reason, pod *corev1.Pod) bool {
	for _, statuses := range [][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
		for i := range statuses {
			s := &statuses[i]
			waiting := s.State.Waiting
			if waiting == nil || waiting.Reason == "" || waiting.Reason == "ContainerCreating" || waiting.Reason == "PodInitializing" {
				continue
			}
			r.Severity = Attention
			r.saw("container %s: %s: %s", s.Name, waiting.Reason, waiting.Message)
			c.container(r, pod, s)
			c.sawEvents(r, "Pod", pod)
			return true
		}
	}
	return false
}

func (c *Case) container(r *Reason, pod *corev1.Pod, s *corev1.ContainerStatus) {
	reason := s.State.Waiting.Reason
	switch {
	case slices.Contains(imageReasons, reason):
		r.Cause = fmt.Sprintf("The image %s of container %s cannot be pulled.", s.Image, s.Name)
		c.mendTemplate(r, pod, "Give the set an image that can be pulled.", c.setImage(s.Name))
	case reason == "CrashLoopBackOff":
		r.Cause = fmt.Sprintf("Container %s keeps crashing and has restarted %d times.", s.Name, s.RestartCount)
		if last := s.LastTerminationState.Terminated; last != nil {
			r.saw("container %s: ended with exit code %d (%s) at %s %s", s.Name, last.ExitCode, last.Reason, at(last.FinishedAt.Time), last.Message)
		}
		c.mendTemplate(r, pod, "Check its last log lines and fix what they report.", c.kubectl("logs %s -c %s --previous", pod.Name, s.Name))
	case reason == "CreateContainerConfigError":
		r.Cause = fmt.Sprintf("Container %s needs a ConfigMap or Secret that does not exist.", s.Name)
		r.helps("Create what the message names; the kubelet retries by itself.", c.kubectl("describe pod %s", pod.Name))
	default:
		r.Cause = fmt.Sprintf("Container %s does not start: %s.", s.Name, reason)
		c.mendTemplate(r, pod, "The message says what the kubelet rejects.", c.kubectl("describe pod %s", pod.Name))
	}
}

// mendTemplate is the remedy for a pod that cannot start with its template. A pod keeps the template that it was made from, so it must
// be deleted after the template is fixed, or at once if the template has already changed. Below the partition it would come back
// unchanged. Nobody is asked to delete what the plan or the set's repair deletes.
func (c *Case) mendTemplate(r *Reason, pod *corev1.Pod, help string, commands ...string) {
	after, remove := c.replacement(pod)
	slot, held := c.heldByPartition(pod)
	undo := c.undo(pod)
	switch {
	case held:
		help += " The partition keeps this pod at its revision, so lower it to include the pod. " + after
		commands = append(append(commands, c.setPartition(slot)), remove...)
	case c.outdated(pod) && c.planSetsImages(pod):
		help, commands = "There is nothing to do: the set's template has changed since this pod was created, and the plan changes the pod's images.", nil
	case c.planChanges(pod):
		help, commands = "There is nothing to do: the set's template has changed since this pod was created, and the plan changes the pod in place.", nil
	case c.outdated(pod) && c.planReplaces(pod):
		help, commands = "There is nothing to do: the set's template has changed since this pod was created, and the plan replaces the pod.", nil
	case c.outdated(pod):
		help, commands = "The set's template has changed since this pod was created. Delete the pod to recreate it from the new template.",
			[]string{c.kubectl("delete pod %s", pod.Name)}
	case len(undo) > 0:
		help += " Or undo the rollout. " + after
		commands = append(append(commands, undo...), remove...)
	default:
		help, commands = help+" "+after, append(commands, remove...)
	}
	r.helps(help, commands...)
}

// outdated reports whether a pod would come back at another revision.
func (c *Case) outdated(pod *corev1.Pod) bool {
	update := c.updateRevision()
	_, held := c.heldByPartition(pod)
	return update != "" && revisionOf(pod) != update && !held
}

// revisionOf is the revision that a pod was made from, or that its images have been changed to.
func revisionOf(pod *corev1.Pod) string {
	return cmp.Or(world.UnderWay(pod.Annotations), pod.Labels[revisionLabel])
}

// heldByPartition reports whether a pod is below the partition, and returns its place in the range.
func (c *Case) heldByPartition(pod *corev1.Pod) (slot int32, held bool) {
	set := c.Snapshot.GetSet()
	ordinal, err := strconv.ParseInt(strings.TrimPrefix(pod.Name, set.GetName()+"-"), 10, 32)
	if err != nil {
		return 0, false
	}
	slot = int32(ordinal) - set.GetOrdinalsStart()
	return slot, slot < set.GetUpdateStrategy().GetRollingUpdate().GetPartition()
}

package why

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/clients/cli/show"
	"github.com/setplan/setplan/clients/cli/world"
)

// stuckContainer finds the first container that does not start; init containers come first, as on the node.
func (c *Case) stuckContainer(r *Reason, pod *corev1.Pod) bool {
	for _, statuses := range [][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
		for i := range statuses {
			if s := &statuses[i]; c.stuck(r, pod, s) {
				return true
			}
		}
	}
	return false
}

// stuck looks at one container: what the kubelet says of it first, then what that means.
func (c *Case) stuck(r *Reason, pod *corev1.Pod, s *corev1.ContainerStatus) bool {
	waiting, ended := s.State.Waiting, s.State.Terminated
	init := initContainer(pod, s.Name)
	switch {
	case waiting != nil && !slices.Contains([]string{"", "ContainerCreating", "PodInitializing"}, waiting.Reason):
		r.Severity = Attention
		r.saw("%s %s: %s: %s", kindOf(init), s.Name, waiting.Reason, waiting.Message)
		c.container(r, pod, s, kindOf(init)+" "+s.Name)
	case ended != nil && pod.Status.Phase != corev1.PodSucceeded && (init == nil || sidecar(init) || ended.ExitCode != 0):
		r.Severity = Attention
		c.crashed(r, pod, s, ended, kindOf(init)+" "+s.Name)
	case init != nil && s.State.Running != nil && !sidecar(init):
		r.saw("%s %s: runs %s", kindOf(init), s.Name, c.since(s.State.Running.StartedAt.Time))
		r.Cause = "Init container " + s.Name + " still runs, and the others start once it has ended."
		r.helps("Check its logs.", c.kubectl("logs %s -c %s", pod.Name, s.Name))
	case init != nil && sidecar(init) && s.State.Running != nil && s.Started != nil && !*s.Started:
		r.saw("%s %s: runs %s, and its startup probe has not succeeded", kindOf(init), s.Name, c.since(s.State.Running.StartedAt.Time))
		r.Cause = "Sidecar " + s.Name + " has not passed its startup probe, and the containers after it wait for that."
		r.helps("Check its logs.", c.kubectl("logs %s -c %s", pod.Name, s.Name))
	default:
		return false
	}
	c.sawEvents(r, "Pod", pod)
	return true
}

// initContainer returns a pod's init container, or nil.
func initContainer(pod *corev1.Pod, name string) *corev1.Container {
	for i := range pod.Spec.InitContainers {
		if pod.Spec.InitContainers[i].Name == name {
			return &pod.Spec.InitContainers[i]
		}
	}
	return nil
}

// sidecar reports whether an init container runs beside the others.
func sidecar(init *corev1.Container) bool {
	return init.RestartPolicy != nil && *init.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

func kindOf(init *corev1.Container) string {
	switch {
	case init == nil:
		return "container"
	case sidecar(init):
		return "sidecar"
	}
	return "init container"
}

// imageOf is what a container is to run; its status may still have what it ran before.
func imageOf(pod *corev1.Pod, s *corev1.ContainerStatus) string {
	for _, containers := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range containers {
			if containers[i].Name == s.Name && containers[i].Image != "" {
				return containers[i].Image
			}
		}
	}
	return s.Image
}

// newImage is an image that a container was given in place and that its status does not have yet; empty if there is none.
func newImage(pod *corev1.Pod, s *corev1.ContainerStatus) string {
	image := imageOf(pod, s)
	if _, inPlace := pod.Annotations[world.AnnotationUpdate]; !inPlace || image == s.Image || strings.HasSuffix(s.Image, "/"+image) || strings.HasPrefix(s.Image, "sha256:") {
		return ""
	}
	return image
}

// missing finds the object that the kubelet says is not there: its kind and name.
var missing = regexp.MustCompile(`(?i)\b(secret|configmap) "([^"]+)" not found`)

// container says what keeps one from starting, by the kubelet's reason and message.
func (c *Case) container(r *Reason, pod *corev1.Pod, s *corev1.ContainerStatus, name string) {
	reason, message := s.State.Waiting.Reason, s.State.Waiting.Message
	describe, image := c.kubectl("describe pod %s", pod.Name), imageOf(pod, s)
	switch reason {
	case "ErrImagePull", "ImagePullBackOff", "RegistryUnavailable":
		r.Cause = fmt.Sprintf("The image %s of %s cannot be pulled.", image, name)
		c.mendTemplate(r, pod, "Give the set an image that can be pulled.", c.setImage(s.Name))
	case "ErrImageNeverPull":
		r.Cause = fmt.Sprintf("The image %s of %s is not on the node, and imagePullPolicy Never forbids pulling it.", image, name)
		c.mendTemplate(r, pod, "Load the image onto the node, or use an image that the node has.", c.setImage(s.Name))
	case "InvalidImageName":
		r.Cause = fmt.Sprintf("%q, the image of %s, is not a valid image name.", image, name)
		c.mendTemplate(r, pod, "Correct the image's name.", c.setImage(s.Name))
	case "CrashLoopBackOff":
		c.crashed(r, pod, s, s.LastTerminationState.Terminated, name)
	case "CreateContainerConfigError":
		of := missing.FindStringSubmatch(message)
		if of == nil {
			r.Cause = fmt.Sprintf("The kubelet cannot configure %s: %s", name, sentence(message))
			c.mendTemplate(r, pod, "Fix what the message names.", describe)
			return
		}
		r.Cause = fmt.Sprintf("The %s %s does not exist, and %s needs it.", objectKind(of[1]), of[2], name)
		r.helps("Create it; the kubelet retries by itself.", c.kubectl("get %ss", strings.ToLower(of[1])), describe)
	default:
		r.Cause = fmt.Sprintf("The kubelet does not start %s: %s: %s", name, reason, sentence(message))
		c.mendTemplate(r, pod, "Fix what the message names.", describe)
	}
}

func objectKind(word string) string {
	if strings.EqualFold(word, "secret") {
		return "Secret"
	}
	return "ConfigMap"
}

// crashed says how a container ended that should run.
func (c *Case) crashed(r *Reason, pod *corev1.Pod, s *corev1.ContainerStatus, last *corev1.ContainerStateTerminated, name string) {
	logs, help := c.kubectl("logs %s -c %s --previous", pod.Name, s.Name), "Check its last log lines and fix what they report."
	if s.State.Terminated != nil {
		logs = c.kubectl("logs %s -c %s", pod.Name, s.Name)
	}
	ends, lately := name+" keeps ending", ", the last time "
	if s.State.Terminated != nil {
		ends, lately = name+" has ended", " "
	}
	if last != nil {
		r.saw("%s: ended with exit code %d (%s) at %s %s", name, last.ExitCode, last.Reason, at(last.FinishedAt.Time), last.Message)
		switch {
		case last.Reason == "OOMKilled" && !limited(pod, s.Name):
			ends += lately + "because it was killed for lack of memory (OOMKilled), and it has no memory limit"
			help = "Check the memory of its node and what else uses it there. Give the container a memory request that covers what it needs, or make it use less."
		case last.Reason == "OOMKilled":
			ends += lately + "because it used more memory than its limit"
			help = "Raise its memory limit, or make it use less."
		case last.ExitCode == 0:
			ends += lately + "by itself with exit code 0"
			help = "Make its program keep running, or check its last log lines to see why it ends."
		default:
			ends += fmt.Sprintf("%swith exit code %d", lately, last.ExitCode)
		}
	}
	if init := initContainer(pod, s.Name); init != nil && !sidecar(init) {
		ends += "; the containers after it wait until it succeeds"
	}
	r.Cause = strings.ToUpper(ends[:1]) + ends[1:] + "."
	if s.RestartCount > 0 {
		r.Cause += fmt.Sprintf(" It has been restarted %s.", show.Count(int(s.RestartCount), "time"))
	}
	if image := newImage(pod, s); image != "" {
		r.Cause = fmt.Sprintf("The image of %s was changed in place to %s, and the kubelet has not started it: it still reports %s. ", name, image, s.Image) + r.Cause
		help = "Check that the node can get the new image. " + help
	} else if world.NewImage(pod.Annotations, s.Name) {
		r.Cause = fmt.Sprintf("The image of %s was changed in place to %s. ", name, imageOf(pod, s)) + r.Cause
	}
	c.mendTemplate(r, pod, help, logs)
}

// limited reports whether a container has a memory limit, of its own or its pod's.
func limited(pod *corev1.Pod, name string) bool {
	if pod.Spec.Resources != nil && !pod.Spec.Resources.Limits.Memory().IsZero() {
		return true
	}
	return slices.ContainsFunc(slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers), func(of corev1.Container) bool {
		return of.Name == name && !of.Resources.Limits.Memory().IsZero()
	})
}

// mendTemplate is the remedy for a pod that cannot start with its template. A pod keeps the template that it was made from, so it must
// be recreated after the template is fixed, or at once if the template has already changed. Nobody is asked to do what the plan, the update or the
// set's repair does.
func (c *Case) mendTemplate(r *Reason, pod *corev1.Pod, help string, commands ...string) {
	after, remove := c.replacement(pod)
	_, held := c.heldByPartition(pod)
	undo := c.undo(pod)
	const changed = "There is nothing to do: the set's template has changed since this pod was created, and the plan "
	switch {
	case held:
	case c.outdated(pod) && c.planSetsImages(pod):
		help, commands, after, remove = changed+"changes the pod's images.", nil, "", nil
	case c.planChanges(pod):
		help, commands, after, remove = changed+"changes the pod in place.", nil, "", nil
	case c.outdated(pod) && c.planReplaces(pod):
		help, commands, after, remove = changed+"replaces the pod.", nil, "", nil
	case c.outdated(pod):
		help, remove = c.leftBehind(pod)
		commands, after = nil, ""
	case len(undo) > 0:
		help, commands = help+" Or undo the rollout.", append(commands, undo...)
	}
	r.helps(strings.TrimSpace(help+" "+after), append(commands, remove...)...)
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
	strategy := set.GetUpdateStrategy()
	return slot, strategy.GetType() != "OnDelete" && slot < strategy.GetRollingUpdate().GetPartition()
}

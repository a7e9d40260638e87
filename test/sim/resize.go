package sim

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	quantity "k8s.io/apimachinery/pkg/api/resource"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Resources that change while a pod runs (KEP-1287): the subresource "resize" changes what the spec asks for, and the kubelet gives it, or says that
// its node has no room.

// Resize is Update for the resources of a pod, through its subresource.
func (w *World) Resize(actor, name string, pre Preconditions, change func(Object)) (Object, error) {
	w.resizing = true
	return w.Update(actor, KindPod, name, pre, change)
}

// resizePod sets the amounts that a resize names.
func resizePod(pod *corev1.Pod, resize *setplanv1.ResizePod) {
	setAmounts(pod.Spec.Containers, resize.GetContainers())
	setAmounts(pod.Spec.InitContainers, resize.GetInitContainers())
}

func setAmounts(containers []corev1.Container, resizes []*setplanv1.ContainerResize) {
	for _, resize := range resizes {
		for i := range containers {
			if c := &containers[i]; c.Name == resize.GetName() {
				c.Resources.Requests = withAmounts(c.Resources.Requests, resize.GetRequests())
				c.Resources.Limits = withAmounts(c.Resources.Limits, resize.GetLimits())
			}
		}
	}
}

func withAmounts(list corev1.ResourceList, amounts map[string]string) corev1.ResourceList {
	for name, amount := range amounts {
		if list == nil {
			list = corev1.ResourceList{}
		}
		list[corev1.ResourceName(name)] = quantity.MustParse(amount)
	}
	return list
}

// defaultRequests is what the API server fills in when a pod is made.
func defaultRequests(pod *corev1.Pod) {
	for _, list := range [...][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
		for i := range list {
			of := &list[i].Resources
			for name, limit := range of.Limits {
				if _, asks := of.Requests[name]; !asks {
					of.Requests = withAmounts(of.Requests, map[string]string{string(name): limit.String()})
				}
			}
		}
	}
}

// resizeProblem is what the API server says of a resize.
func resizeProblem(before, after *corev1.Pod) string {
	gone := func(a, b corev1.ResourceList) bool {
		for name := range a {
			if _, stays := b[name]; !stays {
				return true
			}
		}
		return false
	}
	for _, lists := range [...][2][]corev1.Container{{before.Spec.Containers, after.Spec.Containers}, {before.Spec.InitContainers, after.Spec.InitContainers}} {
		for i := range lists[0] {
			a, b := lists[0][i].Resources, lists[1][i].Resources
			if over(b, corev1.ResourceCPU) || over(b, corev1.ResourceMemory) {
				return "must be less than or equal to the limit"
			}
			if gone(a.Limits, b.Limits) || gone(a.Requests, b.Requests) {
				return "resource limits and requests cannot be removed"
			}
			if !runsOn(before, &lists[0][i]) && !equality.Semantic.DeepEqual(a, b) {
				return "resources for non-sidecar init containers are immutable"
			}
		}
	}
	if ClassOf(before) != ClassOf(after) {
		return "Pod QOS Class may not change as a result of resizing"
	}
	return ""
}

// over reports whether a container asks for more of a resource than its limit.
func over(r corev1.ResourceRequirements, name corev1.ResourceName) bool {
	limit, limited := r.Limits[name]
	request := r.Requests[name]
	return limited && request.Cmp(limit) > 0
}

func runsOn(pod *corev1.Pod, c *corev1.Container) bool {
	return slices.ContainsFunc(longRunning(pod), func(other *corev1.Container) bool { return other.Name == c.Name })
}

// ClassOf is the class of service of a pod (ComputePodQOS).
func ClassOf(pod *corev1.Pod) corev1.PodQOSClass {
	guaranteed, some := true, false
	for _, c := range slices.Concat(pod.Spec.Containers, pod.Spec.InitContainers) {
		for _, name := range [...]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			limit := c.Resources.Limits[name]
			request, asks := c.Resources.Requests[name]
			if !asks {
				request = limit // in a template
			}
			some = some || !limit.IsZero() || !request.IsZero()
			guaranteed = guaranteed && !limit.IsZero() && limit.Cmp(request) == 0
		}
	}
	switch {
	case !some:
		return corev1.PodQOSBestEffort
	case guaranteed:
		return corev1.PodQOSGuaranteed
	}
	return corev1.PodQOSBurstable
}

// nodeCapacity is the cause of a refusal by the API server, which looks at what the node has in all (plugin/pkg/admission/podresize, since 1.36). Its
// kubelet says Infeasible where the node has become smaller, or does not resize such a pod at all.
const nodeCapacity = "NodeCapacity"

// Room says what becomes of a resize: "Deferred" and "Infeasible" are a node that refuses it, "Error" is a runtime that fails, "NodeCapacity" an API server
// that refuses it, and "" gives it.
func (w *World) Room(pod, refuses string) {
	w.refuses[pod], w.state.small[pod] = refuses, refuses == nodeCapacity
}

// Lacks reports whether a container that runs on does not have what its spec asks for.
func Lacks(pod *corev1.Pod, c *corev1.Container) bool {
	status := StatusOf(pod, c.Name)
	if status == nil {
		return false
	}
	return !equality.Semantic.DeepEqual(status.Resources, given(c))
}

// given is what a container gets. A kubelet says so of one that asks for nothing, too: an API server takes it for an old one otherwise.
func given(c *corev1.Container) *corev1.ResourceRequirements { return c.Resources.DeepCopy() }

// LacksResources reports whether a container of a pod does.
func LacksResources(pod *corev1.Pod) bool {
	return slices.ContainsFunc(longRunning(pod), func(c *corev1.Container) bool { return Lacks(pod, c) })
}

// resizes reports whether there is anything to do about the resources of a pod, or to say.
func (w *World) resizes(pod *corev1.Pod) bool {
	said := ResizeOf(pod)
	switch reason := w.refuses[pod.Name]; {
	case !LacksResources(pod):
		return said != nil
	case reason != "" && reason != nodeCapacity:
		return said == nil || said.Reason != reason || said.ObservedGeneration != w.observes(pod)
	}
	return true
}

// ResizeOf is the condition that speaks of a resize; nil: there is none.
func ResizeOf(pod *corev1.Pod) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if kind := pod.Status.Conditions[i].Type; kind == corev1.PodResizePending || kind == corev1.PodResizeInProgress {
			return &pod.Status.Conditions[i]
		}
	}
	return nil
}

// resize is what a kubelet does about resources that have changed: it gives them, and starts containers anew where their policy says so, or it says
// that there is no room.
func (w *World) resize(pod *corev1.Pod) {
	before := ResizeOf(pod)
	since := w.stamp()
	if before != nil {
		since = before.LastTransitionTime
	}
	reason := w.refuses[pod.Name]
	pod.Status.Conditions = slices.DeleteFunc(slices.Clone(pod.Status.Conditions), func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodResizePending || c.Type == corev1.PodResizeInProgress
	})
	switch {
	case !LacksResources(pod):
	case reason != "" && reason != nodeCapacity:
		kind := corev1.PodResizePending
		if reason == corev1.PodReasonError {
			kind = corev1.PodResizeInProgress
		}
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue, Reason: reason,
			Message: "the node has no room", LastTransitionTime: since, ObservedGeneration: w.observes(pod)})
	default:
		for _, c := range longRunning(pod) {
			w.resizeContainer(pod, c)
		}
	}
}

func (w *World) resizeContainer(pod *corev1.Pod, c *corev1.Container) {
	status := StatusOf(pod, c.Name)
	if !Lacks(pod, c) {
		return
	}
	had := corev1.ResourceRequirements{}
	if status.Resources != nil {
		had = *status.Resources
	}
	starts := slices.ContainsFunc(c.ResizePolicy, func(p corev1.ContainerResizePolicy) bool {
		return p.RestartPolicy == corev1.RestartContainer && differs(had, c.Resources, p.ResourceName)
	})
	if status.Resources = given(c); starts && status.State.Running != nil {
		w.startContainer(pod, c, status)
		setReady(pod, corev1.ConditionFalse, w.stamp())
	}
}

// differs reports whether two containers have different amounts of a resource.
func differs(a, b corev1.ResourceRequirements, name corev1.ResourceName) bool {
	limit, request := a.Limits[name], a.Requests[name]
	return limit.Cmp(b.Limits[name]) != 0 || request.Cmp(b.Requests[name]) != 0
}

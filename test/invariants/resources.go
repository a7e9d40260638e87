package invariants

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/test/sim"
)

// The policies of a set about resources that a node refuses.
const (
	annotationDeferred   = "setplan.io/resize-deferred"
	annotationInfeasible = "setplan.io/resize-infeasible"
)

// amount is what a container has of a resource: a request or a limit.
type amount struct{ container, list, resource string }

// amounts are the cpu and the memory of all that goes on running in a pod. A request that is missing is the limit.
func amounts(pod *corev1.Pod, of func(*corev1.Container) *corev1.ResourceRequirements) map[amount]resource.Quantity {
	out := map[amount]resource.Quantity{}
	add := func(c *corev1.Container) {
		r := of(c)
		if r == nil {
			return
		}
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			limit, limited := r.Limits[name]
			request, asks := r.Requests[name]
			if limited {
				out[amount{c.Name, "limits", string(name)}] = limit
			}
			if asks {
				out[amount{c.Name, "requests", string(name)}] = request
			} else if limited {
				out[amount{c.Name, "requests", string(name)}] = limit
			}
		}
	}
	for i := range pod.Spec.Containers {
		add(&pod.Spec.Containers[i])
	}
	for i := range pod.Spec.InitContainers {
		if c := &pod.Spec.InitContainers[i]; sim.IsSidecar(c) {
			add(c)
		}
	}
	return out
}

func asked(c *corev1.Container) *corev1.ResourceRequirements { return &c.Resources }

// has is what the kubelet has given a container.
func has(pod *corev1.Pod) func(c *corev1.Container) *corev1.ResourceRequirements {
	return func(c *corev1.Container) *corev1.ResourceRequirements {
		if status := sim.StatusOf(pod, c.Name); status != nil {
			return status.Resources
		}
		return nil
	}
}

// wantedOf is a pod as a revision says; nil if nobody can tell.
func wantedOf(revision *appsv1.ControllerRevision) *corev1.Pod {
	var template corev1.Pod
	if revision == nil || json.Unmarshal(templateOf(revision), &template) != nil {
		return nil
	}
	return &template
}

// noted are the amounts that a note says are under way, with what the spec showed before.
func (n note) noted() map[amount]resource.Quantity {
	out := map[amount]resource.Quantity{}
	for container, lists := range n.Resize {
		for list, resources := range lists {
			for name, text := range resources {
				quantity, _ := resource.ParseQuantity(text) // "" is none, as zero is
				out[amount{container, list, name}] = quantity
			}
		}
	}
	return out
}

// runsOn reports whether nothing but resources changes in a pod, and no container starts again for them.
func (n note) runsOn() bool { return len(n.Resize) > 0 && len(n.Containers) == 0 && !n.Restarts }

// unresized says which amount that is under way a pod has not got; "": none. What somebody else has asked for since counts as well.
func unresized(pod *corev1.Pod, revision *appsv1.ControllerRevision, was note) string {
	wanted := wantedOf(revision)
	if wanted == nil {
		return ""
	}
	wants, asks, got := amounts(wanted, asked), amounts(pod, asked), amounts(pod, has(pod))
	before := was.noted()
	for _, at := range sortedAmounts(before) {
		old, want, asks, got := before[at], wants[at], asks[at], got[at]
		switch {
		case asks.Cmp(want) != 0 && asks.Cmp(old) == 0:
			return fmt.Sprintf("%s of %s are not asked for", at.list, at.container)
		case got.Cmp(asks) != 0:
			return fmt.Sprintf("container %s has not got its %s", at.container, at.list)
		}
	}
	return ""
}

func sortedAmounts[V any](of map[amount]V) []amount {
	return slices.SortedFunc(maps.Keys(of), func(a, b amount) int {
		return strings.Compare(a.container+a.list+a.resource, b.container+b.list+b.resource)
	})
}

// resized says what is wrong with a write of resources; "": nothing, or there is none. It is for what is under way alone, and for what the revision says.
func (r *reading) resized(before, after *corev1.Pod) string {
	was, is := amounts(before, asked), amounts(after, asked)
	n, _ := noteOf(before)
	noted := n.noted()
	wanted := wantedOf(r.state.Revision(n.Revision))
	for _, at := range sortedAmounts(is) {
		old, now := was[at], is[at]
		if old.Cmp(now) == 0 {
			continue
		}
		if _, under := noted[at]; !under || wanted == nil {
			return fmt.Sprintf("nobody has noted that %s of %s change", at.list, at.container)
		}
		if want := amounts(wanted, asked)[at]; now.Cmp(want) != 0 {
			return fmt.Sprintf("%s of %s are not those of revision %s", at.list, at.container, n.Revision)
		}
	}
	return ""
}

// canResize says why a pod of a revision is not given the resources of another one; "": it is. Others than those that are noted stay.
func canResize(from, to *corev1.Pod, n note) string {
	noted := n.noted()
	before, after := amounts(from, asked), amounts(to, asked)
	for at, old := range before {
		now, stays := after[at]
		_, under := noted[at]
		switch {
		case !stays:
			return "a request or a limit that is gone"
		case old.Cmp(now) != 0 && !under:
			return "an amount that is not noted"
		}
	}
	for at := range after {
		_, was := before[at]
		_, under := noted[at]
		if !was && !under {
			return "an amount that is new and not noted"
		}
	}
	if sim.ClassOf(from) != sim.ClassOf(to) {
		return "the class of service"
	}
	return ""
}

// refuses reports whether the node of a pod refuses its resources, and whether the set recreates such a pod by now, or goes on without it.
func (r *reading) refuses(pod *corev1.Pod, now time.Time) (recreated, kept bool) {
	condition := sim.ResizeOf(pod)
	n, _ := noteOf(pod)
	if r.state.TooSmall(pod.Name) {
		condition = &corev1.PodCondition{Reason: "Infeasible", LastTransitionTime: metav1.Unix(n.At, 0)}
	}
	if condition == nil || len(n.Resize) == 0 {
		return false, false
	}
	annotation, policy := annotationDeferred, "Wait"
	if condition.Reason == "Infeasible" {
		annotation, policy = annotationInfeasible, "Recreate"
	}
	if text := r.set.Annotations[annotation]; text != "" {
		policy = text
	}
	wait, err := time.ParseDuration(policy)
	due := policy == "Recreate" || err == nil && !now.Before(condition.LastTransitionTime.Add(wait-slack))
	return due && !r.keepsPods(), policy == "Keep"
}

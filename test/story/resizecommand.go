package story

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/setplan/setplan/test/sim"
)

// resizeCommand: "pod web-1 resize requests.cpu=2". Somebody else, such as an autoscaler, changes the resources of the first container. What the node
// makes of any resize, "pod web-1 room refuses=Deferred" says, and "pod web-1 room" that it has room again.
func (r *Runner) resizeCommand(name string, c Command) {
	_, err := r.world.Resize(user, name, sim.Preconditions{}, func(o sim.Object) {
		of := &o.(*corev1.Pod).Spec.Containers[0].Resources
		for key, amount := range c.Options {
			list, what, found := strings.Cut(key, ".")
			amounts := map[string]*corev1.ResourceList{"requests": &of.Requests, "limits": &of.Limits}[list]
			quantity, err := resource.ParseQuantity(amount)
			if !found || amounts == nil || err != nil {
				panic(usageError("a resize is requests.cpu=2, not " + key + "=" + amount))
			}
			if *amounts == nil {
				*amounts = corev1.ResourceList{}
			}
			(*amounts)[corev1.ResourceName(what)] = quantity
		}
	})
	r.must(err)
}

// resources says what the first container of a pod asks for, if it asks for anything, and whether it has it.
func resources(pod *corev1.Pod) string {
	c := &pod.Spec.Containers[0]
	var parts []string
	for list, amounts := range map[string]corev1.ResourceList{"requests": c.Resources.Requests, "limits": c.Resources.Limits} {
		for name, quantity := range amounts {
			parts = append(parts, fmt.Sprintf("%s.%s=%s", list, name, quantity.String()))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	slices.Sort(parts)
	verb := " with "
	if sim.Lacks(pod, c) {
		verb = " asking for "
	}
	return verb + strings.Join(parts, " ")
}

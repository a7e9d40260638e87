package lies

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// resourcesAlone reports whether pods differ in requests and limits alone, each of which a template of the set has for the container.
func (j *judge) resourcesAlone(old, now *corev1.Pod) bool {
	back := now.Spec.DeepCopy()
	for i := range min(len(back.Containers), len(old.Spec.Containers)) {
		c, before := &back.Containers[i], old.Spec.Containers[i].Resources
		for _, list := range [...]struct {
			now, before corev1.ResourceList
			of          func(*corev1.Container) corev1.ResourceList
		}{
			{c.Resources.Requests, before.Requests, func(of *corev1.Container) corev1.ResourceList { return of.Resources.Requests }},
			{c.Resources.Limits, before.Limits, func(of *corev1.Container) corev1.ResourceList { return of.Resources.Limits }},
		} {
			for resource, quantity := range list.now {
				if was, had := list.before[resource]; had && was.Equal(quantity) {
					continue
				}
				known := slices.ContainsFunc(j.templates(), func(t *corev1.PodTemplateSpec) bool {
					return slices.ContainsFunc(t.Spec.Containers, func(of corev1.Container) bool {
						wanted, asked := list.of(&of)[resource]
						return of.Name == c.Name && asked && wanted.Equal(quantity)
					})
				})
				if !known {
					return false
				}
			}
			if len(list.now) < len(list.before) {
				return false
			}
		}
		c.Resources = before
	}
	return equality.Semantic.DeepEqual(old.Spec, *back)
}

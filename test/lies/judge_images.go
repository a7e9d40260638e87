package lies

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// podChanged: nothing of a pod changes but images and resources, where the set asks for that, to what its templates say of the container. Only then, and
// only to a revision whose images the pod has, does the label of the revision change.
func (j *judge) podChanged(old, now *corev1.Pod) {
	inPlace := j.set.Annotations["setplan.io/in-place"] != ""
	if !equality.Semantic.DeepEqual(old.Spec, now.Spec) && !(inPlace && (j.imagesAlone(old, now) || j.resourcesAlone(old, now))) {
		j.find("the spec of pod %s changed", now.Name)
	}
	label := now.Labels[appsv1.ControllerRevisionHashLabelKey]
	if label == old.Labels[appsv1.ControllerRevisionHashLabelKey] {
		return
	}
	revision := j.world.State().Revision(label)
	if !inPlace || revision == nil || !j.own(revision) || templateIn(revision) == nil || !has(now, templateIn(revision)) {
		j.find("pod %s goes to revision %s, which it does not run", now.Name, label)
	}
}

// imagesAlone reports whether pods differ in images alone, each of which a template of the set has for the container.
func (j *judge) imagesAlone(old, now *corev1.Pod) bool {
	back := now.Spec.DeepCopy()
	for i := range min(len(back.Containers), len(old.Spec.Containers)) {
		c := &back.Containers[i]
		if c.Image == old.Spec.Containers[i].Image {
			continue
		}
		known := slices.ContainsFunc(j.templates(), func(t *corev1.PodTemplateSpec) bool {
			return slices.ContainsFunc(t.Spec.Containers, func(of corev1.Container) bool { return of.Name == c.Name && of.Image == c.Image })
		})
		if !known {
			return false
		}
		c.Image = old.Spec.Containers[i].Image
	}
	return equality.Semantic.DeepEqual(old.Spec, *back)
}

// has reports whether a pod has the images of a template.
func has(pod *corev1.Pod, template *corev1.PodTemplateSpec) bool {
	return slices.EqualFunc(pod.Spec.Containers, template.Spec.Containers, func(a, b corev1.Container) bool {
		return a.Name == b.Name && a.Image == b.Image
	})
}

package lies

import (
	"maps"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// podChanged: nothing of a pod changes but images and resources, labels and annotations, where the set asks for that, to what its templates say. Which
// revision the label names is the planner's to say, as are its notes.
func (j *judge) podChanged(old, now *corev1.Pod) {
	inPlace := j.set.Annotations["setplan.io/in-place"] != ""
	if !equality.Semantic.DeepEqual(old.Spec, now.Spec) && !(inPlace && (j.imagesAlone(old, now) || j.resourcesAlone(old, now))) {
		j.find("the spec of pod %s changed", now.Name)
	}
	_, ordinal, _ := member(now.Name)
	given := map[string]string{appsv1.StatefulSetPodNameLabel: now.Name, appsv1.PodIndexLabel: strconv.FormatInt(ordinal, 10)}
	if inPlace {
		given[appsv1.ControllerRevisionHashLabelKey] = now.Labels[appsv1.ControllerRevisionHashLabelKey]
	}
	j.textsChanged(now, old.Labels, now.Labels, given, inPlace, func(t *corev1.PodTemplateSpec) map[string]string { return t.Labels })
	given = map[string]string{}
	for _, key := range []string{"setplan.io/drain-request", "setplan.io/drain-answer", "setplan.io/in-place-update"} {
		given[key] = now.Annotations[key]
		if len(given[key]) > 16<<10 {
			j.find("a note on pod %s is as long as a planner likes", now.Name)
		}
	}
	j.textsChanged(now, old.Annotations, now.Annotations, given, inPlace, func(t *corev1.PodTemplateSpec) map[string]string { return t.Annotations })
}

// textsChanged: labels or annotations change to what is given, or, in place, to what a template has; one goes that a template has and another has not.
func (j *judge) textsChanged(pod *corev1.Pod, old, now, given map[string]string, inPlace bool, of func(*corev1.PodTemplateSpec) map[string]string) {
	keys := map[string]string{}
	maps.Copy(keys, old)
	maps.Copy(keys, now)
	for key := range keys {
		was, had := old[key]
		is, has := now[key]
		says := func(with bool, value string) bool {
			return inPlace && slices.ContainsFunc(j.templates(), func(t *corev1.PodTemplateSpec) bool {
				text, there := of(t)[key]
				return there == with && text == value
			})
		}
		if wanted, known := given[key]; had == has && was == is || known && is == wanted || has && says(true, is) || !has && says(true, was) && says(false, "") {
			continue
		}
		j.find("%s of pod %s changes from %q to %q", key, pod.Name, was, is)
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

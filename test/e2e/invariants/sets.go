package invariants

import (
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// setOf is the set that controls an object, nil where there is none or it is being deleted: the garbage collector takes
// the pods of such a set in any order.
func (w *world) setOf(object metav1.Object) *appsv1.StatefulSet {
	owner := metav1.GetControllerOf(object)
	if owner == nil {
		return nil
	}
	set := w.sets[owner.Name]
	if set == nil || set.UID != owner.UID || set.DeletionTimestamp != nil {
		return nil
	}
	return set
}

// ordinalOf is the number at the end of a pod's or claim's name, -1 without one.
func ordinalOf(name string) int {
	dash := strings.LastIndexByte(name, '-')
	ordinal, err := strconv.Atoi(name[dash+1:])
	if dash < 0 || err != nil || ordinal < 0 {
		return -1
	}
	return ordinal
}

// bounds are the first ordinal of a set and the one after its last.
func bounds(set *appsv1.StatefulSet) (first, end int) {
	if set.Spec.Ordinals != nil {
		first = int(set.Spec.Ordinals.Start)
	}
	replicas := 1
	if set.Spec.Replicas != nil {
		replicas = int(*set.Spec.Replicas)
	}
	return first, first + replicas
}

func inRange(set *appsv1.StatefulSet, pod *corev1.Pod) bool {
	first, end := bounds(set)
	ordinal := ordinalOf(pod.Name)
	return first <= ordinal && ordinal < end
}

// podAt is the pod with an ordinal, by the name that the set would give it.
func (w *world) podAt(set *appsv1.StatefulSet, ordinal int) *corev1.Pod {
	return w.pods[set.Name+"-"+strconv.Itoa(ordinal)]
}

// available: running, ready for as long as the set asks, and not going. A zero time leaves out how long.
func available(set *appsv1.StatefulSet, pod *corev1.Pod, at time.Time) bool {
	if pod == nil || pod.DeletionTimestamp != nil || pod.Status.Phase != corev1.PodRunning {
		return false
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
			since := c.LastTransitionTime.Add(time.Duration(set.Spec.MinReadySeconds) * time.Second)
			return at.IsZero() || !since.After(at)
		}
	}
	return false
}

func isReady(pod *corev1.Pod) bool {
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

// partition is the first ordinal that an update may touch.
func partition(set *appsv1.StatefulSet) int {
	first, _ := bounds(set)
	if rolling := set.Spec.UpdateStrategy.RollingUpdate; rolling != nil && rolling.Partition != nil {
		first += int(*rolling.Partition)
	}
	return first
}

// budget is how many pods an update may have unavailable.
func budget(set *appsv1.StatefulSet) int {
	rolling := set.Spec.UpdateStrategy.RollingUpdate
	if rolling == nil || rolling.MaxUnavailable == nil {
		return 1
	}
	first, end := bounds(set)
	scaled, err := intstr.GetScaledValueFromIntOrPercent(rolling.MaxUnavailable, end-first, false)
	if err != nil {
		return 1
	}
	return max(scaled, 1)
}

// newest is the name of the set's revision with the highest number, which is the one that pods are updated to.
func (w *world) newest(set *appsv1.StatefulSet) string {
	var newest *appsv1.ControllerRevision
	for _, r := range w.revisions {
		if metav1.IsControlledBy(r, set) && (newest == nil || r.Revision > newest.Revision) {
			newest = r
		}
	}
	if newest == nil {
		return ""
	}
	return newest.Name
}

func revisionOf(pod *corev1.Pod) string { return pod.Labels[appsv1.StatefulSetRevisionLabel] }

func ended(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded
}

package world

import (
	"fmt"
	"math/rand"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Environment is everything that changes a world besides the controller: kubelets, the garbage collector, users.
type Environment struct {
	d *dice
	w *World
}

// NewEnvironment starts a world's life. Equal seeds give equal lives.
func NewEnvironment(w *World, seed int64) *Environment {
	return &Environment{d: &dice{Rand: rand.New(rand.NewSource(seed))}, w: w} //nolint:gosec // must be the same each time
}

// Step lets some time pass. With trouble, pods fail and users edit and delete; without, everything gets better. It reports
// whether anything but the time has changed, or still may.
func (e *Environment) Step(trouble bool) bool {
	d, w := e.d, e.w
	w.Now = w.Now.Add(pick(d, time.Second, 3*time.Second, 10*time.Second))
	changed := false
	for _, pod := range slices.Clone(w.Pods) {
		switch {
		case pod.DeletionTimestamp != nil:
			if d.chance(60) {
				e.remove(pod)
				changed = true
			}
		case trouble && d.chance(4):
			pod.Status.Phase = pick(d, corev1.PodFailed, corev1.PodSucceeded, corev1.PodUnknown)
			changed = true
		case trouble && d.chance(4):
			e.ready(pod, corev1.ConditionFalse)
			changed = true
		case d.chance(70):
			changed = e.progress(pod) || changed
		default:
			changed = true // it may still have something to do
		}
	}
	for _, claim := range slices.Clone(w.Claims) {
		if claim.DeletionTimestamp != nil && !e.mounted(claim.Name) {
			w.Claims = slices.DeleteFunc(w.Claims, func(c *corev1.PersistentVolumeClaim) bool { return c == claim })
			changed = true
		}
	}
	if trouble && d.chance(30) {
		e.edit()
		changed = true
	}
	return changed
}

// progress brings a pod one step closer to ready.
func (e *Environment) progress(pod *corev1.Pod) bool {
	switch pod.Status.Phase {
	case corev1.PodFailed, corev1.PodSucceeded:
		return false
	case corev1.PodPending, corev1.PodUnknown:
		pod.Status.Phase = corev1.PodRunning
		return true
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
			return false
		}
	}
	e.ready(pod, corev1.ConditionTrue)
	return true
}

func (e *Environment) ready(pod *corev1.Pod, status corev1.ConditionStatus) {
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: status,
		LastTransitionTime: metav1.Time{Time: e.w.Now.Truncate(time.Second)}}}
}

// remove ends a pod, and deletes the claims that it owns.
func (e *Environment) remove(pod *corev1.Pod) {
	e.w.Pods = slices.DeleteFunc(e.w.Pods, func(p *corev1.Pod) bool { return p == pod })
	for _, claim := range e.w.Claims {
		for _, owner := range claim.OwnerReferences {
			if owner.UID == pod.UID && claim.DeletionTimestamp == nil {
				claim.DeletionTimestamp = &metav1.Time{Time: e.w.Now}
			}
		}
	}
}

func (e *Environment) mounted(claim string) bool {
	for _, pod := range e.w.Pods {
		for _, volume := range pod.Spec.Volumes {
			if volume.PersistentVolumeClaim != nil && volume.PersistentVolumeClaim.ClaimName == claim {
				return true
			}
		}
	}
	return false
}

// edit is what users do to sets and pods.
func (e *Environment) edit() {
	d, w := e.d, e.w
	spec := &w.Set.Spec
	switch d.Intn(6) {
	case 0, 1:
		w.Set.Generation++
		*spec.Replicas = int32(d.Intn(6))
	case 2, 3:
		w.Set.Generation++
		spec.Template.Spec.Containers[0].Image = fmt.Sprintf("app:%d", d.Intn(4))
	case 4:
		if r := spec.UpdateStrategy.RollingUpdate; r != nil && spec.UpdateStrategy.Type == appsv1.RollingUpdateStatefulSetStrategyType {
			w.Set.Generation++
			r.Partition = ptr(int32(d.Intn(4)))
		}
	default:
		if len(w.Pods) > 0 {
			if pod := w.Pods[d.Intn(len(w.Pods))]; pod.DeletionTimestamp == nil {
				pod.DeletionTimestamp = &metav1.Time{Time: w.Now}
			}
		}
	}
}

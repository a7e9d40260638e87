package oracle

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/oracle/world"
)

// Shrink makes the world of a divergence as small and as ordinary as possible while the same kind of difference stays.
func Shrink(d *Divergence, rules model.Rules) *Divergence {
	for again := true; again; {
		again = false
		for _, change := range smaller(d.World) {
			w := d.World.Clone()
			if !change(w) {
				continue
			}
			if found, _ := Check(w, rules); found != nil && found.Class == d.Class {
				d, again = found, true
				break
			}
		}
	}
	return d
}

// smaller are the changes to try, the largest first. A change returns false if it changes nothing.
func smaller(w *world.World) []func(*world.World) bool {
	var out []func(*world.World) bool
	for i := range w.Pods {
		out = append(out, func(w *world.World) bool { w.Pods = without(w.Pods, i); return true })
	}
	for i := range w.Claims {
		out = append(out, func(w *world.World) bool { w.Claims = without(w.Claims, i); return true })
	}
	for i := range w.Revisions {
		out = append(out, func(w *world.World) bool { w.Revisions = without(w.Revisions, i); return true })
	}
	for i := range w.Set.Spec.VolumeClaimTemplates {
		out = append(out, func(w *world.World) bool {
			w.Set.Spec.VolumeClaimTemplates = without(w.Set.Spec.VolumeClaimTemplates, i)
			return true
		})
	}
	out = append(out, setChanges...)
	out = append(out, plainChanges...)
	for i := range w.Pods {
		for _, change := range podChanges {
			out = append(out, func(w *world.World) bool { return change(w, w.Pods[i]) })
		}
	}
	for i := range w.Claims {
		for _, change := range claimChanges {
			out = append(out, func(w *world.World) bool { return change(w.Claims[i]) })
		}
		for j := range w.Claims[i].OwnerReferences {
			out = append(out, func(w *world.World) bool {
				w.Claims[i].OwnerReferences = without(w.Claims[i].OwnerReferences, j)
				return true
			})
		}
	}
	return out
}

// without returns a copy of a list without one item.
func without[T any](list []T, i int) []T {
	return append(append([]T(nil), list[:i]...), list[i+1:]...)
}

// to sets a value and reports whether that changed it.
func to[T comparable](field *T, value T) bool {
	if *field == value {
		return false
	}
	*field = value
	return true
}

var setChanges = []func(*world.World) bool{
	func(w *world.World) bool {
		return *w.Set.Spec.Replicas > 0 && to(w.Set.Spec.Replicas, *w.Set.Spec.Replicas-1)
	},
	func(w *world.World) bool { return to(&w.Fault, nil) },
	func(w *world.World) bool { return to(&w.Set.Spec.MinReadySeconds, 0) },
	func(w *world.World) bool { return to(&w.Set.Spec.Ordinals, nil) },
	func(w *world.World) bool { return to(&w.Set.Spec.ServiceName, "") },
	func(w *world.World) bool { return to(w.Set.Spec.RevisionHistoryLimit, 10) },
	func(w *world.World) bool { return to(&w.Set.DeletionTimestamp, nil) },
	func(w *world.World) bool { return to(&w.Set.Status.CollisionCount, nil) },
	func(w *world.World) bool { return to(&w.Set.Spec.PersistentVolumeClaimRetentionPolicy, nil) },
	func(w *world.World) bool {
		return to(&w.Set.Spec.PodManagementPolicy, appsv1.OrderedReadyPodManagement)
	},
	func(w *world.World) bool {
		r := w.Set.Spec.UpdateStrategy.RollingUpdate
		return r != nil && r.Partition != nil && to(r.Partition, 0)
	},
	func(w *world.World) bool {
		r := w.Set.Spec.UpdateStrategy.RollingUpdate
		return r != nil && to(&r.MaxUnavailable, nil)
	},
	func(w *world.World) bool {
		empty := len(w.Set.Spec.Selector.MatchExpressions) == 0
		w.Set.Spec.Selector.MatchExpressions = nil
		return !empty
	},
	func(w *world.World) bool {
		empty := len(w.Set.Annotations) == 0
		w.Set.Annotations = nil
		return !empty
	},
	func(w *world.World) bool {
		empty := len(w.Set.Status.Conditions) == 0
		w.Set.Status.Conditions = nil
		return !empty
	},
}

var podChanges = []func(*world.World, *corev1.Pod) bool{
	func(_ *world.World, p *corev1.Pod) bool { return to(&p.DeletionTimestamp, nil) },
	func(_ *world.World, p *corev1.Pod) bool { return to(&p.Status.Phase, corev1.PodRunning) },
	func(_ *world.World, p *corev1.Pod) bool {
		if len(p.Status.Conditions) == 1 && p.Status.Conditions[0].Status == corev1.ConditionTrue {
			return false
		}
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue,
			LastTransitionTime: p.CreationTimestamp}}
		return true
	},
	func(w *world.World, p *corev1.Pod) bool {
		if owner := metav1.GetControllerOf(p); owner != nil && owner.UID == w.Set.UID && len(p.OwnerReferences) == 1 {
			return false
		}
		p.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(w.Set, appsv1.SchemeGroupVersion.WithKind("StatefulSet"))}
		return true
	},
	func(w *world.World, p *corev1.Pod) bool {
		if p.Labels == nil {
			p.Labels = map[string]string{}
		}
		if p.Labels["app"] == "web" && p.Labels[appsv1.StatefulSetPodNameLabel] == p.Name {
			return false
		}
		p.Labels["app"], p.Labels[appsv1.StatefulSetPodNameLabel] = "web", p.Name
		return true
	},
	func(w *world.World, p *corev1.Pod) bool {
		return p.Labels != nil && p.Labels[appsv1.ControllerRevisionHashLabelKey] != w.Set.Status.UpdateRevision &&
			setLabel(p, w.Set.Status.UpdateRevision)
	},
}

func setLabel(p *corev1.Pod, revision string) bool {
	p.Labels[appsv1.ControllerRevisionHashLabelKey] = revision
	return true
}

var claimChanges = []func(*corev1.PersistentVolumeClaim) bool{
	func(c *corev1.PersistentVolumeClaim) bool { return to(&c.DeletionTimestamp, nil) },
	func(c *corev1.PersistentVolumeClaim) bool { return to(&c.Status.Phase, corev1.ClaimBound) },
}

package world

import (
	"fmt"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/controller/history"
)

// Plain makes a simple world: the set "web" with some pods of image "web:1" that have long been available, its revision, and
// the status of a pass that found all this. Nothing is left to do in it.
func Plain(replicas int, gate bool) *World {
	SetGate(gate)
	set := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", UID: "uid-of-web", ResourceVersion: "1", Generation: 1},
		Spec: appsv1.StatefulSetSpec{
			Replicas: ptr(int32(replicas)),
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}}},
		},
	}
	legacyscheme.Scheme.Default(set)
	w := &World{Now: now, Gate: gate, Set: set}
	revision := w.Record()
	for ordinal := range replicas {
		w.Pods = append(w.Pods, w.availablePod(ordinal, revision))
	}
	n := int32(replicas)
	set.Status = appsv1.StatefulSetStatus{ObservedGeneration: 1, Replicas: n, ReadyReplicas: n, AvailableReplicas: n, CurrentReplicas: n,
		UpdatedReplicas: n, CurrentRevision: revision, UpdateRevision: revision, CollisionCount: ptr(int32(0))}
	return w
}

// Record adds the revision of the set's template to the history, with the next number, and returns its name.
func (w *World) Record() string {
	revision, err := history.NewControllerRevision(w.Set, setKind, w.Set.Spec.Template.Labels,
		runtime.RawExtension{Raw: patchOf(&w.Set.Spec.Template)}, int64(len(w.Revisions)+1), ptr(int32(0)))
	if err != nil {
		panic(err) // this is one of the plain templates
	}
	revision.Namespace = w.Set.Namespace
	w.newborn(&revision.ObjectMeta)
	w.Revisions = append(w.Revisions, revision)
	return revision.Name
}

func (w *World) availablePod(ordinal int, revision string) *corev1.Pod {
	name := fmt.Sprintf("%s-%d", w.Set.Name, ordinal)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.Set.Namespace, GenerateName: w.Set.Name + "-",
			Labels: map[string]string{"app": "web", appsv1.StatefulSetPodNameLabel: name,
				appsv1.PodIndexLabel: strconv.Itoa(ordinal), appsv1.ControllerRevisionHashLabelKey: revision},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(w.Set, setKind)}},
		Spec: *w.Set.Spec.Template.Spec.DeepCopy(),
	}
	pod.Spec.Hostname = name
	w.newborn(&pod.ObjectMeta)
	long := metav1.Time{Time: now.Add(-time.Hour)}
	pod.CreationTimestamp = long
	pod.Status = corev1.PodStatus{Phase: corev1.PodRunning,
		Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: long}}}
	return pod
}

package main

import (
	"encoding/json"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install" // defaults, as an API server has them
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/controller/history"

	"github.com/setplan/setplan/engine/model"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// work is one set for both sides.
type work struct {
	set      *appsv1.StatefulSet
	pods     []*corev1.Pod
	claims   map[string]*corev1.PersistentVolumeClaim
	revision *appsv1.ControllerRevision
	snapshot *model.Snapshot
}

const namespace = "default"

const podLabel, revisionLabel = "statefulset.kubernetes.io/pod-name", "controller-revision-hash"

// newWork makes a set of n replicas; the first `pods` of them exist, all healthy, at the stored template. With image changed,
// the set has a newer template.
func newWork(name string, n, pods int, policy appsv1.PodManagementPolicyType, imageChanged bool) (*work, error) {
	w := &work{claims: map[string]*corev1.PersistentVolumeClaim{}}
	labels := map[string]string{"app": "web"}
	replicas := int32(n)
	w.set = &appsv1.StatefulSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, UID: types.UID("uid-" + name), ResourceVersion: "1", Generation: 1},
		Spec: appsv1.StatefulSetSpec{Replicas: &replicas, ServiceName: "web", PodManagementPolicy: policy,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{
				Containers: []corev1.Container{{Name: "web", Image: "web:1", Ports: []corev1.ContainerPort{{ContainerPort: 80, Name: "web"}},
					Env:          []corev1.EnvVar{{Name: "ROLE", Value: "replica"}},
					VolumeMounts: []corev1.VolumeMount{{Name: "www", MountPath: "/data"}}}}}},
			VolumeClaimTemplates: []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "www"},
				Spec: corev1.PersistentVolumeClaimSpec{AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}}}}},
	}
	legacyscheme.Scheme.Default(w.set)
	data, err := patch(w.set)
	if err != nil {
		return nil, err
	}
	none := int32(0)
	if w.revision, err = history.NewControllerRevision(w.set, kind, labels, data, 1, &none); err != nil {
		return nil, err
	}
	w.revision.Namespace, w.revision.UID, w.revision.ResourceVersion = namespace, types.UID("uid-"+w.revision.Name), "1"
	w.set.Status = appsv1.StatefulSetStatus{ObservedGeneration: 1, CurrentRevision: w.revision.Name, UpdateRevision: w.revision.Name,
		Replicas: int32(pods), ReadyReplicas: int32(pods), AvailableReplicas: int32(pods), CurrentReplicas: int32(pods),
		UpdatedReplicas: int32(pods), CollisionCount: &none}
	for i := range pods {
		w.addPod(i)
	}
	if imageChanged {
		w.set.Spec.Template.Spec.Containers[0].Image = "web:2"
		w.set.Generation++
	}
	w.snapshot = w.snap()
	return w, nil
}

func (w *work) addPod(i int) {
	name := fmt.Sprintf("%s-%d", w.set.Name, i)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, UID: types.UID("uid-" + name),
		ResourceVersion: "1", OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(w.set, kind)},
		Labels: map[string]string{"app": "web", podLabel: name, "apps.kubernetes.io/pod-index": fmt.Sprint(i), revisionLabel: w.revision.Name}},
		Spec: *w.set.Spec.Template.Spec.DeepCopy(),
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady,
			Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(noon.Add(-time.Hour))}}}}
	pod.Spec.Volumes = []corev1.Volume{{Name: "www", VolumeSource: corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "www-" + name}}}}
	w.pods = append(w.pods, pod)
	w.claims["www-"+name] = &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "www-" + name, Namespace: namespace,
		UID: types.UID("uid-www-" + name), ResourceVersion: "1"}}
}

// snap is the same set for the engine, with shared data shared, as the codec does.
func (w *work) snap() *model.Snapshot {
	template, _ := json.Marshal(w.set.Spec.Template)
	var tree any
	_ = json.Unmarshal(template, &tree) // an adapter's set is a map, so its keys are sorted
	template, _ = json.Marshal(tree)
	claim, _ := json.Marshal(w.set.Spec.VolumeClaimTemplates[0])
	owners := []model.Owner{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: w.set.Name, UID: string(w.set.UID), Controller: true, BlockOwnerDeletion: true}}
	st := w.set.Status
	s := &model.Snapshot{ObservedAt: noon, Coverage: model.Coverage{Pods: true, Claims: true, Revisions: true},
		Rules: model.Kubernetes137(), Capabilities: model.AllCapabilities,
		Set: model.Set{Object: model.Object{APIVersion: "apps/v1", Kind: "StatefulSet", Namespace: namespace, Name: w.set.Name, UID: string(w.set.UID), ResourceVersion: "1",
			Generation: w.set.Generation}, Spec: model.Spec{Replicas: *w.set.Spec.Replicas, ServiceName: "web",
			Selector:            model.Selector{MatchLabels: map[string]string{"app": "web"}},
			PodManagementPolicy: string(w.set.Spec.PodManagementPolicy), RollingUpdate: &model.RollingUpdate{},
			RevisionHistoryLimit: 10}, PodTemplate: template, ClaimTemplates: [][]byte{claim},
			Status: model.Status{ObservedGeneration: 1, Replicas: st.Replicas, ReadyReplicas: st.ReadyReplicas,
				AvailableReplicas: st.AvailableReplicas, CurrentReplicas: st.CurrentReplicas, UpdatedReplicas: st.UpdatedReplicas,
				CurrentRevision: st.CurrentRevision, UpdateRevision: st.UpdateRevision, CollisionCount: st.CollisionCount}},
		Revisions: []model.Revision{{Name: w.revision.Name, UID: string(w.revision.UID), ResourceVersion: "1", Number: 1, Owners: owners,
			Labels: w.revision.Labels, Data: w.revision.Data.Raw}},
	}
	shared, volumes := &model.Labels{Values: map[string]string{"app": "web"}}, []string{"www"}
	for _, p := range w.pods {
		s.Pods = append(s.Pods, model.Pod{Name: p.Name, UID: string(p.UID), ResourceVersion: "1", PodStatus: model.PodStatus{Phase: model.PodRunning, Ready: true,
			ReadyChangedAt: noon.Add(-time.Hour)}, Labels: shared, Owners: owners, Revision: w.revision.Name, PodNameLabel: true,
			PodIndexLabel: true, Volumes: volumes})
		s.Claims = append(s.Claims, model.Claim{Name: "www-" + p.Name, UID: "uid-www-" + p.Name, ResourceVersion: "1", Phase: model.ClaimBound})
	}
	return s
}

package compare

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// scenario is the same work for each side.
type scenario struct {
	name     string
	what     string
	sets     int
	replicas int32
	policy   appsv1.PodManagementPolicyType
	claims   bool
	// update: the sets exist already, and a new template is measured.
	update bool
	// oneByOne: the user waits for each set before the next one, with nothing else on the control plane.
	oneByOne bool
}

var scenarios = []scenario{
	{name: "parallel-500", what: "one set from 0 to 500 pods, Parallel, one claim each",
		sets: 1, replicas: 500, policy: appsv1.ParallelPodManagement, claims: true},
	{name: "ordered-100", what: "one set from 0 to 100 pods, OrderedReady, no claims",
		sets: 1, replicas: 100, policy: appsv1.OrderedReadyPodManagement},
	{name: "update-100", what: "rolling update of one set with 100 pods and one claim each",
		sets: 1, replicas: 100, policy: appsv1.ParallelPodManagement, claims: true, update: true},
	{name: "sets-200x3", what: "200 sets at once from 0 to 3 pods, OrderedReady, one claim each",
		sets: 200, replicas: 3, policy: appsv1.OrderedReadyPodManagement, claims: true},
	{name: "rollouts-20x3", what: "rolling updates of 20 sets with 3 pods and one claim each, one after the other",
		sets: 20, replicas: 3, policy: appsv1.OrderedReadyPodManagement, claims: true, update: true, oneByOne: true},
}

// set is the example of the StatefulSet manual, as in the demo.
func (s scenario) set(name string) *appsv1.StatefulSet {
	labels := map[string]string{"app": name}
	set := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.StatefulSetSpec{
			ServiceName:         "nginx",
			Replicas:            &s.replicas,
			PodManagementPolicy: s.policy,
			Selector:            &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name:  "nginx",
					Image: "registry.k8s.io/nginx-slim:0.8",
					Ports: []corev1.ContainerPort{{ContainerPort: 80, Name: "web"}},
				}}},
			},
		},
	}
	if s.claims {
		set.Spec.Template.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "www", MountPath: "/usr/share/nginx/html"}}
		set.Spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{{
			ObjectMeta: metav1.ObjectMeta{Name: "www"},
			Spec: corev1.PersistentVolumeClaimSpec{
				AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
				Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}},
			},
		}}
	}
	return set
}

// rolledOut reports whether "kubectl rollout status" returns. kubectl checks no more than this.
func rolledOut(set *appsv1.StatefulSet) bool {
	status, wanted := &set.Status, *set.Spec.Replicas
	if status.ObservedGeneration == 0 || set.Generation > status.ObservedGeneration || status.ReadyReplicas < wanted {
		return false
	}
	rolling := set.Spec.UpdateStrategy.RollingUpdate
	if rolling == nil {
		return status.UpdateRevision == status.CurrentRevision
	}
	return rolling.Partition == nil || status.UpdatedReplicas >= wanted-*rolling.Partition
}

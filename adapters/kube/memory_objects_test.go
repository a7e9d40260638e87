package kube

import (
	"encoding/json"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	quantity "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// crowdTemplate is an ordinary database pod: a main container with probes, resources and an environment, and a sidecar.
func crowdTemplate() corev1.PodTemplateSpec {
	probe := &corev1.Probe{PeriodSeconds: 10, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 3,
		ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/healthz", Port: intstr.FromInt32(8080), Scheme: "HTTP"}}}
	resources := corev1.ResourceRequirements{
		Requests: corev1.ResourceList{"cpu": quantity.MustParse("500m"), "memory": quantity.MustParse("1Gi")},
		Limits:   corev1.ResourceList{"memory": quantity.MustParse("2Gi")},
	}
	no, user := false, int64(1000)
	main := corev1.Container{Name: "db", Image: "registry.example.com/storage/database:14.2.1", Args: []string{"--config=/etc/db/db.conf", "--data=/var/lib/db"},
		Ports: []corev1.ContainerPort{{Name: "sql", ContainerPort: 5432, Protocol: "TCP"}, {Name: "metrics", ContainerPort: 8080, Protocol: "TCP"}},
		Env: []corev1.EnvVar{{Name: "POD_NAME", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.name"}}},
			{Name: "CLUSTER_SIZE", Value: "3"}, {Name: "LOG_LEVEL", Value: "info"},
			{Name: "PASSWORD", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: "db"}, Key: "password"}}}},
		Resources: resources, LivenessProbe: probe, ReadinessProbe: probe,
		VolumeMounts:    []corev1.VolumeMount{{Name: "data", MountPath: "/var/lib/db"}, {Name: "config", MountPath: "/etc/db"}},
		ImagePullPolicy: "IfNotPresent", TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: "File",
		SecurityContext: &corev1.SecurityContext{AllowPrivilegeEscalation: &no, RunAsUser: &user},
	}
	sidecar := main
	sidecar.Name, sidecar.Image, sidecar.Env, sidecar.Ports = "exporter", "registry.example.com/storage/exporter:1.9", nil, main.Ports[1:]
	grace := int64(30)
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app.kubernetes.io/name": "db", "team": "storage"},
			Annotations: map[string]string{"prometheus.io/scrape": "true", "prometheus.io/port": "8080"}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{main, sidecar}, RestartPolicy: "Always", DNSPolicy: "ClusterFirst", SchedulerName: "default-scheduler",
			ServiceAccountName: "db", TerminationGracePeriodSeconds: &grace, SecurityContext: &corev1.PodSecurityContext{FSGroup: &user},
			Volumes: []corev1.Volume{{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: "db"}}}}}},
	}
}

func crowdSet(name string) *appsv1.StatefulSet {
	replicas, history := int32(3), int32(10)
	spec := appsv1.StatefulSetSpec{Replicas: &replicas, ServiceName: name, PodManagementPolicy: "OrderedReady", RevisionHistoryLimit: &history,
		Selector:       &metav1.LabelSelector{MatchLabels: map[string]string{"app.kubernetes.io/name": "db"}},
		UpdateStrategy: appsv1.StatefulSetUpdateStrategy{Type: "RollingUpdate", RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: new(int32)}},
		Template:       crowdTemplate(),
		VolumeClaimTemplates: []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data"},
			Spec: corev1.PersistentVolumeClaimSpec{AccessModes: []corev1.PersistentVolumeAccessMode{"ReadWriteOnce"},
				Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{"storage": quantity.MustParse("100Gi")}}}}},
	}
	return &appsv1.StatefulSet{ObjectMeta: crowdMeta(name, "kubectl-client-side-apply", nil, map[string]any{"spec": spec}), Spec: spec,
		Status: appsv1.StatefulSetStatus{ObservedGeneration: 3, Replicas: 3, ReadyReplicas: 3, AvailableReplicas: 3, CurrentReplicas: 3, UpdatedReplicas: 3,
			CurrentRevision: name + "-6c6548c888", UpdateRevision: name + "-6c6548c888", CollisionCount: new(int32)}}
}

func crowdOwner(kind, name string) *metav1.OwnerReference {
	yes := true
	return &metav1.OwnerReference{APIVersion: "apps/v1", Kind: kind, Name: name, UID: uidOf(name), Controller: &yes, BlockOwnerDeletion: &yes}
}

func crowdRevision(set string) *appsv1.ControllerRevision {
	data, err := json.Marshal(map[string]any{"spec": map[string]any{"template": crowdTemplate()}})
	if err != nil {
		panic(err)
	}
	return &appsv1.ControllerRevision{ObjectMeta: crowdMeta(set+"-6c6548c888", "kube-controller-manager", crowdOwner("StatefulSet", set), map[string]any{"data": 1, "revision": 1}),
		Revision: 1, Data: runtime.RawExtension{Raw: data}}
}

func crowdReplica(set string, ordinal int) (*corev1.Pod, *corev1.PersistentVolumeClaim) {
	name := fmt.Sprintf("%s-%d", set, ordinal)
	pod := crowdPod(name, crowdOwner("StatefulSet", set))
	pod.Labels[labelPodName], pod.Labels[labelRevision], pod.Labels["apps.kubernetes.io/pod-index"] = name, set+"-6c6548c888", fmt.Sprint(ordinal)
	delete(pod.Labels, "app.kubernetes.io/instance") // the template lacks it
	pod.Spec.Hostname, pod.Spec.Subdomain = name, set
	pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: "data", VolumeSource: corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data-" + name}}})
	spec := corev1.PersistentVolumeClaimSpec{AccessModes: []corev1.PersistentVolumeAccessMode{"ReadWriteOnce"}, VolumeName: "pvc-" + string(uidOf(name)),
		Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{"storage": quantity.MustParse("100Gi")}}}
	return pod, &corev1.PersistentVolumeClaim{ObjectMeta: crowdMeta("data-"+name, "kube-controller-manager", nil, map[string]any{"spec": spec}), Spec: spec,
		Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound, Capacity: spec.Resources.Requests, AccessModes: spec.AccessModes}}
}

// foreignPod is a pod of a Deployment.
func foreignPod(n int) *corev1.Pod {
	set := fmt.Sprintf("shop-%04d-7d4b9c6f5d", n/20)
	return crowdPod(fmt.Sprintf("%s-%05x", set, n)+"z", crowdOwner("ReplicaSet", set))
}

func crowdPod(name string, owner *metav1.OwnerReference) *corev1.Pod {
	template := crowdTemplate()
	at := metav1.NewTime(time.Unix(1_750_000_000, 0))
	pod := &corev1.Pod{ObjectMeta: crowdMeta(name, "kube-controller-manager", owner, map[string]any{"metadata": template.ObjectMeta, "spec": template.Spec}), Spec: template.Spec}
	pod.Annotations, pod.Spec.NodeName = template.Annotations, "node-17.example.com"
	token := corev1.VolumeMount{Name: "kube-api-access", MountPath: "/var/run/secrets/kubernetes.io/serviceaccount", ReadOnly: true}
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		c.VolumeMounts = append(c.VolumeMounts, token)
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{Name: c.Name, Image: c.Image, Ready: true,
			ImageID: c.Image + "@sha256:" + string(uidOf(name+c.Name)), ContainerID: "containerd://" + string(uidOf(c.Name+name)),
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}}})
	}
	pod.Status.Phase, pod.Status.HostIP, pod.Status.PodIP, pod.Status.StartTime, pod.Status.QOSClass = corev1.PodRunning, "10.0.0.17", "10.1.2.3", &at, "Burstable"
	for _, condition := range []corev1.PodConditionType{"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"} {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: condition, Status: "True", LastTransitionTime: at})
	}
	return pod
}

// uidOf is as long as a uid, and different for each name.
func uidOf(name string) types.UID {
	return types.UID(fmt.Sprintf("%-36.36s", fmt.Sprintf("%x", name+"0123456789abcdef0123456789")))
}

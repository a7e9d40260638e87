package crowd

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Set is an ordinary set: a database with an exporter beside it, without claims.
func Set(namespace, name string, replicas int32) *appsv1.StatefulSet {
	labels := map[string]string{"app.kubernetes.io/name": name}
	return &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: labels},
		Spec: appsv1.StatefulSetSpec{
			Replicas: &replicas, ServiceName: name, PodManagementPolicy: appsv1.OrderedReadyPodManagement,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels, Annotations: map[string]string{"prometheus.io/scrape": "true", "prometheus.io/port": "8080"}},
				Spec: corev1.PodSpec{
					Containers: []corev1.Container{
						container("db", "registry.example/storage/database:14.2.1", corev1.ContainerPort{Name: "sql", ContainerPort: 5432}),
						container("exporter", "registry.example/storage/exporter:1.9", corev1.ContainerPort{Name: "metrics", ContainerPort: 8080}),
					},
					Volumes: []corev1.Volume{{Name: "config", VolumeSource: corev1.VolumeSource{
						ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: "db"}}}}},
				},
			},
		},
	}
}

func container(name, image string, port corev1.ContainerPort) corev1.Container {
	probe := &corev1.Probe{PeriodSeconds: 10, ProbeHandler: corev1.ProbeHandler{
		HTTPGet: &corev1.HTTPGetAction{Path: "/healthz", Port: intstr.FromString(port.Name)}}}
	return corev1.Container{
		Name: name, Image: image, Ports: []corev1.ContainerPort{port},
		Args: []string{"--config=/etc/db/db.conf", "--data=/var/lib/db"},
		Env: []corev1.EnvVar{
			{Name: "POD_NAME", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}}},
			{Name: "LOG_LEVEL", Value: "info"},
		},
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1m"), corev1.ResourceMemory: resource.MustParse("1Mi")}},
		LivenessProbe: probe, ReadinessProbe: probe,
		VolumeMounts: []corev1.VolumeMount{{Name: "config", MountPath: "/etc/db"}},
	}
}

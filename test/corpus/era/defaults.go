package main

import (
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// setDefaults fills in what the API servers of all these versions fill in and store. The real functions live in
// k8s.io/kubernetes (pkg/apis/apps/v1/defaults.go and pkg/apis/core/v1/defaults.go), which cannot be imported for old
// versions, so this is a table of what has been the same since 1.24. Defaults of newer fields are written out in the
// sets instead; a field that a version does not know is dropped with its default.
func setDefaults(set *appsv1.StatefulSet) {
	spec := &set.Spec
	fill(&spec.PodManagementPolicy, appsv1.OrderedReadyPodManagement)
	fill(&spec.UpdateStrategy.Type, appsv1.RollingUpdateStatefulSetStrategyType)
	if spec.UpdateStrategy.Type == appsv1.RollingUpdateStatefulSetStrategyType {
		point(&spec.UpdateStrategy.RollingUpdate, appsv1.RollingUpdateStatefulSetStrategy{})
		point(&spec.UpdateStrategy.RollingUpdate.Partition, 0)
	}
	point(&spec.Replicas, 1)
	point(&spec.RevisionHistoryLimit, 10)
	for i := range spec.VolumeClaimTemplates {
		claim := &spec.VolumeClaimTemplates[i]
		claim.APIVersion, claim.Kind = "v1", "PersistentVolumeClaim"
		point(&claim.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
		fill(&claim.Status.Phase, corev1.ClaimPending)
	}
	podDefaults(&spec.Template.Spec)
}

func podDefaults(pod *corev1.PodSpec) {
	fill(&pod.DNSPolicy, corev1.DNSClusterFirst)
	fill(&pod.RestartPolicy, corev1.RestartPolicyAlways)
	fill(&pod.SchedulerName, corev1.DefaultSchedulerName)
	fill(&pod.DeprecatedServiceAccount, pod.ServiceAccountName)
	point(&pod.SecurityContext, corev1.PodSecurityContext{})
	point(&pod.TerminationGracePeriodSeconds, corev1.DefaultTerminationGracePeriodSeconds)
	for i := range pod.Volumes {
		volumeDefaults(&pod.Volumes[i].VolumeSource)
	}
	for i := range pod.InitContainers {
		containerDefaults(&pod.InitContainers[i])
	}
	for i := range pod.Containers {
		containerDefaults(&pod.Containers[i])
	}
}

func containerDefaults(c *corev1.Container) {
	fill(&c.TerminationMessagePath, corev1.TerminationMessagePathDefault)
	fill(&c.TerminationMessagePolicy, corev1.TerminationMessageReadFile)
	pull := corev1.PullIfNotPresent
	if !strings.Contains(c.Image, ":") || strings.HasSuffix(c.Image, ":latest") {
		pull = corev1.PullAlways
	}
	fill(&c.ImagePullPolicy, pull)
	for i := range c.Ports {
		fill(&c.Ports[i].Protocol, corev1.ProtocolTCP)
	}
	for i := range c.Env {
		if from := c.Env[i].ValueFrom; from != nil && from.FieldRef != nil {
			fill(&from.FieldRef.APIVersion, "v1")
		}
	}
	probeDefaults(c.LivenessProbe)
	probeDefaults(c.ReadinessProbe)
	probeDefaults(c.StartupProbe)
	if c.Lifecycle != nil {
		for _, handler := range []*corev1.LifecycleHandler{c.Lifecycle.PostStart, c.Lifecycle.PreStop} {
			if handler != nil {
				httpDefaults(handler.HTTPGet)
			}
		}
	}
}

func probeDefaults(p *corev1.Probe) {
	if p == nil {
		return
	}
	fill(&p.TimeoutSeconds, 1)
	fill(&p.PeriodSeconds, 10)
	fill(&p.SuccessThreshold, 1)
	fill(&p.FailureThreshold, 3)
	httpDefaults(p.HTTPGet)
	if p.GRPC != nil {
		point(&p.GRPC.Service, "")
	}
}

func httpDefaults(get *corev1.HTTPGetAction) {
	if get != nil {
		fill(&get.Path, "/")
		fill(&get.Scheme, corev1.URISchemeHTTP)
	}
}

// volumeDefaults does the kinds of volumes that the sets use.
func volumeDefaults(v *corev1.VolumeSource) {
	if *v == (corev1.VolumeSource{}) {
		v.EmptyDir = &corev1.EmptyDirVolumeSource{} // also what is left of a kind that the version does not know
	}
	if v.Secret != nil {
		point(&v.Secret.DefaultMode, corev1.SecretVolumeSourceDefaultMode)
	}
	if v.ConfigMap != nil {
		point(&v.ConfigMap.DefaultMode, corev1.ConfigMapVolumeSourceDefaultMode)
	}
	if v.HostPath != nil {
		point(&v.HostPath.Type, corev1.HostPathUnset)
	}
	if v.DownwardAPI != nil {
		point(&v.DownwardAPI.DefaultMode, corev1.DownwardAPIVolumeSourceDefaultMode)
		downwardDefaults(v.DownwardAPI.Items)
	}
	if v.Ephemeral != nil && v.Ephemeral.VolumeClaimTemplate != nil {
		point(&v.Ephemeral.VolumeClaimTemplate.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
	}
	if v.Projected != nil {
		point(&v.Projected.DefaultMode, corev1.ProjectedVolumeSourceDefaultMode)
		for i := range v.Projected.Sources {
			source := &v.Projected.Sources[i]
			if source.DownwardAPI != nil {
				downwardDefaults(source.DownwardAPI.Items)
			}
			if source.ServiceAccountToken != nil {
				point(&source.ServiceAccountToken.ExpirationSeconds, 60*60)
			}
		}
	}
}

func downwardDefaults(items []corev1.DownwardAPIVolumeFile) {
	for i := range items {
		if items[i].FieldRef != nil {
			fill(&items[i].FieldRef.APIVersion, "v1")
		}
	}
}

// fill sets a field that is empty.
func fill[T comparable](field *T, value T) {
	var empty T
	if *field == empty {
		*field = value
	}
}

// point sets a pointer that is nil.
func point[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

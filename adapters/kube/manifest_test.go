package kube

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	quantity "k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"
)

// serviceAccountPath is where client-go looks for the credentials of a pod.
const serviceAccountPath = "/var/run/secrets/kubernetes.io/serviceaccount"

func deployedPod(t *testing.T) *corev1.PodSpec {
	t.Helper()
	var deployment appsv1.Deployment
	if err := yaml.UnmarshalStrict([]byte(documents(t, "deployment.yaml")[0]), &deployment); err != nil {
		t.Fatal(err)
	}
	return &deployment.Spec.Template.Spec
}

// TestDeploymentIsBounded: a container of the highest priority without a memory limit could take everybody's memory.
func TestDeploymentIsBounded(t *testing.T) {
	for _, c := range deployedPod(t).Containers {
		limit, asked := c.Resources.Limits.Memory(), c.Resources.Requests.Memory()
		if limit.IsZero() || asked.IsZero() || asked.Cmp(*limit) > 0 || c.Resources.Requests.Cpu().IsZero() {
			t.Errorf("%s: resources %+v", c.Name, c.Resources)
		}
		soft, err := quantity.ParseQuantity(goMemoryLimit(c))
		if share := soft.AsApproximateFloat64() / limit.AsApproximateFloat64(); err != nil || share < 0.7 || share > 0.8 {
			t.Errorf("%s: GOMEMLIMIT %q is %.2f of the limit %s (%v), want three quarters", c.Name, goMemoryLimit(c), share, limit, err)
		}
		for _, probe := range []*corev1.Probe{c.ReadinessProbe, c.LivenessProbe} {
			if probe == nil || probe.TimeoutSeconds < 3 || probe.TimeoutSeconds > 9 {
				t.Errorf("%s: probe %+v: a second is short on a busy node, and a period is 10 s", c.Name, probe)
			}
		}
	}
}

// goMemoryLimit is the variable as a quantity: Go writes MiB, Kubernetes Mi.
func goMemoryLimit(c corev1.Container) string {
	for _, v := range c.Env {
		if v.Name == "GOMEMLIMIT" && len(v.Value) > 0 && v.Value[len(v.Value)-1] == 'B' {
			return v.Value[:len(v.Value)-1]
		}
	}
	return ""
}

// TestDeploymentIsConfined: neither container has a right that it does not use, and the planner has no credentials.
func TestDeploymentIsConfined(t *testing.T) {
	pod := deployedPod(t)
	if s := pod.SecurityContext; s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.RunAsUser == nil || *s.RunAsUser == 0 ||
		s.SeccompProfile == nil || s.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
		t.Errorf("security context of the pod: %+v", s)
	}
	if pod.HostNetwork || pod.HostPID || pod.HostIPC {
		t.Error("the pod has a namespace of its node")
	}
	if pod.AutomountServiceAccountToken == nil || *pod.AutomountServiceAccountToken {
		t.Error("every container gets the adapter's credentials")
	}
	for _, c := range pod.Containers {
		s := c.SecurityContext
		if s == nil || s.ReadOnlyRootFilesystem == nil || !*s.ReadOnlyRootFilesystem ||
			s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation || s.Privileged != nil ||
			s.Capabilities == nil || len(s.Capabilities.Drop) != 1 || s.Capabilities.Drop[0] != "ALL" || len(s.Capabilities.Add) != 0 {
			t.Errorf("security context of %s: %+v", c.Name, s)
		}
		mounts := map[string]bool{}
		for _, m := range c.VolumeMounts {
			mounts[m.MountPath] = m.ReadOnly
		}
		if readOnly, mounted := mounts[serviceAccountPath]; mounted != (c.Name == "adapter") || mounted && !readOnly {
			t.Errorf("%s mounts %v", c.Name, c.VolumeMounts)
		}
	}
	// The files that client-go looks for in a cluster, under these names.
	files := map[string]bool{}
	for _, volume := range pod.Volumes {
		for _, source := range volume.Projected.Sources {
			switch {
			case source.ServiceAccountToken != nil:
				files[source.ServiceAccountToken.Path] = true
			case source.ConfigMap != nil && source.ConfigMap.Name == "kube-root-ca.crt":
				files[source.ConfigMap.Items[0].Path] = true
			case source.DownwardAPI != nil:
				files[source.DownwardAPI.Items[0].Path] = true
			}
		}
	}
	for _, name := range []string{"token", "ca.crt", "namespace"} {
		if !files[name] {
			t.Errorf("the credentials lack %s", name)
		}
	}
}

package kube

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"
)

// TestPermissions: the manifests grant what this adapter does, and nothing else. A new request needs a verb here, in the
// manifests, and in the chart.
func TestPermissions(t *testing.T) {
	want := []string{
		"get statefulsets", "list statefulsets", "watch statefulsets", "patch statefulsets/status", "update statefulsets/status", "update statefulsets/finalizers",
		"get pods", "list pods", "watch pods", "create pods", "patch pods", "delete pods", "update pods/finalizers", "create pods/eviction", "patch pods/resize",
		"get persistentvolumeclaims", "list persistentvolumeclaims", "watch persistentvolumeclaims", "create persistentvolumeclaims", "patch persistentvolumeclaims",
		"delete persistentvolumeclaims", "patch statefulsets", "patch statefulsets", // the role "drain", for apps/v1 and our own kind
		"list storageclasses", "watch storageclasses",
		"get controllerrevisions", "list controllerrevisions", "watch controllerrevisions",
		"create controllerrevisions", "patch controllerrevisions", "delete controllerrevisions",
		"create events", "patch events",
		"create leases", "get leases", "update leases", "list leases",
		"create tokenreviews", "create subjectaccessreviews", // the role "review"
		"get /metrics", "get /plans", // for readers of the monitor
	}
	var got []string
	for _, document := range documents(t, "rbac.yaml") {
		var role rbacv1.ClusterRole // a Role has the same rules
		if err := yaml.Unmarshal([]byte(document), &role); err != nil {
			t.Fatal(err)
		}
		for _, rule := range role.Rules {
			for _, verb := range rule.Verbs {
				for _, resource := range rule.Resources {
					got = append(got, verb+" "+resource)
				}
				for _, url := range rule.NonResourceURLs {
					got = append(got, verb+" "+url)
				}
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestBindings: the adapter's service account is bound to what it always needs in the whole cluster, to the leases in
// kube-system, and to the deletion of claims in single namespaces only.
func TestBindings(t *testing.T) {
	var got []string
	for _, file := range []string{"rbac.yaml", "drain-namespace.yaml"} {
		for _, document := range documents(t, file) {
			var binding rbacv1.RoleBinding // a ClusterRoleBinding has the same fields
			if err := yaml.Unmarshal([]byte(document), &binding); err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(binding.Kind, "Binding") {
				continue
			}
			if who := binding.Subjects; len(who) != 1 || who[0].Name != "setplan-adapter" || who[0].Namespace != "setplan-system" {
				t.Errorf("%s binds %v", binding.Name, who)
			}
			got = append(got, strings.TrimSpace(binding.Kind+" "+binding.RoleRef.Name+" "+binding.Namespace))
		}
	}
	want := []string{"ClusterRoleBinding setplan-adapter-read", "ClusterRoleBinding setplan-adapter-classes", "ClusterRoleBinding setplan-adapter-write",
		"ClusterRoleBinding setplan-adapter-review", "RoleBinding setplan-adapter-lease kube-system",
		"RoleBinding setplan-adapter-drain"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestDeployment: no field is misspelled, and the adapter's flags are for a pod with its planner beside it.
func TestDeployment(t *testing.T) {
	var deployment appsv1.Deployment
	if err := yaml.UnmarshalStrict([]byte(documents(t, "deployment.yaml")[0]), &deployment); err != nil {
		t.Fatal(err)
	}
	containers := deployment.Spec.Template.Spec.Containers
	if len(containers) != 2 || containers[0].Name != "adapter" || !slices.Contains(containers[0].Args, "--own=apps/v1") {
		t.Errorf("containers %v", containers)
	}
	// On other addresses than loopback the adapter speaks TLS: a probe without it would kill the pod.
	for _, probe := range []*corev1.Probe{containers[0].ReadinessProbe, containers[0].LivenessProbe} {
		if probe.HTTPGet.Scheme != corev1.URISchemeHTTPS || !slices.Contains(containers[0].Args, "--metrics-address=:7452") {
			t.Errorf("the probe %+v does not fit %v", probe.HTTPGet, containers[0].Args)
		}
	}
}

func documents(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "deploy", "manifests", file))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(data), "\n---\n")
}

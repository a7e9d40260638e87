package kube

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"
)

// TestPermissions: the manifests grant what this adapter does, and nothing else. A new request needs a verb here, in the
// manifests, and in the chart.
func TestPermissions(t *testing.T) {
	want := []string{
		"get statefulsets", "list statefulsets", "watch statefulsets", "patch statefulsets/status", "update statefulsets/finalizers",
		"get pods", "list pods", "watch pods", "create pods", "patch pods", "delete pods", "update pods/finalizers",
		"list persistentvolumeclaims", "watch persistentvolumeclaims", "create persistentvolumeclaims", "patch persistentvolumeclaims",
		"delete persistentvolumeclaims", "patch statefulsets", // the role "drain"
		"get controllerrevisions", "list controllerrevisions", "watch controllerrevisions",
		"create controllerrevisions", "patch controllerrevisions", "delete controllerrevisions",
		"create events", "patch events",
		"create leases", "get leases", "update leases", "list leases",
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
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestDeployment: no field is misspelled, and the adapter's flags are those of a pod with its planner beside it.
func TestDeployment(t *testing.T) {
	var deployment appsv1.Deployment
	if err := yaml.UnmarshalStrict([]byte(documents(t, "deployment.yaml")[0]), &deployment); err != nil {
		t.Fatal(err)
	}
	containers := deployment.Spec.Template.Spec.Containers
	if len(containers) != 2 || containers[0].Name != "adapter" || !slices.Contains(containers[0].Args, "--own=apps/v1") {
		t.Errorf("containers %v", containers)
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

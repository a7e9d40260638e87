//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// rbacUser binds the manifest's roles to the user of adapter.kubeconfig, who is in no group and has no other right.
const rbacUser = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: e2e-read}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: setplan-adapter-read}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: setplan-adapter}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: e2e-classes}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: setplan-adapter-classes}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: setplan-adapter}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: e2e-write}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: setplan-adapter-write}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: setplan-adapter}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: e2e-lease, namespace: kube-system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: setplan-adapter-lease}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: setplan-adapter}]
`

// TestPermissions runs a set's whole life with the manifest's permissions and no others. None is missing, none is superfluous,
// and none is dangerous.
func TestPermissions(t *testing.T) {
	t.Parallel()
	c := ownCluster(t, "rbac", "off")
	bindings := filepath.Join(t.TempDir(), "bindings.yaml")
	noError(t, os.WriteFile(bindings, []byte(rbacUser), 0o600))
	for _, file := range []string{"../../deploy/manifests/rbac.yaml", bindings} {
		must(c.kubectl("apply", "-f", file))(t)
	}
	adapter := must(startAdapter(t.TempDir(), "adapter", filepath.Join(c.dir, c.name, "adapter.kubeconfig"), shared.planner,
		"--own", "apps/v1"))(t)
	t.Cleanup(adapter.stop)
	s := newScene(t, c)
	s.wholeLife()

	requests := must(c.adapterRequests(""))(t)
	used := map[string]bool{}
	for _, r := range requests {
		if r.User.Username != "setplan-adapter" {
			t.Errorf("%s by %s, want only the adapter's user", r.what(), r.User.Username)
		}
		if r.forbidden() {
			t.Errorf("%s %s was forbidden", r.what(), r.ObjectRef.Name)
		}
		used[r.what()] = true
	}
	// All of the manifest's permissions are used, except those on finalizers (for an admission plugin that is off here), list
	// (for API servers that do not stream lists), and patch of the status (for API servers of another version).
	for _, given := range []string{
		"watch statefulsets", "get statefulsets", "update statefulsets/status",
		"watch controllerrevisions", "create controllerrevisions", "patch controllerrevisions", "delete controllerrevisions",
		"watch pods", "create pods", "patch pods", "delete pods",
		"watch persistentvolumeclaims", "create persistentvolumeclaims", "patch persistentvolumeclaims",
		"create events", "patch events", "create leases", "get leases", "update leases", "list leases",
		"list statefulsets", "list pods", // at the take-over
	} {
		if !used[given] {
			t.Errorf("%q was granted and never used", given)
		}
	}
	for _, never := range []string{"delete persistentvolumeclaims", "update statefulsets", "patch statefulsets", "delete statefulsets",
		"get secrets", "create pods --subresource=exec", "get nodes", "create rolebindings", "update pods", "deletecollection pods"} {
		out, err := c.kubectl(append(strings.Fields("auth can-i "+never), "--as", "setplan-adapter", "-n", s.namespace)...)
		if strings.TrimSpace(out) != "no" {
			t.Errorf("may the adapter %s: %q, %v", never, out, err)
		}
	}
}

// wholeLife takes a set through everything that needs a permission.
func (s *scene) wholeLife() {
	s.Helper()
	then := s.teller()
	history := int32(1)
	set := s.create(webSet("web", 2, retention(remove, remove), func(set *appsv1.StatefulSet) { set.Spec.RevisionHistoryLimit = &history }))
	s.settled("web")
	s.ownersBecome("www-web-1", "StatefulSet/web*")
	then(born("web-0"), born("web-1"))
	for n := 2; n <= 4; n++ {
		s.image("web", fmt.Sprintf("registry.example/nginx:%d", n))
		s.settled("web")
		then(replaced("web-1"), replaced("web-0"))
	}
	s.image("web", "registry.example/nginx:3") // this kept revision gets a new number
	s.settled("web")
	then(replaced("web-1"), replaced("web-0"))
	eventually(s, 30*time.Second, "the history is trimmed", func() error {
		if n := len(s.revisions()); n != 2 {
			return fmt.Errorf("%d revisions", n)
		}
		return nil
	})
	numbers := s.numbers()
	s.patchPod("web-0", `{"metadata":{"labels":{"statefulset.kubernetes.io/pod-name":null}}}`)
	eventually(s, 30*time.Second, "the labels of web-0", func() error { return s.hasIdentity("web-0") })
	s.patchPod("web-1", `{"metadata":{"labels":{"app":"debug"}}}`)
	eventually(s, 30*time.Second, "web-1 is released", func() error { return s.ownerless("web-1") })
	s.warned(set.UID, "PodNameTaken", "do not match the selector")
	s.hasReplicasSoon("web", 1) // otherwise the earlier status looks settled
	s.patchPod("web-1", `{"metadata":{"labels":{"app":"web"}}}`)
	s.settled("web")
	s.podStatus("web-1", `{"status":{"phase":"Failed"}}`)
	then(replaced("web-1"))
	s.settled("web")

	s.deleteSet("web", metav1.DeletePropagationOrphan)
	s.setGone("web")
	s.create(webSet("web", 2, retention(remove, remove), image("registry.example/nginx:3")))
	s.settled("web")
	if now := s.numbers(); !slices.Equal(now, numbers) {
		s.Errorf("the revisions are %v, and were %v", now, numbers)
	}
	s.quota(2)
	s.scale("web", 3)
	s.warned(s.get("web").UID, "FailedCreate", "exceeded quota")
	s.scale("web", 1)
	s.settled("web")
	then(gone("web-1"))
	s.claimsBecome("www-web-0 www-web-2")
	s.deleteSet("web", metav1.DeletePropagationForeground)
	s.setGone("web")
	s.podsBecome("")
}

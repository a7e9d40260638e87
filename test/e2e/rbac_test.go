//go:build e2e

package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// adapterRights are the manifest's roles.
var adapterRights = []string{"ClusterRole/read", "ClusterRole/classes", "ClusterRole/write", "Role/lease"}

// grant applies the manifest and binds some of its roles to the user of adapter.kubeconfig, who is in no group and has no other right.
func (c *cluster) grant(rights ...string) error {
	_, err := c.kubectl("apply", "-f", "../../deploy/manifests/rbac.yaml")
	for _, right := range rights {
		if err != nil {
			break
		}
		kind, name, _ := strings.Cut(strings.ToLower(right), "/")
		_, err = c.kubectl("create", kind+"binding", "e2e-"+name, "--"+kind+"=setplan-adapter-"+name, "--user=setplan-adapter", "--namespace=kube-system")
	}
	return err
}

// permitted starts an adapter that has some of the manifest's roles and no other right.
func permitted(t *testing.T, c *cluster, rights []string, flags ...string) *process {
	t.Helper()
	noError(t, c.grant(rights...))
	adapter := must(startAdapter(t.TempDir(), "adapter", filepath.Join(c.dir, c.name, "adapter.kubeconfig"), shared.planner, flags...))(t)
	t.Cleanup(adapter.stop)
	return adapter
}

// used tells what the adapter did in a cluster. It was allowed to.
func (c *cluster) used(t *testing.T) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	for _, r := range must(c.adapterRequests(""))(t) {
		if r.User.Username != "setplan-adapter" || r.forbidden() {
			t.Errorf("%s %s by %s was forbidden, or is not by the adapter's user", r.what(), r.ObjectRef.Name, r.User.Username)
		}
		used[r.what()] = true
	}
	return used
}

// TestPermissions runs a set's whole life with the manifest's permissions and no others. None is missing, none is superfluous,
// and none is dangerous.
func TestPermissions(t *testing.T) {
	t.Parallel()
	c := ownCluster(t, "rbac", "off")
	permitted(t, c, adapterRights, "--own", "apps/v1")
	s := newScene(t, c)
	s.wholeLife()

	used := c.used(t)
	status := "patch statefulsets/status"
	if c.minor(t) == typesMinor {
		status = "update statefulsets/status"
	}
	// All of the manifest's permissions are used, except those on finalizers (for an admission plugin that is off here), list
	// (for API servers that do not stream lists), and one of those on the status.
	for _, given := range []string{
		"watch statefulsets", "get statefulsets", status,
		"watch controllerrevisions", "create controllerrevisions", "patch controllerrevisions", "delete controllerrevisions",
		"watch pods", "create pods", "patch pods", "delete pods",
		"watch persistentvolumeclaims", "create persistentvolumeclaims", "patch persistentvolumeclaims",
		"create events", "patch events", "create leases", "get leases", "update leases", "list leases",
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

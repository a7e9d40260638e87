//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
)

// TestDrainWithoutRole: with the manifests' permissions, but the role "drain" bound to nobody, no drain begins that could not
// end, and a block names the missing permission. With drain-namespace.yaml in the namespace it goes on by itself.
func TestDrainWithoutRole(t *testing.T) {
	t.Parallel()
	s := lab(t)
	s.applyRoles()
	for _, role := range []string{"read", "write"} {
		s.bind("setplan-adapter-" + role)
	}
	s.ownAdapter("limited", s.limitedConfig(), nil, unelected...)
	set := s.create(webSet("web", 2, drained(completes)))
	s.settled("web")
	s.scale("web", 1)
	s.warned(set.UID, "InvalidPolicy", "kubectl -n "+s.namespace+" apply -f deploy/manifests/drain-namespace.yaml")
	s.blocked("web", "INVALID_POLICY", "StatefulSet/web", "nothing is scaled down or drained")
	s.image("web", "registry.example/nginx:2") // the rest goes on
	eventually(t, 60*time.Second, "web-0 is replaced", func() error {
		if n := s.count("Pod", "+web-0"); n != 2 {
			return fmt.Errorf("it was made %d times", n)
		}
		return nil
	})
	s.claimsBecome("www-web-0 www-web-1")
	s.times("Pod", "-web-1", 0)
	manifest := s.mustRead("../../deploy/manifests/drain-namespace.yaml")
	before, after := "- kind: ServiceAccount\n    name: setplan-adapter\n    namespace: setplan-system", "- kind: User\n    name: "+s.user()
	bound := s.file("drain.yaml")
	noError(t, os.WriteFile(bound, []byte(strings.Replace(manifest, before, after, 1)), 0o600))
	s.kubectlApply(bound, "-n", s.namespace)
	s.claimsBecome("www-web-0")
	s.podsBecome("web-0")
	s.unbroken()
}

var applyingRoles sync.Mutex // tests on one control plane run side by side

// applyRoles applies the manifests' roles. Their bindings have no subject here.
func (s *scene) applyRoles() {
	s.Helper()
	applyingRoles.Lock()
	defer applyingRoles.Unlock()
	s.kubectlApply("../../deploy/manifests/rbac.yaml")
}

func (s *scene) kubectlApply(file string, args ...string) {
	s.Helper()
	must(s.kubectl(append([]string{"apply", "-f", file}, args...)...))(s)
}

// bind gives the scene's user a role in the scene's namespace.
func (s *scene) bind(role string) {
	s.Helper()
	must(s.client.RbacV1().RoleBindings(s.namespace).Create(context.Background(), &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: role},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
		Subjects:   []rbacv1.Subject{{Kind: "User", APIGroup: rbacv1.GroupName, Name: s.user()}},
	}, metav1.CreateOptions{}))(s)
}

// limitedConfig makes a kubeconfig of the scene's user without the group that may do everything.
func (s *scene) limitedConfig() string {
	s.Helper()
	path := s.adapterConfig("limited", "")
	config := must(clientcmd.LoadFromFile(path))(s)
	config.AuthInfos["u"].ImpersonateGroups = nil
	noError(s, clientcmd.WriteToFile(*config, path))
	return path
}

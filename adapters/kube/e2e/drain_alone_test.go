//go:build e2e

package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
)

// drainRole binds the role of the manifest that a drain needs besides those of rbacUser.
const drainRole = `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: e2e-drain}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: setplan-adapter-drain}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: setplan-adapter}]
`

// TestDrainAlone: beside the built-in controller, with the permissions of the manifests and no others; the original
// controller's own manifests lacked some (its bug 11).
func TestDrainAlone(t *testing.T) {
	t.Parallel()
	c := ownCluster(t, "drain", "on")
	bindings := filepath.Join(t.TempDir(), "bindings.yaml")
	if err := os.WriteFile(bindings, []byte(rbacUser+drainRole), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"../../../deploy/manifests/rbac.yaml", bindings} {
		if _, err := c.kubectl("apply", "-f", file); err != nil {
			t.Fatal(err)
		}
	}
	adapter, err := startAdapter(t.TempDir(), "adapter", filepath.Join(c.dir, c.name, "adapter.kubeconfig"), shared.planner,
		"--mode", "drain", "--leader-elect-namespace", "setplan-system")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(adapter.stop)
	for name, test := range map[string]func(*testing.T, *scene){
		"scale down": aloneScaleDown, "two ordinals": aloneTwoOrdinals, "scale up": aloneScaleUp, "not allowed": aloneNotAllowed,
		"leftovers": aloneLeftovers, "set deleted": aloneSetDeleted, "foreground": aloneForeground,
	} {
		t.Run(name, func(t *testing.T) { test(t, newScene(t, c)) })
	}
	requests, err := c.adapterRequests("")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range requests {
		if r.forbidden() {
			t.Errorf("%s %s was forbidden", r.what(), r.ObjectRef.Name)
		}
		if what := r.what(); strings.Contains(what, "statefulsets/status") || strings.HasSuffix(what, "controllerrevisions") && !r.reads() {
			t.Errorf("%s is not ours beside the built-in controller", what)
		}
	}
	t.Run("killed", func(t *testing.T) { adapter.stop(); aloneKilled(t, c) })
}

func aloneScaleDown(t *testing.T, s *scene) {
	set := s.create(webSet("web", 3, drained(completes)))
	s.settled("web")
	s.marked("www-web-2", set)
	s.scale("web", 2)
	s.claimsBecome("www-web-0 www-web-1")
	s.podsBecome("web-0 web-1")
	s.settled("web")
	s.inOrder(podsAndClaims, "gone web-2", "+web-2", "-www-web-2", "gone web-2")
	s.scale("web", 3)
	s.settled("web")
	s.times("PersistentVolumeClaim", "+www-web-2", 2)
	s.unbroken()
}

// aloneTwoOrdinals: the built-in controller deletes the next replica while a drain runs. The drains keep the order.
func aloneTwoOrdinals(t *testing.T, s *scene) {
	set := s.create(webSet("web", 3, drained(idle)))
	s.settled("web")
	s.marked("www-web-1", set)
	s.marked("www-web-2", set)
	s.scale("web", 1)
	s.draining("web-2")
	eventually(s, 60*time.Second, "the built-in controller takes web-1 away", func() error { return s.absent("web-1") })
	s.stays(time.Second, "web-1, which waits", func() error { return s.absent("web-1") })
	s.succeed("web-2")
	s.draining("web-1")
	s.succeed("web-1")
	s.claimsBecome("www-web-0")
	s.podsBecome("web-0")
	s.inOrder(podsAndClaims, "-www-web-2", "-www-web-1")
	s.unbroken()
}

// aloneScaleUp: the drain pod's name keeps the built-in controller from making the replica on data that is on its way.
func aloneScaleUp(t *testing.T, s *scene) {
	set := s.create(webSet("web", 2, drained(idle)))
	s.settled("web")
	s.marked("www-web-1", set)
	uid := s.claim("www-web-1").UID
	s.scale("web", 1)
	s.draining("web-1")
	s.scale("web", 2)
	s.stays(2*time.Second, "the drain pod", func() error { s.draining("web-1"); return nil })
	s.succeed("web-1")
	s.replicaOf("web-1")
	s.settled("web")
	if s.claim("www-web-1").UID == uid {
		t.Error("it has its earlier claim")
	}
	s.annotateSet("web", adapters.AnnotationDrainScaleUp, "Cancel")
	uid = s.claim("www-web-1").UID
	s.marked("www-web-1", set)
	s.scale("web", 1)
	s.draining("web-1")
	s.scale("web", 2)
	s.replicaOf("web-1")
	s.settled("web")
	if s.claim("www-web-1").UID != uid {
		t.Error("it has another claim")
	}
}

// aloneNotAllowed: under whenScaled Delete the claim would be deleted under the drain.
func aloneNotAllowed(t *testing.T, s *scene) {
	set := s.create(webSet("web", 2, drained(completes), retention(retain, remove)))
	s.settled("web")
	s.warned(set.UID, "InvalidPolicy", "whenScaled is Delete")
}

func aloneLeftovers(t *testing.T, s *scene) {
	s.create(webSet("web", 2))
	s.settled("web")
	s.scale("web", 1)
	s.settled("web")
	s.annotateSet("web", adapters.AnnotationDrainTemplate, drainTemplate(completes))
	s.claimsStay(2*time.Second, "www-web-0 www-web-1")
	s.annotateSet("web", adapters.AnnotationDrainLeftovers, "true")
	s.claimsBecome("www-web-0")
	s.podsBecome("web-0")
}

// aloneSetDeleted: the built-in controller ignores a set that is being deleted, and the garbage collector leaves its pods
// alone as long as it is there; so the replicas are ours.
func aloneSetDeleted(t *testing.T, s *scene) { aloneDeleted(s, metav1.DeletePropagationBackground) }

func aloneForeground(t *testing.T, s *scene) { aloneDeleted(s, metav1.DeletePropagationForeground) }

func aloneDeleted(s *scene, propagation metav1.DeletionPropagation) {
	set := s.create(webSet("web", 2, drained(completes, adapters.AnnotationDrainOnDelete+"=true")))
	s.settled("web")
	s.marked("www-web-1", set)
	s.finalizerBecomes("web", finalizerDrain)
	s.deleteSet("web", propagation)
	s.setGone("web")
	s.claimsBecome("")
	s.podsBecome("")
	s.inOrder(podsAndClaims, "-www-web-1", "-www-web-0")
	s.unbroken()
}

// aloneKilled: between the deletion of the claim and that of the drain pod, and before it.
func aloneKilled(t *testing.T, c *cluster) {
	drainer := []string{"--mode", "drain", "--leader-elect=false"}
	for name, fits := range map[string]func(call) bool{
		"drain pod": atPath(http.MethodPost, "pods"), "claim": atPath(http.MethodDelete, "persistentvolumeclaims"), "pod": atPath(http.MethodDelete, "pods"),
	} {
		for when, done := range map[string]bool{"before": false, "after": true} {
			t.Run(name+" "+when, func(t *testing.T) {
				s := newScene(t, c)
				p := newProxy(t, s.config)
				config := s.adapterConfig("proxied", p.URL)
				a := s.ownAdapter("first", config, nil, drainer...)
				set := s.create(webSet("web", 2, drained(completes)))
				s.settled("web")
				s.marked("www-web-1", set)
				f := p.freeze(0, done, fits)
				s.scale("web", 1)
				f.wait(s)
				a.kill()
				p.set(nil)
				s.ownAdapter("second", config, nil, drainer...)
				s.claimsBecome("www-web-0")
				s.podsBecome("web-0")
				s.times("Pod", "+web-1", 2)
				s.unbroken()
			})
		}
	}
}

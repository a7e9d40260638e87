//go:build e2e

package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// withLogs gives a set a second claim template, which its container mounts.
func withLogs(set *appsv1.StatefulSet) {
	logs := *set.Spec.VolumeClaimTemplates[0].DeepCopy()
	logs.Name = "logs"
	set.Spec.VolumeClaimTemplates = append(set.Spec.VolumeClaimTemplates, logs)
	container := &set.Spec.Template.Spec.Containers[0]
	container.VolumeMounts = append(container.VolumeMounts, corev1.VolumeMount{Name: "logs", MountPath: "/logs"})
}

// withoutLogs is a patch that removes that claim template, and its mount.
const withoutLogs = `{"metadata":{"annotations":{"setplan.io/claim-templates":"{\"logs\":null}"}},` +
	`"spec":{"updateStrategy":{"rollingUpdate":{"partition":%d}},"template":{"spec":{"containers":[{"name":"nginx","volumeMounts":[{"$patch":"delete","mountPath":"/logs"}]}]}}}}`

// claimsOfPods says which claims the pods of web have: "logs+www www".
func (s *scene) claimsOfPods(pods int) string {
	s.Helper()
	var all []string
	for i := range pods {
		var claims []string
		for _, volume := range s.pod(fmt.Sprintf("web-%d", i)).Spec.Volumes {
			if volume.PersistentVolumeClaim != nil {
				claims = append(claims, volume.Name)
			}
		}
		all = append(all, strings.Join(claims, "+"))
	}
	return strings.Join(all, " ")
}

func (s *scene) podsHave(want string) {
	s.Helper()
	if got := s.claimsOfPods(len(strings.Fields(want))); got != want {
		s.Errorf("the pods have the claims %s, want %s", got, want)
	}
}

// logsClaims are the claims of the removed template, by name.
func (s *scene) logsClaims(pods int) map[string]types.UID {
	s.Helper()
	claims := map[string]types.UID{}
	for i := range pods {
		claim := s.claim(fmt.Sprintf("logs-web-%d", i))
		claims[claim.Name] = claim.UID
	}
	return claims
}

// TestClaimTemplateRemoved: a removed template rolls the pods in order, a pod below the partition comes back with its claims, the claims stay, and
// kubectl rollout undo finds them again. The API server judges each pod.
func TestClaimTemplateRemoved(t *testing.T) {
	t.Parallel()
	s := lab(t)
	s.ownAdapter("setplan", s.adapterConfig("direct", ""), nil, unelected...)
	s.create(webSet("web", 3, withLogs))
	s.settled("web")
	claims := s.logsClaims(3)
	s.annotateSet("web", claimTemplates, `{"logs":null}`)
	s.blocked("web", "INVALID_POLICY", "StatefulSet/web", "mounts its volume")
	pods := s.podUIDs()
	s.patch("web", fmt.Sprintf(withoutLogs, 1))
	s.partly("web", 2)
	s.podsHave("www+logs www www")
	if now := s.podUIDs(); now["web-0"] != pods["web-0"] {
		t.Error("web-0 is below the partition, and was recreated")
	}
	s.deletePod("web-0")
	eventually(s, time.Minute, "web-0 comes back", func() error {
		if now := s.podUIDs()["web-0"]; now == "" || now == pods["web-0"] {
			return fmt.Errorf("it has the uid %q", now)
		}
		return nil
	})
	s.partly("web", 2)
	s.podsHave("www+logs www www")
	s.patch("web", fmt.Sprintf(withoutLogs, 0))
	s.settled("web")
	s.podsHave("www www www")
	s.scale("web", 4)
	s.settled("web")
	s.podsHave("www www www www")
	if err := s.claimExists("logs-web-3"); err == nil {
		t.Error("a claim of the removed template was made")
	}
	for name, uid := range claims {
		if err := s.sameClaim(name, uid); err != nil {
			t.Error(err)
		}
	}
	if !isOwn() {
		s.mustKubectl("rollout", "undo", "statefulset/web")
		s.settled("web")
		s.podsHave("www+logs www+logs www+logs www+logs")
		for name, uid := range claims {
			if err := s.sameClaim(name, uid); err != nil {
				t.Error(err)
			}
		}
	}
	s.unbrokenSince(0, "web-0: pod 0 is below the partition") // the test deletes it
}

// TestClaimTemplateRemovedKilled: the adapter is killed at each kind of write by which pods lose a claim template, before or after the API server
// carries it out. A new one goes on: each pod is recreated once, and no claim is touched.
func TestClaimTemplateRemovedKilled(t *testing.T) {
	t.Parallel()
	writes := map[string]func(call) bool{
		"revision": atPath(http.MethodPost, "controllerrevisions"),
		"delete":   atPath(http.MethodDelete, "pods"),
		"create":   atPath(http.MethodPost, "pods"),
		"status":   statusOfWeb,
	}
	for write, fits := range writes {
		for when, done := range map[string]bool{"before": false, "after": true} {
			t.Run(write+" "+when, func(t *testing.T) {
				t.Parallel()
				s := lab(t)
				p := newProxy(t, s.config)
				config := s.adapterConfig("proxied", p.URL)
				a := s.ownAdapter("first", config, nil, unelected...)
				s.create(webSet("web", 2, withLogs))
				s.settled("web")
				claims := s.logsClaims(2)
				f := p.freeze(0, done, fits)
				s.patch("web", fmt.Sprintf(withoutLogs, 0))
				frozen := f.wait(s)
				a.kill()
				t.Logf("killed at %s", frozen.what())
				p.set(nil)
				s.ownAdapter("second", config, nil, unelected...)
				s.settled("web")
				s.podsHave("www www")
				s.unbroken()
				p.preconditions(t)
				for i := range 2 {
					if got := s.count("Pod", fmt.Sprintf("+web-%d", i)); got != 2 {
						t.Errorf("web-%d was created %d times", i, got)
					}
				}
				for name, uid := range claims {
					if err := s.sameClaim(name, uid); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
}

//go:build e2e

package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// wal is the annotation that adds a claim template, with an amount of storage.
const wal = `{"wal":{"metadata":{"labels":{"tier":"log"}},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"%s"}}}}}`

// mountsWal is a patch of the pod template, with the partition. The second one takes that back.
const (
	mountsWal = `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":%d}},"template":{"spec":{"containers":[{"name":"nginx","volumeMounts":[{"name":"wal","mountPath":"/wal"}]}],"volumes":[{"name":"wal","persistentVolumeClaim":{"claimName":"wal"}}]}}}}`
	noWal     = `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":%d}},"template":{"spec":{"containers":[{"name":"nginx","volumeMounts":[{"$patch":"delete","mountPath":"/wal"}]}],"volumes":[{"$patch":"delete","name":"wal"}]}}}}`
)

// walClaims are the claims of the added template that exist, by name.
func (s *scene) walClaims() map[string]types.UID {
	s.Helper()
	claims := map[string]types.UID{}
	for _, name := range strings.Fields(s.claimNames()) {
		if strings.HasPrefix(name, "wal-") {
			claims[name] = s.claim(name).UID
		}
	}
	return claims
}

// comesBack deletes a pod and waits for another one of its name.
func (s *scene) comesBack(name string) {
	s.Helper()
	was := s.podUIDs()[name]
	s.deletePod(name)
	eventually(s, time.Minute, name+" comes back", func() error {
		if now := s.podUIDs()[name]; now == "" || now == was {
			return fmt.Errorf("it has the uid %q", now)
		}
		return nil
	})
}

// TestClaimTemplateAdded: an added template rolls the pods that ask for it in order, a pod below the partition comes back without it, another size rolls
// nothing, and a pod of a revision that has it comes back with it after it has gone from the set. The API server judges each pod and each claim.
func TestClaimTemplateAdded(t *testing.T) {
	t.Parallel()
	s := lab(t)
	s.ownAdapter("setplan", s.adapterConfig("direct", ""), nil, unelected...)
	s.create(webSet("web", 3))
	s.settled("web")
	pods := s.podUIDs()
	s.annotateSet("web", claimTemplates, `{"wal":{"spec":{"accessModes":["ReadWriteOnce"]}}}`)
	s.blocked("web", "INVALID_POLICY", "StatefulSet/web", "spec.resources.requests.storage")
	s.annotateSet("web", claimTemplates, fmt.Sprintf(wal, "1Gi"))
	s.settled("web")
	if now := s.podUIDs(); now["web-2"] != pods["web-2"] || len(s.walClaims()) > 0 {
		t.Errorf("the claim template alone has changed something: %v, %v", now, s.walClaims())
	}
	s.patch("web", fmt.Sprintf(mountsWal, 1))
	s.partly("web", 2)
	s.podsHave("www www+wal www+wal")
	if now := s.podUIDs(); now["web-0"] != pods["web-0"] {
		t.Error("web-0 is below the partition, and was recreated")
	}
	s.comesBack("web-0")
	s.partly("web", 2)
	s.podsHave("www www+wal www+wal")
	s.patch("web", fmt.Sprintf(mountsWal, 0))
	s.settled("web")
	s.podsHave("www+wal www+wal www+wal")
	claims, pods := s.walClaims(), s.podUIDs()
	if claim := s.claim("wal-web-0"); claim.Labels["tier"] != "log" || claim.Labels["app"] == "" || len(claims) != 3 {
		t.Errorf("claims %v, and wal-web-0 has the labels %v", claims, claim.Labels)
	}

	s.annotateSet("web", claimTemplates, fmt.Sprintf(wal, "2Gi"))
	for _, name := range []string{"wal-web-2", "wal-web-1", "wal-web-0"} {
		eventually(s, time.Minute, name+" asks for more", func() error {
			if asks := s.claim(name).Spec.Resources.Requests[corev1.ResourceStorage]; asks.String() != "2Gi" {
				return fmt.Errorf("it asks for %s", asks.String())
			}
			return nil
		})
		s.grown(name, "2Gi")
	}
	s.settled("web")
	if now := s.podUIDs(); now["web-0"] != pods["web-0"] || now["web-2"] != pods["web-2"] {
		t.Error("another size has recreated pods")
	}

	s.annotateSet("web", claimTemplates, "")
	s.blocked("web", "INVALID_POLICY", "StatefulSet/web", "has its volume")
	s.patch("web", fmt.Sprintf(noWal, 1))
	s.partly("web", 2)
	s.podsHave("www+wal www www")
	s.comesBack("web-0")
	s.partly("web", 2)
	s.podsHave("www+wal www www")
	s.patch("web", fmt.Sprintf(noWal, 0))
	s.settled("web")
	s.podsHave("www www www")
	if !isOwn() {
		s.mustKubectl("rollout", "undo", "statefulset/web")
		s.blocked("web", "INVALID_POLICY", "StatefulSet/web", "has its volume")
		s.annotateSet("web", claimTemplates, fmt.Sprintf(wal, "2Gi"))
		s.settled("web")
		s.podsHave("www+wal www+wal www+wal")
	}
	for name, uid := range claims {
		if err := s.sameClaim(name, uid); err != nil {
			t.Error(err)
		}
	}
	s.unbrokenSince(0, "web-0: pod 0 is below the partition") // the test deletes it
}

// TestClaimTemplateAddedKilled: the adapter is killed at each kind of write by which pods get an added claim template, before or after the API server
// carries it out. A new one goes on: each pod is recreated once, and each claim made once.
func TestClaimTemplateAddedKilled(t *testing.T) {
	t.Parallel()
	writes := map[string]func(call) bool{
		"revision": atPath(http.MethodPost, "controllerrevisions"),
		"delete":   atPath(http.MethodDelete, "pods"),
		"claim":    atPath(http.MethodPost, "persistentvolumeclaims"),
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
				s.create(webSet("web", 2))
				s.settled("web")
				s.annotateSet("web", claimTemplates, fmt.Sprintf(wal, "1Gi"))
				f := p.freeze(0, done, fits)
				s.patch("web", fmt.Sprintf(mountsWal, 0))
				frozen := f.wait(s)
				a.kill()
				t.Logf("killed at %s", frozen.what())
				p.set(nil)
				s.ownAdapter("second", config, nil, unelected...)
				s.settled("web")
				s.podsHave("www+wal www+wal")
				s.unbroken()
				p.preconditions(t)
				for i := range 2 {
					if got := s.count("Pod", fmt.Sprintf("+web-%d", i)); got != 2 {
						t.Errorf("web-%d was created %d times", i, got)
					}
					if got := s.count("PersistentVolumeClaim", fmt.Sprintf("+wal-web-%d", i)); got != 1 {
						t.Errorf("wal-web-%d was created %d times", i, got)
					}
				}
			})
		}
	}
}

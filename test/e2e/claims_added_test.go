//go:build e2e

package e2e

import (
	"fmt"
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

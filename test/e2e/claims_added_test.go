//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// wal is the annotation that adds a claim template, with an amount of storage.
const wal = `{"wal":{"metadata":{"labels":{"tier":"log"}},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"%s"}}}}}`

// mountsWal is a patch of the pod template. The second one takes that back.
const (
	mountsWal = `{"spec":{"template":{"spec":{"containers":[{"name":"nginx","volumeMounts":[{"name":"wal","mountPath":"/wal"}]}],"volumes":[{"name":"wal","persistentVolumeClaim":{"claimName":"wal"}}]}}}}`
	noWal     = `{"spec":{"template":{"spec":{"containers":[{"name":"nginx","volumeMounts":[{"$patch":"delete","mountPath":"/wal"}]}],"volumes":[{"$patch":"delete","name":"wal"}]}}}}`
)

// TestClaimTemplateAdded: an added template reaches the pods with the edit that mounts it, and goes with the one that does not. kubectl rollout undo brings
// back a pod template whose claim template has gone from the set: pods have the claims of their revision. The API server judges each pod and each claim.
func TestClaimTemplateAdded(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2))
	s.settled("web")
	s.annotateSet("web", claimTemplates, fmt.Sprintf(wal, "1Gi"))
	s.patch("web", mountsWal)
	s.settled("web")
	s.podsHave("www+wal www+wal")
	claim := s.claim("wal-web-0")
	if claim.Labels["tier"] != "log" || claim.Labels["app"] == "" {
		t.Errorf("wal-web-0 has the labels %v", claim.Labels)
	}
	s.annotateSet("web", claimTemplates, "")
	s.blocked("web", "INVALID_POLICY", "StatefulSet/web", "has its volume")
	s.patch("web", noWal)
	s.settled("web")
	s.podsHave("www www")
	if !isOwn() {
		s.mustKubectl("rollout", "undo", "statefulset/web")
		s.blocked("web", "INVALID_POLICY", "StatefulSet/web", "has its volume")
		s.settled("web")
		s.podsHave("www+wal www+wal")
	}
	if err := s.sameClaim("wal-web-0", claim.UID); err != nil {
		t.Error(err)
	}
	s.unbroken()
}

// podsHave checks which claims the pods of web have: "logs+www www".
func (s *scene) podsHave(want string) {
	s.Helper()
	var all []string
	for i := range strings.Fields(want) {
		var claims []string
		for _, volume := range s.pod(fmt.Sprintf("web-%d", i)).Spec.Volumes {
			if volume.PersistentVolumeClaim != nil {
				claims = append(claims, volume.Name)
			}
		}
		all = append(all, strings.Join(claims, "+"))
	}
	if got := strings.Join(all, " "); got != want {
		s.Errorf("the pods have the claims %s, want %s", got, want)
	}
}

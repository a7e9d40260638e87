//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const claimTemplates = "setplan.io/claim-templates"

// storage is what claims of pods ask for and have, by ordinal: "1Gi/1Gi 2Gi/1Gi".
func (s *scene) storage(pods int) string {
	s.Helper()
	var all []string
	for i := range pods {
		claim := s.claim(fmt.Sprintf("www-web-%d", i))
		all = append(all, claim.Spec.Resources.Requests.Storage().String()+"/"+claim.Status.Capacity.Storage().String())
	}
	return strings.Join(all, " ")
}

func (s *scene) storageBecomes(want string) {
	s.Helper()
	eventually(s, 30*time.Second, "claims have "+want, func() error {
		if got := s.storage(len(strings.Fields(want))); got != want {
			return fmt.Errorf("they have %s", got)
		}
		return nil
	})
}

// resizes is what the program of a provider writes of a claim: the local control plane has none.
func (s *scene) resizes(claim, status string) {
	s.Helper()
	must(s.client.CoreV1().PersistentVolumeClaims(s.namespace).Patch(context.Background(), claim,
		types.MergePatchType, []byte(`{"status":`+status+`}`), metav1.PatchOptions{}, "status"))(s)
}

func (s *scene) grown(claim, size string) {
	s.Helper()
	s.resizes(claim, `{"capacity":{"storage":"`+size+`"},"conditions":null,"allocatedResources":null,"allocatedResourceStatuses":null}`)
}

func asksFor(size string) string {
	return `{"www":{"spec":{"resources":{"requests":{"storage":"` + size + `"}}}}}`
}

// TestClaimsGrow: claims of pods that never start ask for more, one first and then the others; no pod is touched, and a new one gets a
// claim of the new size. The API server judges each request.
func TestClaimsGrow(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, parallel))
	s.settled("web")
	pods := s.podUIDs()
	s.podStatus("web-0", `{"status":{"conditions":[{"type":"Ready","status":"False"}]}}`)
	s.annotateSet("web", claimTemplates, asksFor("2Gi"))
	s.storageBecomes("1Gi/1Gi 1Gi/1Gi 2Gi/1Gi")
	s.blocked("web", "CLAIM_CHANGES", "PersistentVolumeClaim/www-web-2", "from 1Gi to 2Gi")
	s.blocked("web", "CLAIM_CHANGE_WAITS", "PersistentVolumeClaim/www-web-1", "claim www-web-2 is changed first")
	s.stays(time.Second, "one claim alone", func() error {
		if got := s.storage(3); got != "1Gi/1Gi 1Gi/1Gi 2Gi/1Gi" {
			return fmt.Errorf("they have %s", got)
		}
		return nil
	})
	s.grown("www-web-2", "2Gi")
	s.storageBecomes("2Gi/1Gi 2Gi/1Gi 2Gi/2Gi")
	s.grown("www-web-0", "2Gi")
	s.grown("www-web-1", "2Gi")
	s.samePods(pods)
	s.podStatus("web-0", `{"status":{"conditions":[{"type":"Ready","status":"True"}]}}`)
	s.scale("web", 4)
	s.settled("web")
	if got := s.claim("www-web-3").Spec.Resources.Requests.Storage().String(); got != "2Gi" {
		t.Errorf("the new claim asks for %s", got)
	}
	s.unbroken()
}

// TestClaimsGrowFails: what is asked for fails at the provider; less is asked for, which the API server takes for what failed, and then the
// others follow. What is there already does not shrink.
func TestClaimsGrowFails(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2))
	s.settled("web")
	pods := s.podUIDs()
	s.annotateSet("web", claimTemplates, asksFor("10Gi"))
	s.storageBecomes("1Gi/1Gi 10Gi/1Gi")
	s.resizes("www-web-1", `{"conditions":[{"type":"ControllerResizeError","status":"True","message":"no room"}]}`)
	s.blocked("web", "CLAIM_CHANGE_FAILED", "PersistentVolumeClaim/www-web-1", "no room")
	s.annotateSet("web", claimTemplates, asksFor("5Gi"))
	s.storageBecomes("1Gi/1Gi 5Gi/1Gi")
	s.grown("www-web-1", "5Gi")
	s.storageBecomes("5Gi/1Gi 5Gi/5Gi")
	s.grown("www-web-0", "5Gi")
	s.annotateSet("web", claimTemplates, asksFor("2Gi"))
	s.blocked("web", "CLAIM_SHRINKS", "PersistentVolumeClaim/www-web-1", "5Gi")
	s.storageBecomes("5Gi/5Gi 5Gi/5Gi")
	s.samePods(pods)
	s.unbroken()
}

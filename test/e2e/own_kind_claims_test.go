//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestClaimTemplatesField: in our own kind the field itself is edited. Claims follow it, no pod is touched, and the set can be moved to apps/v1 with it.
func TestClaimTemplatesField(t *testing.T) {
	t.Parallel()
	s := onManaged(t)
	newProvider(s)
	s.createUnder(ownSets, s.underKind(webSet("web", 2), ownKind, "StatefulSet"))
	s.ownSettled(ownSets, "web", "web-0 web-1")
	pods := s.podUIDs()
	const edit = `{"op":"replace","path":"/spec/volumeClaimTemplates/0/spec/resources/requests/storage","value":"2Gi"},
		{"op":"add","path":"/spec/volumeClaimTemplates/0/metadata/labels","value":{"tier":"gold"}}`
	if out, err := s.kubectl("-n", s.namespace, "patch", "ssts", "web", "--type", "json", "-p", "["+edit+"]"); err == nil || !strings.Contains(out+err.Error(), "with 'claimUpdatePolicy' set") {
		t.Errorf("without a policy: %v, %s", err, out)
	}
	s.own("patch", "ssts", "web", "--type", "json", "-p", `[{"op":"add","path":"/spec/claimUpdatePolicy","value":"InPlace"},`+edit+"]")
	s.storageBecomes("2Gi/2Gi 2Gi/2Gi")
	eventually(t, 30*time.Second, "the claims have the label", func() error {
		for _, name := range []string{"www-web-0", "www-web-1"} {
			if got := s.claim(name).Labels; got["tier"] != "gold" {
				return fmt.Errorf("%s has labels %v", name, got)
			}
		}
		return nil
	})
	s.samePods(pods)
	s.own("scale", "ssts/web", "--replicas", "3")
	s.ownSettled(ownSets, "web", "web-0 web-1 web-2")
	pods = s.podUIDs()
	if claim := s.claim("www-web-2"); claim.Spec.Resources.Requests.Storage().String() != "2Gi" || claim.Labels["tier"] != "gold" {
		t.Errorf("the new claim asks for %s and has labels %v", claim.Spec.Resources.Requests.Storage(), claim.Labels)
	}
	moved := s.mustSetplan("convert", "ssts/web", "-o", "yaml")
	for _, want := range []string{"storage: 2Gi", "setplan.io/claim-update-policy: InPlace"} {
		if !strings.Contains(moved, want) {
			t.Errorf("the set under apps/v1 has no %s:\n%s", want, moved)
		}
	}
	s.own("patch", "ssts", "web", "--type", "json", "-p", `[{"op":"replace","path":"/spec/volumeClaimTemplates/0/spec/resources/requests/storage","value":"1Gi"}]`)
	eventually(t, 30*time.Second, "it says that no volume shrinks", func() error {
		if said := s.mustSetplan("why", "ssts/web"); !strings.Contains(said, "CLAIM_SHRINKS") {
			return fmt.Errorf("it says %s", said)
		}
		return nil
	})
	s.storageBecomes("2Gi/2Gi 2Gi/2Gi 2Gi/2Gi")
	s.samePods(pods)
	s.unbroken()
}

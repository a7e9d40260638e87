//go:build e2e

package e2e

import (
	"fmt"
	"testing"
	"time"
)

// TestClaimsGrowInTrouble: claims change while an update is stuck at a bad pod, which has spent the budget, and while another pod cannot be made. One
// changes first, and then two at once, as the limit says; none changes again before the cool-down has passed. One that is bigger than its template is
// not touched, and nothing is said of it.
func TestClaimsGrowInTrouble(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	p := newProvider(s)
	s.create(webSet("web", 5, parallel, annotated("setplan.io/claim-update-limit", "2")))
	s.settled("web")
	s.patchClaim("www-web-0", `{"spec":{"resources":{"requests":{"storage":"10Gi"}}}}`)
	s.storageBecomes("10Gi/10Gi 1Gi/1Gi 1Gi/1Gi 1Gi/1Gi 1Gi/1Gi")
	bigger := s.claim("www-web-0").ResourceVersion
	s.image("web", broken)
	eventually(t, 60*time.Second, "web-4 is bad", func() error { return s.hasImage("web-4", broken) })
	s.quota(4)
	s.deletePod("web-3")
	s.blocked("web", "ACTION_FAILED_BEFORE", "Pod/web-3", "exceeded quota")
	pods := s.podUIDs()

	p.will(works)
	s.annotateSet("web", claimTemplates, asksFor("2Gi"))
	s.storageBecomes("10Gi/10Gi 1Gi/1Gi 1Gi/1Gi 1Gi/1Gi 2Gi/1Gi")
	s.blocked("web", "CLAIM_CHANGE_WAITS", "PersistentVolumeClaim/www-web-3", "claim www-web-4 is changed first", "2 more claims")
	p.will(gives, "www-web-4")
	s.storageBecomes("10Gi/10Gi 1Gi/1Gi 2Gi/1Gi 2Gi/1Gi 2Gi/2Gi")
	s.blocked("web", "CLAIM_CHANGE_WAITS", "PersistentVolumeClaim/www-web-1", "at most 2 claims change at once")
	p.will(gives, "www-web-3")
	s.storageBecomes("10Gi/10Gi 2Gi/1Gi 2Gi/1Gi 2Gi/2Gi 2Gi/2Gi")
	p.will(gives)
	s.storageBecomes("10Gi/10Gi 2Gi/2Gi 2Gi/2Gi 2Gi/2Gi 2Gi/2Gi")

	s.annotateSet("web", "setplan.io/claim-update-cooldown", "6h")
	s.patchClaim("www-web-4", fmt.Sprintf(`{"metadata":{"annotations":{"setplan.io/claim-changed":%q}}}`, time.Now().Add(-7*time.Hour).UTC().Format(time.RFC3339)))
	s.annotateSet("web", claimTemplates, asksFor("3Gi"))
	s.storageBecomes("10Gi/10Gi 2Gi/2Gi 2Gi/2Gi 2Gi/2Gi 3Gi/3Gi")
	cooling := "PersistentVolumeClaim/www-web-3"
	s.blocked("web", "CLAIM_CHANGE_WAITS", cooling, "claim-update-cooldown")
	said := false
	for _, r := range s.why("web").Reasons {
		if r.Subject == "PersistentVolumeClaim/www-web-0" {
			t.Errorf("it says of the bigger claim: %s", r.Message)
		}
		if r.Subject == cooling {
			until := time.Until(r.NotBefore)
			said = until > 5*time.Hour && until < 6*time.Hour
		}
	}
	if !said {
		t.Errorf("it does not say how long %s waits: %+v", cooling, s.why("web").Reasons)
	}
	s.storageBecomes("10Gi/10Gi 2Gi/2Gi 2Gi/2Gi 2Gi/2Gi 3Gi/3Gi")
	if now := s.claim("www-web-0").ResourceVersion; now != bigger {
		t.Errorf("the bigger claim was written to: %s, and was %s", now, bigger)
	}
	s.samePods(pods)
	// The test deletes web-3, and a quota keeps it from coming back.
	s.unbrokenSince(0, "web-3: 2 pods would be unavailable", "web: claim www-web-3, or its pod, is missing")
}

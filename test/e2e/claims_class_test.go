//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// classesBecome waits until the claims ask for these classes of attributes, by ordinal, and have these values of the label tier: "/ gold/silver".
func (s *scene) classesBecome(want string) {
	s.Helper()
	eventually(s, 30*time.Second, "the classes and tiers are "+want, func() error {
		var all []string
		for i := range strings.Fields(want) {
			claim := s.claim(fmt.Sprintf("www-web-%d", i))
			class := ""
			if claim.Spec.VolumeAttributesClassName != nil {
				class = *claim.Spec.VolumeAttributesClassName
			}
			all = append(all, class+"/"+claim.Labels["tier"])
		}
		if got := strings.Join(all, " "); got != want {
			return fmt.Errorf("they are %s", got)
		}
		return nil
	})
}

// inClass is a patch by which claims get a class, and a label with it.
func inClass(class, tier string) string {
	return fmt.Sprintf(`{"www":{"metadata":{"labels":{"tier":%q}},"spec":{"volumeAttributesClassName":%q}}}`, tier, class)
}

// TestClaimsGetAClass: a class that does not exist reaches one claim alone, and is corrected there. Labels do not wait for that. The API server judges
// each request.
func TestClaimsGetAClass(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, parallel))
	s.settled("web")
	pods := s.podUIDs()
	s.annotateSet("web", claimTemplates, inClass("godl", "gold"))
	s.classesBecome("/gold godl/gold")
	s.resizes("www-web-1", `{"modifyVolumeStatus":{"targetVolumeAttributesClassName":"godl","status":"Pending"}}`)
	s.blocked("web", "CLAIM_CHANGE_FAILED", "PersistentVolumeClaim/www-web-1", "class godl", "Pending")
	s.annotateSet("web", claimTemplates, inClass("gold", "silver"))
	s.classesBecome("/silver gold/silver")
	s.resizes("www-web-1", `{"currentVolumeAttributesClassName":"gold","modifyVolumeStatus":null}`)
	s.classesBecome("gold/silver gold/silver")
	s.samePods(pods)
	s.unbroken()
}

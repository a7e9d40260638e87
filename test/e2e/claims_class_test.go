//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// classes are those that claims of pods ask for and have, by ordinal: "gold/gold /".
func (s *scene) classes(pods int) string {
	s.Helper()
	var all []string
	for i := range pods {
		claim := s.claim(fmt.Sprintf("www-web-%d", i))
		all = append(all, *orEmpty(claim.Spec.VolumeAttributesClassName)+"/"+*orEmpty(claim.Status.CurrentVolumeAttributesClassName))
	}
	return strings.Join(all, " ")
}

func orEmpty(text *string) *string {
	if text == nil {
		return new("")
	}
	return text
}

// classesBecome waits until the claims ask for these classes and have them.
func (s *scene) classesBecome(want string) {
	s.Helper()
	eventually(s, 30*time.Second, "the classes are "+want, func() error {
		if got := s.classes(len(strings.Fields(want))); got != want {
			return fmt.Errorf("they are %s", got)
		}
		return nil
	})
}

// inClass is a patch by which claims get a class, and a label and an annotation with them.
func inClass(class, tier string) string {
	return fmt.Sprintf(`{"www":{"metadata":{"labels":{"tier":%q},"annotations":{"backup.example.com/plan":"daily"}},"spec":{"volumeAttributesClassName":%q}}}`, tier, class)
}

// tiersBecome waits until the claims have a label.
func (s *scene) tiersBecome(tier string, pods int) {
	s.Helper()
	eventually(s, 30*time.Second, "the claims are of tier "+tier, func() error {
		for i := range pods {
			claim := s.claim(fmt.Sprintf("www-web-%d", i))
			if claim.Labels["tier"] != tier || claim.Annotations["backup.example.com/plan"] != "daily" {
				return fmt.Errorf("%s has %v and %v", claim.Name, claim.Labels, claim.Annotations)
			}
		}
		return nil
	})
}

// TestClaimsGetAClass: a class that does not exist reaches one claim alone, and is corrected there. Labels and annotations do not wait for that. Claims of
// a set that is recreated with a bigger template follow the policy alone.
func TestClaimsGetAClass(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	p := newProvider(s)
	s.attributesClass("gold")
	s.create(webSet("web", 3, parallel))
	s.settled("web")
	pods := s.podUIDs()
	s.patchClaim("www-web-1", `{"metadata":{"labels":{"team":"a"}}}`)

	s.annotateSet("web", claimTemplates, inClass("godl", "gold"))
	s.blocked("web", "CLAIM_CHANGE_FAILED", "PersistentVolumeClaim/www-web-2", "class godl", "Pending")
	s.blocked("web", "CLAIM_CHANGE_WAITS", "PersistentVolumeClaim/www-web-1", "claim www-web-2 has failed")
	s.tiersBecome("gold", 3)
	s.classesBecome("/ / godl/")

	p.will(works)
	s.annotateSet("web", claimTemplates, inClass("gold", "gold"))
	s.blocked("web", "CLAIM_CHANGES", "PersistentVolumeClaim/www-web-2", "is changing to the volume attributes class gold")
	s.blocked("web", "CLAIM_CHANGE_WAITS", "PersistentVolumeClaim/www-web-1", "claim www-web-2 is changed first")
	s.classesBecome("/ / gold/")
	p.will(gives)
	s.classesBecome("gold/gold gold/gold gold/gold")
	s.annotateSet("web", claimTemplates, inClass("gold", "silver"))
	s.tiersBecome("silver", 3)
	if team := s.claim("www-web-1").Labels["team"]; team != "a" {
		t.Errorf("the label of somebody else is %q", team)
	}
	s.caughtUp(s)
	if got, want := s.claimChanges(3), "0/1/2 0/1/2 0/2/2"; got != want {
		t.Errorf("claims have changed %s times, want %s", got, want)
	}

	s.deleteSet("web", metav1.DeletePropagationOrphan)
	s.setGone("web")
	s.create(webSet("web", 3, parallel, annotated("setplan.io/claim-update-policy", "InPlace"), func(set *appsv1.StatefulSet) {
		set.Spec.VolumeClaimTemplates[0].Spec.Resources.Requests[corev1.ResourceStorage] = resource.MustParse("2Gi")
	}))
	s.storageBecomes("2Gi/2Gi 2Gi/2Gi 2Gi/2Gi")
	s.settled("web")
	s.samePods(pods)
	s.unbroken()
}

// claimChanges tells for each claim of the pods how often what it asks for has changed, its class, and the mark of its labels: "1/0/0 2/0/0".
func (s *scene) claimChanges(pods int) string {
	last, changes := map[string][3]string{}, map[string][3]int{}
	for _, c := range s.all() {
		if c.kind() != "PersistentVolumeClaim" {
			continue
		}
		var now [3]string
		for i, path := range []string{"spec resources requests storage", "spec volumeAttributesClassName", "metadata annotations setplan.io/claim-metadata"} {
			now[i], _, _ = unstructured.NestedString(c.object.Object, strings.Fields(path)...)
		}
		if before, known := last[c.name()]; known {
			n := changes[c.name()]
			for i := range now {
				if now[i] != before[i] {
					n[i]++
				}
			}
			changes[c.name()] = n
		}
		last[c.name()] = now
	}
	var all []string
	for i := range pods {
		n := changes[fmt.Sprintf("www-web-%d", i)]
		all = append(all, fmt.Sprintf("%d/%d/%d", n[0], n[1], n[2]))
	}
	return strings.Join(all, " ")
}

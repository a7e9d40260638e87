//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
)

// TestDrainKilled: the adapter is killed after each of its writes, while an ordinal is drained, and while the set is deleted and the rest of
// it is drained. The next adapter loses nothing and repeats nothing.
func TestDrainKilled(t *testing.T) {
	t.Parallel()
	s := lab(t)
	k := &eachWrite{scene: s, proxy: newProxy(t, s.config)}
	k.config = s.adapterConfig("proxied", k.proxy.URL)
	first := s.ownAdapter("first", k.config, nil, unelected...)
	s.create(webSet("web", 2, drained(completes, adapters.AnnotationDrainOnDelete+"=true"), twoClaims, retention(remove, remove)))
	s.settled("web")
	first.kill()
	s.scale("web", 1)
	k.until(func() error { return errors.Join(s.leaves("logs-web-0 www-web-0", "web-0"), s.isSettled("web")) })
	s.deleteSet("web", metav1.DeletePropagationForeground)
	k.until(func() error { return errors.Join(s.isGone("web"), s.leaves("", "")) })
	s.caughtUp(s)
	s.inOrder(everyKind, "gone web-1", "+web-1", "-www-web-1", "gone web-1", "-web", "gone web-0", "+web-0", "-www-web-0", "gone web-0", "gone web")
	for _, pod := range []string{"web-0", "web-1"} {
		s.times("Pod", "+"+pod, 2)
		for _, claim := range []string{"www-", "logs-"} {
			s.times("PersistentVolumeClaim", "-"+claim+pod, 1)
		}
	}
	s.unbroken()
	k.proxy.preconditions(t)
	// For each ordinal the end of its pod, a note and a beginning on each claim, the drain pod and its end, and the claims; the status, the finalizer.
	// That is 20 writes, but a kill may come after both claims, which are written side by side.
	if k.kills < 14 {
		t.Errorf("it was killed %d times, and there are at least 14 writes that wait for another", k.kills)
	}
}

// twoClaims gives each pod a second claim.
func twoClaims(set *appsv1.StatefulSet) {
	second := set.Spec.VolumeClaimTemplates[0].DeepCopy()
	second.Name = "logs"
	set.Spec.VolumeClaimTemplates = append(set.Spec.VolumeClaimTemplates, *second)
}

// leaves returns nil once exactly these claims and pods are left.
func (s *scene) leaves(claims, pods string) error {
	if got := s.claimNames() + ", " + s.podNames(); got != claims+", "+pods {
		return fmt.Errorf("they are %s", got)
	}
	return nil
}

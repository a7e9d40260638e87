//go:build e2e

package e2e

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
)

// TestDrainKilled: the adapter is killed after each of its writes, while an ordinal is drained, and while the set is deleted and all of it is
// drained. The next adapter loses nothing and repeats nothing.
func TestDrainKilled(t *testing.T) {
	t.Parallel()
	s := lab(t)
	k := &eachWrite{scene: s, proxy: newProxy(t, s.config)}
	k.config = s.adapterConfig("proxied", k.proxy.URL)
	s.create(webSet("web", 3, drained(completes, adapters.AnnotationDrainOnDelete+"=true"), twoClaims, retention(remove, remove)))
	k.settles()
	kills := k.kills
	s.scale("web", 2)
	k.until(s.leaves("logs-web-0 logs-web-1 www-web-0 www-web-1", "web-0 web-1"))
	k.settles()
	s.deleteSet("web", metav1.DeletePropagationForeground)
	k.until(func() error {
		if err := s.isGone("web"); err != nil {
			return err
		}
		return s.leaves("", "")()
	})
	s.caughtUp(s)
	s.inOrder(everyKind, "gone web-2", "+web-2", "-www-web-2", "gone web-2", "-web", "gone web-1", "+web-1", "-www-web-1", "gone web-1",
		"+web-0", "-www-web-0", "gone web-0", "gone web")
	for _, pod := range []string{"web-0", "web-1", "web-2"} {
		s.times("Pod", "+"+pod, 2)
		for _, claim := range []string{"www-", "logs-"} {
			s.times("PersistentVolumeClaim", "-"+claim+pod, 1)
		}
	}
	s.unbroken()
	k.proxy.preconditions(t)
	// For each ordinal a note, the drain pod, a claim and the end of the drain pod, and what is sent at once with those; one replica; the finalizer.
	if k.kills-kills < 14 {
		t.Errorf("it was killed %d times, there are more writes", k.kills-kills)
	}
	t.Logf("it was killed %d times", k.kills-kills)
}

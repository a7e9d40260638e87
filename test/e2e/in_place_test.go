//go:build e2e

package e2e

import (
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// TestInPlace: labels and annotations of a template reach pods that run on, also through kubectl rollout restart and back, and everything
// else takes other pods.
func TestInPlace(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	s.create(webSet("web", 3, annotated("setplan.io/in-place", "InPlaceOnly")))
	s.settled("web")
	then(born("web-0"), born("web-1"), born("web-2"))
	s.patchPod("web-1", `{"metadata":{"labels":{"theirs":"1"},"annotations":{"example.com/theirs":"1"}}}`)
	first := map[string]types.UID{}
	for _, name := range []string{"web-0", "web-1", "web-2"} {
		first[name] = s.pod(name).UID
	}
	each := func(what, labels string) {
		t.Helper()
		revision := s.settled("web").Status.UpdateRevision
		for name, uid := range first {
			pod := s.pod(name)
			got := fmt.Sprintf("%s %s %s", pod.Labels["tier"], pod.Annotations["plan"], pod.Annotations["zone"])
			if pod.UID != uid || got != labels || pod.Labels["controller-revision-hash"] != revision {
				t.Errorf("%s: %s has %q at %s, and is another pod: %v", what, name, got, pod.Labels["controller-revision-hash"], pod.UID != uid)
			}
		}
		if pod := s.pod("web-1"); pod.Labels["theirs"] != "1" || pod.Annotations["example.com/theirs"] != "1" {
			t.Errorf("%s: what others wrote is gone: %v %v", what, pod.Labels, pod.Annotations)
		}
	}
	s.patch("web", `{"spec":{"template":{"metadata":{"labels":{"tier":"gold"},"annotations":{"plan":"daily"}}}}}`)
	each("added", "gold daily ")
	s.patch("web", `{"spec":{"template":{"metadata":{"labels":{"tier":null},"annotations":{"plan":null,"zone":"a"}}}}}`)
	each("removed", "  a")

	s.patch("web", `{"spec":{"template":{"spec":{"containers":[{"name":"nginx","env":[{"name":"MODE","value":"fast"}]}]}}}}`)
	s.firstCause("web", "UPDATE_NOT_IN_PLACE", "Pod/web-2", "spec.containers[nginx].env")
	s.patch("web", `{"metadata":{"annotations":{"setplan.io/in-place":"InPlaceIfPossible"}}}`)
	then(replaced("web-2"), replaced("web-1"), replaced("web-0"))
	s.settled("web")
	s.patch("web", fmt.Sprintf(`{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":%q}}}}}`, time.Now().Format(time.RFC3339)))
	then(replaced("web-2"), replaced("web-1"), replaced("web-0"))
	s.settled("web")
	s.unbroken()
}

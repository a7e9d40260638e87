//go:build e2e

package e2e

import (
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// annotated gives a set an annotation.
func annotated(name, value string) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) { metav1.SetMetaDataAnnotation(&set.ObjectMeta, name, value) }
}

// TestLeaderLast: the leader is updated last, and one that is elected in the middle of the rollout becomes the last.
func TestLeaderLast(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	s.create(webSet("web", 3, withoutClaims, annotated("setplan.io/update-rank", "role=primary")))
	s.settled("web")
	then(born("web-0"), born("web-1"), born("web-2"))
	s.image("web", image2)
	s.firstCause("web", "LEADER_UNCLEAR", "StatefulSet/web", "no pod has the label role=primary")
	s.patchPod("web-2", `{"metadata":{"labels":{"role":"primary"}}}`)
	then(replaced("web-1"), replaced("web-0"), replaced("web-2"))
	s.settled("web")

	s.patchPod("web-1", `{"metadata":{"labels":{"role":"primary"}}}`)
	s.pin("web-2") // it goes, and is not gone until it is let go
	s.image("web", "registry.example/nginx:3")
	eventually(t, 60*time.Second, "web-2 goes", func() error { return s.terminating("web-2") })
	s.patchPod("web-1", `{"metadata":{"labels":{"role":"replica"}}}`)
	s.patchPod("web-0", `{"metadata":{"labels":{"role":"primary"}}}`)
	s.unpin("web-2")
	then(replaced("web-2"), replaced("web-1"), replaced("web-0"))
	s.settled("web")
	s.unbroken()
}

// TestGates: somebody agrees before each pod is updated, and before the update goes on.
func TestGates(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	agree := func(pod, gate string) {
		revision := s.get("web").Status.UpdateRevision
		s.patchPod(pod, fmt.Sprintf(`{"metadata":{"annotations":{"setplan.io/%s":%q}}}`, gate, revision))
	}
	s.create(webSet("web", 2, withoutClaims, annotated("setplan.io/before-update", "backup-agent"), annotated("setplan.io/after-update", "ring-check")))
	s.settled("web")
	then(born("web-0"), born("web-1"))
	s.image("web", image2)
	s.firstCause("web", "UPDATE_GATED", "Pod/web-1", "backup-agent")
	agree("web-1", "before-update")
	then(replaced("web-1"))
	s.firstCause("web", "UPDATE_GATED", "Pod/web-1", "ring-check")
	agree("web-1", "after-update")
	s.firstCause("web", "UPDATE_GATED", "Pod/web-0", "backup-agent")
	agree("web-0", "before-update")
	then(replaced("web-0"))
	s.settled("web")
	s.unbroken()
}

// TestScaleUpLimit: never more than two pods are starting.
func TestScaleUpLimit(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 7, parallel, withoutClaims, annotated("setplan.io/scale-up-limit", "2")))
	s.settled("web")
	s.caughtUp(s)
	starting := map[string]bool{}
	for _, c := range s.all() {
		if c.kind() != "Pod" {
			continue
		}
		if starting[c.name()] = !isReady(c.object); !starting[c.name()] {
			delete(starting, c.name())
		}
		if len(starting) > 2 {
			t.Fatalf("version %d: %d pods are starting: %v", c.version, len(starting), starting)
		}
	}
	s.unbroken()
}

// TestRecreatePod: a chosen pod is recreated once the set can spare it.
func TestRecreatePod(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, parallel))
	s.settled("web")
	uid := s.pod("web-1").UID
	s.pin("web-2")
	s.deletePod("web-2")
	eventually(t, 60*time.Second, "web-2 goes", func() error { return s.terminating("web-2") })
	s.patchPod("web-1", `{"metadata":{"annotations":{"setplan.io/recreate":"true"}}}`)
	eventually(t, 60*time.Second, "web-1 waits", func() error {
		for _, r := range s.why("web").Reasons {
			if r.Code == "RECREATE_WAITS" && r.Subject == "Pod/web-1" {
				return nil
			}
		}
		return fmt.Errorf("it says %+v", s.why("web"))
	})
	if s.pod("web-1").UID != uid {
		t.Error("web-1 was recreated while web-2 was gone")
	}
	s.unpin("web-2")
	eventually(t, 60*time.Second, "web-1 is another pod", func() error {
		if now, made := s.podUIDs()["web-1"]; !made || now == uid { // for a moment there is none
			return fmt.Errorf("it is the old one, or none")
		}
		return nil
	})
	s.settled("web")
	s.unbrokenSince(0, "web-2: pod 2 is at the update revision") // the test deletes it
}

//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

// The API keeps rollingUpdate null if a type is given and nothing else: it defaults the partition only if there is a
// rollingUpdate, or no type. Then the whole range is updated, and a lost pod is recreated at the current revision if its
// ordinal is among the first status.currentReplicas.
func TestNilRollingUpdate(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 4, withoutClaims, func(set *appsv1.StatefulSet) {
		set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.RollingUpdateStatefulSetStrategyType}
	}))
	first := s.settled("web")
	if got := first.Spec.UpdateStrategy.RollingUpdate; got != nil {
		t.Fatalf("the API stores rollingUpdate %+v, want none", got)
	}
	story := []string{born("web-0"), born("web-1"), born("web-2"), born("web-3")}

	// New pods are held, so that the update stops with web-3 at the new revision.
	s.patch("web", `{"spec":{"template":{"metadata":{"annotations":{"setplan.io/test-hold":"true"}},
		"spec":{"containers":[{"name":"nginx","image":"`+image2+`"}]}}}}`)
	story = append(story, gone("web-3"), "+web-3")
	s.reaches(story...)
	eventually(t, 60*time.Second, "three pods are counted as current", func() error {
		if st := s.get("web").Status; st.CurrentReplicas != 3 || st.UpdatedReplicas != 1 {
			return fmt.Errorf("status is %+v", st)
		}
		return nil
	})
	s.deletePod("web-1")
	story = append(story, replaced("web-1")) // at the old revision, which has no hold
	s.reaches(story...)
	s.wantImages("web", "nginx:1", "nginx:1", "nginx:1", "nginx:2")
	s.deletePod("web-3")
	story = append(story, gone("web-3"), "+web-3")
	s.reaches(story...)
	s.wantImages("web", "nginx:1", "nginx:1", "nginx:1", "nginx:2")

	s.release("web-3")
	story = append(story, "ready web-3")
	for _, name := range []string{"web-2", "web-1", "web-0"} {
		story = append(story, gone(name), "+"+name)
		s.reaches(story...)
		s.release(name)
		story = append(story, "ready "+name)
	}
	last := s.settled("web")
	s.wantPods(story...)
	if last.Status.CurrentRevision == first.Status.CurrentRevision || last.Spec.UpdateStrategy.RollingUpdate != nil {
		t.Errorf("strategy %+v, status %+v, want a complete update without rollingUpdate", last.Spec.UpdateStrategy, last.Status)
	}
}

// A null removes the partition in the middle of a canary, and the update completes.
func TestRollingUpdateSetToNull(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, withoutClaims, partition(2)))
	s.settled("web")
	s.image("web", image2)
	s.steady("web", 1)
	out := s.mustKubectl("patch", "statefulset", "web", "--type=merge",
		"-p", `{"spec":{"updateStrategy":{"rollingUpdate":null}}}`)
	if !strings.Contains(out, "patched") {
		t.Fatalf("kubectl patch says %q", out)
	}
	if got := s.settled("web").Spec.UpdateStrategy.RollingUpdate; got != nil {
		t.Errorf("the API stores rollingUpdate %+v, want none", got)
	}
	s.wantPods(born("web-0"), born("web-1"), born("web-2"), replaced("web-2"), replaced("web-1"), replaced("web-0"))
}

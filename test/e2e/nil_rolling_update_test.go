//go:build e2e

package e2e

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
)

// The API keeps rollingUpdate null if a type is given and nothing else: it defaults the partition only if there is a
// rollingUpdate, or no type. Then the whole range is updated.
func TestNilRollingUpdate(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, withoutClaims, func(set *appsv1.StatefulSet) {
		set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.RollingUpdateStatefulSetStrategyType}
	}))
	first := s.settled("web")
	s.image("web", image2)
	last := s.settled("web")
	if first.Spec.UpdateStrategy.RollingUpdate != nil || last.Spec.UpdateStrategy.RollingUpdate != nil {
		t.Errorf("the API stores rollingUpdate %+v, want none", last.Spec.UpdateStrategy.RollingUpdate)
	}
	s.wantPods(born("web-0"), born("web-1"), replaced("web-1"), replaced("web-0"))
	if last.Status.CurrentRevision == first.Status.CurrentRevision {
		t.Errorf("status %+v, want a complete update", last.Status)
	}
}

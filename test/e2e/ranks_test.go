//go:build e2e

package e2e

import (
	"fmt"
	"testing"
)

// TestRanks: pods are updated by the numbers in their labels. While two pods lead, or a label is no number, only a pod that is unavailable and has no
// rank is updated; one that is unavailable comes before the others; a leader below the partition stays.
func TestRanks(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	ranks := func(pod, rank string) {
		s.patchPod(pod, fmt.Sprintf(`{"metadata":{"labels":{"setplan.io/rank":%q}}}`, rank))
	}
	// The limit makes the story of a Parallel set one of one pod after the other.
	s.create(webSet("web", 4, parallel, withoutClaims, annotated("setplan.io/update-rank", "setplan.io/rank"), annotated("setplan.io/scale-up-limit", "1")))
	s.settled("web")
	then(born("web-0"), born("web-1"), born("web-2"), born("web-3"))

	ranks("web-1", "five")
	s.image("web", image2)
	s.firstCause("web", "LEADER_UNCLEAR", "StatefulSet/web", "label setplan.io/rank of pod web-1 is not a number")
	ranks("web-2", "1")
	ranks("web-3", "5")
	ranks("web-1", "5")
	s.firstCause("web", "LEADER_UNCLEAR", "StatefulSet/web", "pods web-1 and web-3 both lead by label setplan.io/rank")
	then()
	s.setReady("web-0", false)
	then("unready web-0", replaced("web-0"))
	s.setReady("web-1", false)
	then("unready web-1") // it may be the leader, and waits
	ranks("web-1", "2")
	then(replaced("web-1"), replaced("web-2"), replaced("web-3"))
	s.settled("web")

	// These are numbers: as texts, 9 would be more than 10.
	ranks("web-3", "9")
	ranks("web-0", "10")
	s.patch("web", `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":1}},"template":{"spec":{"containers":[{"name":"nginx","image":"registry.example/nginx:3"}]}}}}`)
	then(replaced("web-2"), replaced("web-1"), replaced("web-3"))
	s.steady("web", 3)
	s.wantImages("web", "nginx:2", "nginx:3", "nginx:3", "nginx:3")
	s.unbroken()
}

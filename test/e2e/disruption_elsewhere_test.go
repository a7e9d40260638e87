//go:build e2e

package e2e

import (
	"errors"
	"net/http"
	"testing"
	"time"
)

// TestDisruptionBudgetElsewhere: a spent budget holds in a scale-down and in the recreation of a chosen pod, as in an update. Each says which budget it
// is, and goes on once the budget allows more. What is not ready costs none of it: a pod that is repaired, and one outside the range. But if that one
// becomes ready while its deletion is on the way, the API server refuses the deletion, and the pod is evicted like any other.
func TestDisruptionBudgetElsewhere(t *testing.T) {
	t.Parallel()
	s := lab(t)
	p := newProxy(t, s.config)
	a := s.ownAdapter("evicts", s.adapterConfig("proxied", p.URL), nil, unelected...)
	for name, replicas := range map[string]int32{"bad": 2, "chosen": 2, "down": 3} {
		s.create(webSet(name, replicas, parallel, withoutClaims, guarded, respectsBudgets))
	}
	for _, name := range []string{"bad", "chosen", "down"} {
		s.settled(name)
	}
	s.image("bad", broken)
	eventually(t, 60*time.Second, "bad-1 is at the broken template", func() error { return s.hasImage("bad-1", broken) })
	s.observed("bad")
	s.guard(7) // all that there are
	before := s.podUIDs()

	s.patch("bad", `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":2}}}}`)
	s.setReady("down-2", false)
	held, letGo := p.hold(atPath(http.MethodDelete, "pods/down-2"))
	s.patchPod("chosen-0", `{"metadata":{"annotations":{"setplan.io/recreate":"true"}}}`)
	s.scale("down", 1)
	select {
	case c := <-held:
		t.Logf("held back: %s", c)
	case <-time.After(busy * 60 * time.Second):
		t.Fatal("down-2 was not to be deleted")
	}
	s.setReady("down-2", true)
	letGo()
	budget := "The disruption budget guard needs 7 healthy pods"
	for _, c := range []struct{ set, pod string }{{"chosen", "chosen-0"}, {"down", "down-2"}, {"down", "down-1"}} {
		s.blocked(c.set, "DISRUPTION_BUDGET", "Pod/"+c.pod, budget)
	}
	s.warned(s.get("down").UID, "FailedEvict", budget)
	s.warned(s.get("chosen").UID, "FailedEvict", budget)
	s.steady("bad", 0)
	answers := map[string]int{}
	for _, r := range s.requests() {
		if r.what() == "delete pods" || r.what() == "create pods/eviction" {
			answers[r.what()+" "+r.ObjectRef.Name] = r.Response.Code
		}
	}
	for what, want := range map[string]int{"delete pods down-2": 409, "create pods/eviction down-2": 429, "create pods/eviction down-1": 429,
		"create pods/eviction chosen-0": 429, "delete pods bad-1": 200} {
		if answers[what] != want {
			t.Errorf("%s was answered with %d, want %d", what, answers[what], want)
		}
	}
	now := s.podUIDs()
	if now["bad-1"] == before["bad-1"] {
		t.Error("bad-1 was not repaired")
	}
	before["bad-1"] = now["bad-1"]
	s.samePods(before)

	s.setReady("down-2", false) // it costs nothing again
	eventually(t, 60*time.Second, "down-2 is gone", func() error { return s.absent("down-2") })
	delete(before, "down-2")
	s.samePods(before)
	s.caughtUp(s)
	spent := s.all()
	s.guard(4)
	eventually(t, 60*time.Second, "chosen-0 is another pod", func() error {
		if now, made := s.podUIDs()["chosen-0"]; !made || now == before["chosen-0"] {
			return errors.New("it is the old one, or none")
		}
		return nil
	})
	s.settled("chosen")
	s.settled("down")
	if fewest := s.fewestHealthy(spent[len(spent)-1].version); fewest < 4 {
		t.Errorf("%d pods were healthy at once, and the budget wants 4: %s", fewest, s.pods())
	}
	if !a.running() {
		t.Error("the adapter ended")
	}
	s.unbroken()
	p.preconditions(t)
}

package outside

import (
	"net/http"
	"strings"
	"time"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// How a pod is evicted, and what an adapter makes of a refusal.
var evictionCases = []testCase{
	{"A8", "an eviction carries uid and resource version", func(b *bench) {
		b.grown(2)
		if !b.can(setplanv1.Capability_CAPABILITY_EVICT_POD) {
			return
		}
		pod := b.get("pods/web-1")
		b.evicts()
		sent := b.written("an eviction", eviction)
		if uid, version := carried(sent); uid != meta(pod, "uid") || version != meta(pod, "resourceVersion") {
			b.failf("the eviction carries the uid %q and the version %q: %s", uid, version, sent.body)
		}
	}},
	{"A9", "a pod that is gone already is evicted", func(b *bench) {
		b.grown(2)
		if !b.can(setplanv1.Capability_CAPABILITY_EVICT_POD) {
			return
		}
		b.goesOn(evictPod, eviction, func() { b.remove("pods/web-1") }, true)
	}},
	{"A14", "an eviction that a disruption budget refuses is reported in the API server's words", func(b *bench) {
		sent := b.denied("guard")
		if sent == nil {
			return
		}
		next := b.asked(2)
		told := refusal(next)
		if told == nil {
			b.stopf("the outcomes of the next snapshot are %v", next.request.GetSnapshot().GetOutcomes())
		}
		if !strings.Contains(told.GetMessage(), budgetWords) || !strings.Contains(told.GetMessage(), "guard") {
			b.failf("the API server says %q and names the budget guard, and the message is %q", budgetWords, told.GetMessage())
		}
		// An adapter's clock may be coarser than ours.
		tried, took := told.GetTriedAt().AsTime().Sub(sent.at), next.at.Sub(sent.at)
		if tried < -time.Second || tried > took+time.Second {
			b.failf("the next snapshot came %s after the eviction, which is said to have been tried %s after it was sent", took, tried)
		}
	}},
	{"A14", "an eviction that a disruption budget has refused is reported while plans leave it out", func(b *bench) {
		if b.denied("guard") == nil {
			return
		}
		first := refusal(b.asked(2))
		for deadline := time.Now().Add(2 * quiet); time.Now().Before(deadline); time.Sleep(quiet / 4) {
			next := len(b.calls()) + 1
			b.nudge()
			b.asked(next)
		}
		for _, c := range b.calls()[1:] {
			if told := refusal(c); told == nil || !told.GetTriedAt().AsTime().Equal(first.GetTriedAt().AsTime()) {
				b.stopf("the outcomes of snapshot %d are %v", c.number, c.request.GetSnapshot().GetOutcomes())
			}
		}
	}},
	{"A14", "an eviction that a disruption budget refuses is sent once, and nothing waits as Retry-After says", func(b *bench) {
		sent := b.denied("guard")
		if sent == nil {
			return
		}
		if took := b.asked(2).at.Sub(sent.answered); took > retryAfter/2 {
			b.failf("Retry-After is %s, and the adapter asks for the next plan after %s", retryAfter, took)
		}
		time.Sleep(quiet)
		if all := b.writes(eviction); len(all) > 1 {
			b.failf("it was sent %d times", len(all))
		}
	}},
	{"A14", "an API server that has too much to do is not a disruption budget", func(b *bench) {
		if b.denied("") == nil {
			return
		}
		if told := refusal(b.asked(2)); told != nil {
			b.failf("the answer names no disruption budget, and the outcome is %v", told)
		}
	}},
}

// eviction picks evictions of the pod web-1.
func eviction(r *request) bool {
	return r.verb == http.MethodPost && r.resource == "pods" && r.name == "web-1" && r.sub == "eviction"
}

// evictPod evicts the pod web-1 of the snapshot.
func evictPod(c *call) *action {
	for _, p := range c.request.GetSnapshot().GetPods() {
		if p.GetName() == "web-1" {
			a := on(c, "Pod", p.GetName(), p.GetUid(), p.GetResourceVersion())
			a.Operation = &setplanv1.Action_EvictPod{EvictPod: &setplanv1.EvictPod{}}
			return a
		}
	}
	return nil
}

// evicts has the pod web-1 evicted by one plan. Those after it leave that out.
func (b *bench) evicts() {
	b.forget(once(func(c *call) (*plan, error) { return made(c, alone(scaleDown, stop, evictPod(c))), nil }))
	b.nudge()
}

// denied has an eviction refused, because of a disruption budget or, without one, because the API server has too much to do. It returns the
// eviction; nil if the adapter cannot evict. Then the adapter is asked to go on.
func (b *bench) denied(budget string) *request {
	b.grown(2)
	if !b.can(setplanv1.Capability_CAPABILITY_EVICT_POD) {
		return nil
	}
	b.gateway.add(&rule{fits: b.here(eviction), refuse: http.StatusTooManyRequests, budget: budget})
	b.evicts()
	sent := b.written("an eviction", eviction)
	b.nudge()
	return sent
}

// refusal returns what a snapshot says of the eviction, if it says that a disruption budget has refused it.
func refusal(c *call) *setplanv1.Outcome {
	for _, o := range c.request.GetSnapshot().GetOutcomes() {
		if o.GetActionId() == "conformance-web-1" && o.GetResult() == setplanv1.OutcomeResult_OUTCOME_RESULT_DISRUPTION_BUDGET {
			return o
		}
	}
	return nil
}

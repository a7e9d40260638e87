package engine

import (
	"fmt"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// TestRefusedReleasesStarveNobody: the API refuses the release of far more claims than fit into one plan, and allows that of a few at
// the end. Those few are released soon, although each plan meets a refusal. Known refusals cost the API few requests in each pass.
func TestRefusedReleasesStarveNobody(t *testing.T) {
	const all, good = 1_700, 20
	w := handedOver(all).parallel()
	refused := map[string]model.Outcome{}
	requests := 0
	for pass := 1; ; pass++ {
		if pass > 40 {
			t.Fatalf("after %d passes, %d requests and %d known refusals %d claims that can be released are not yet", pass, requests, len(refused), w.bound(all-good))
		}
		w.Outcomes = nil
		for _, o := range refused {
			w.Outcomes = append(w.Outcomes, o)
		}
		requests += w.release(Decide(&w.Snapshot), refused, func(ordinal int) bool { return ordinal >= all-good })
		if w.bound(all-good) == 0 {
			t.Logf("%d passes, %d requests", pass, requests)
			break
		}
	}
	for range 20 {
		w.Outcomes = nil
		for _, o := range refused {
			w.Outcomes = append(w.Outcomes, o)
		}
		requests = w.release(Decide(&w.Snapshot), refused, func(int) bool { return false })
	}
	if len(refused) != all-good || requests != 1 {
		t.Errorf("%d claims are known to be refused, but a pass sends %d requests", len(refused), requests)
	}
}

// release carries out the releases of a plan as an adapter does, and counts the requests. A failure skips the rest of the phase.
func (w *world) release(p *model.Plan, refused map[string]model.Outcome, allowed func(ordinal int) bool) (requests int) {
	planned := map[string]bool{}
	skip := false
	for _, stage := range p.Stages {
		if stage.Phase != model.PhaseOwnership {
			continue
		}
		failed := false
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if planned[a.ID] = true; skip {
					continue
				}
				requests++
				var ordinal int
				if _, err := fmt.Sscanf(a.Name, "www-web-%d", &ordinal); err != nil {
					panic(err)
				}
				if allowed(ordinal) {
					w.c(a.Name).Owners = a.Op.(model.SetClaimOwners).Owners
					delete(refused, a.ID)
					continue
				}
				failed = true
				refused[a.ID] = model.Outcome{ActionID: a.ID, Result: model.OutcomeRejected, Count: refused[a.ID].Count + 1}
			}
		}
		skip = skip || failed
	}
	for id := range refused {
		if !planned[id] && !p.Truncated {
			delete(refused, id)
		}
	}
	return requests
}

// bound counts the claims, from an ordinal on, that refer to their pods.
func (w *world) bound(from int) (n int) {
	for i := from; i < len(w.Claims); i++ {
		n += len(w.Claims[i].Owners)
	}
	return n
}

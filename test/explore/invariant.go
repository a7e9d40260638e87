package explore

import (
	"fmt"
	"math/bits"

	"github.com/setplan/setplan/test/invariants/law"
)

func trailing(mask uint32) int { return bits.TrailingZeros32(mask) }

// What only a search of all states can ask; what every history is asked is in package law.
const (
	TwiceIsOnce      = "AppliedTwiceIsOnce"
	AnyOrder         = "OrderOfListsIsNothing"
	PlanIsMeaningful = "PlanIsMeaningful"
	ComesToRest      = "ComesToRest"
	RestIsRight      = "RestIsRightOrExplained"
)

// Violation is a broken invariant.
type Violation struct {
	Invariant, Detail string
	Trace             []string // the way there
}

func (v *Violation) Error() string { return v.Invariant + ": " + v.Detail }

// askWrite asks every invariant about a write: with what the adapter knows, and, where it has changed something and nothing
// but adapters has moved since the views, with the truth as well.
func (s *search) askWrite(n *node, w *write, seen, truth *cluster, wrote bool) {
	c := law.Check{Seen: s.seen.of(seen), Write: s.seen.write(w, seen)}
	if !wrote {
		s.ask(n, &c, w, "as the adapter sees it")
		return
	}
	c.Truth = s.truth.of(truth)
	s.ask(n, &c, w, "as the adapter sees it")
	if !n.restless {
		s.ask(n, &law.Check{Seen: c.Truth, Write: s.truth.write(w, truth)}, w, "with nobody but adapters at work")
	}
}

func (s *search) ask(n *node, c *law.Check, w *write, how string) {
	for i := range law.OnWrite {
		invariant := &law.OnWrite[i]
		if !invariant.About(c.Write.Op) || invariant.Name == s.config.deaf || invariant.Name == law.ClaimsFollowRetention && s.lost(c, w) {
			continue
		}
		s.tally.Checked[invariant.Name]++
		if err := invariant.Holds(c); err != nil {
			s.fail(n, Violation{Invariant: invariant.Name, Detail: fmt.Sprintf("%v (%s)", err, how)}, "adapter: "+w.String())
		}
	}
}

// lost: between two adapters a claim may lose its reference to the set while the finalizer goes, which said that there must
// be none. Its data stays, and the next plan gives it back.
func (s *search) lost(c *law.Check, w *write) bool {
	return c.Truth == nil && c.Seen == &s.truth.set && w.owner == byNobody && s.config.Bounds.Adapters > 1 &&
		s.config.Drain != nil && s.config.Drain.OnDelete
}

// promises reports whether a deletion of the set comes at a moment at which nobody has a reason to wait: the policy is there,
// and the plan for what is there does not warn.
func (s *search) promises(n *node, c *cluster) bool {
	return c.drains && s.config.Drain.OnDelete && !s.planner.decide(n.truth).warns()
}

// askCollector is asked before the garbage collector deletes a claim.
func (s *search) askCollector(n *node, c *cluster, e *event) {
	s.tally.Checked[law.DataIsDrained]++
	if !c.promised {
		return
	}
	view := s.truth.of(c)
	check := law.Check{Truth: view, Write: law.Write{Op: law.CollectClaim, Ordinal: e.ordinal, Claim: view.Places[e.ordinal].Claims[0], Promised: true}}
	for i := range law.OnWrite {
		if err := law.OnWrite[i].Holds(&check); err != nil {
			s.fail(n, Violation{Invariant: law.OnWrite[i].Name, Detail: err.Error()}, e.String())
		}
	}
}

package explore

import (
	"fmt"
	"math/bits"

	"github.com/setplan/setplan/test/invariants/law"
)

func trailing(mask uint32) int { return bits.TrailingZeros32(mask) }

// The invariants that only a search of all states can check. Package law has those of all histories.
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
	Trace             []string // the path to it
}

func (v *Violation) Error() string { return v.Invariant + ": " + v.Detail }

// askWrite checks a write against every invariant: with what the adapter knows, and also with the truth if the write has changed
// something and only adapters have acted since the views.
func (s *search) askWrite(n *node, w *write, seen, truth *cluster, wrote bool) {
	c := law.Check{Seen: s.seen.of(seen), Write: s.seen.write(w, seen)}
	if !wrote {
		s.ask(n, &c, w, "as the adapter sees it")
		return
	}
	c.Truth, c.Write.BelowWant = s.truth.of(truth), truth.belowWant()
	c.Write.Unproven = s.truth.unproven(w, truth)
	c.Write.Twice = w.op == patchClaim && truth.claims[w.ordinal].volume.asksTwice(w.asks)
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

// lost: with two adapters a claim may lose its reference to the set while the finalizer is removed, which forbids such references. Its
// data stays, and the next plan restores the reference.
func (s *search) lost(c *law.Check, w *write) bool {
	return c.Truth == nil && c.Seen == &s.truth.set && w.owner == byNobody && s.config.Bounds.Adapters > 1 &&
		s.config.Drain != nil && s.config.Drain.OnDelete
}

// promises reports whether the set is deleted at an allowed moment: the policy is there, and the plan for the present state does not
// warn.
func (s *search) promises(n *node, c *cluster) bool {
	return c.drains && s.config.Drain.OnDelete && !s.planner.decide(n.truth).warns()
}

// askCollector checks a claim that the garbage collector is about to delete.
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

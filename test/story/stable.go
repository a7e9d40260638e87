package story

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/invariants"
)

// EventuallyStableReconciliation is what "stable" checks: once faults stop, the wanted state is reached and stays. The term is from
// Anvil (OSDI'24).
const EventuallyStableReconciliation = "EventuallyStableReconciliation"

// In how many rounds the writing must end, and for how many it must then stay so. A set of five pods under OrderedReady takes about
// thirty rounds for an update.
const (
	maxStableRounds = 1000
	stayRounds      = 20
)

// maxAsked is how often in a row disruption budgets are asked in vain before that is rest: an adapter asks for as long as it wants to.
const maxAsked = 40

// stableCommand: "stable". Faults stop: all caches are complete and fresh, no call fails, clocks agree, the kubelet looks after every
// pod. Then all adapters work, and eventually stable reconciliation must hold: writing ends. Each set is as its spec wants it, judged
// without a planner, or a block names what is missing and is true. And further passes write nothing.
func (r *Runner) stableCommand(Command) {
	names := r.heal()
	if !r.reachRest(names) {
		r.unstable("still writing after %d rounds: %s", maxStableRounds, r.lastWrites(12))
		return
	}
	for _, v := range r.visits(names) {
		r.verdict(r.processes[v.adapter], v.set)
	}
	if before := len(r.world.History()); !r.staysAtRest(names, before) {
		r.unstable("at rest, and yet written again: %s", r.lastWrites(len(r.world.History())-before))
		return
	}
	r.stable++
}

// reachRest lets everybody work until nobody has anything to do. As in reality, an adapter looks at a set only when something has
// changed, when it asked to, or after a failure.
func (r *Runner) reachRest(names []string) bool {
	next, asked := map[visit]look{}, 0
	for range maxStableRounds {
		written := len(r.world.History())
		for _, v := range r.visits(names) {
			if l, known := next[v]; !known || l.isDue(r) {
				next[v] = r.lookAt(r.processes[v.adapter], v.set)
			}
		}
		changed := r.tick()
		due, asks, wake := false, true, time.Time{}
		for _, v := range r.visits(names) {
			l, known := next[v]
			due = due || !known || l.isDue(r)
			asks = asks && (l.asks || !l.wants)
			if l.wants && (wake.IsZero() || l.at.Before(wake)) {
				wake = l.at
			}
		}
		if asked++; !asks || len(r.world.History()) > written {
			asked = 0
		}
		switch {
		case changed || due:
		case wake.IsZero(), asked > maxAsked:
			return true
		default:
			r.world.Advance(wake.Sub(r.world.Now()))
		}
	}
	return false
}

// visit is an adapter and a set that it looks at.
type visit struct{ adapter, set string }

func (r *Runner) visits(names []string) []visit {
	var list []visit
	for _, name := range names {
		for _, set := range r.setNames() {
			list = append(list, visit{name, set})
		}
	}
	return list
}

// look says when a set is looked at next.
type look struct {
	seen  int // writes that had happened
	wants bool
	asks  bool      // it wants to only for a disruption budget
	at    time.Time // if wants
}

func (l look) isDue(r *Runner) bool {
	return l.seen < len(r.world.History()) || l.wants && !r.world.Now().Before(l.at)
}

// retry is how soon an adapter comes back after a failure.
const retry = 5 * time.Second

func (r *Runner) lookAt(p *process, set string) look {
	l := look{seen: len(r.world.History())}
	again, err := p.reconcile(set)
	if err != nil {
		again = retry
	}
	l.wants, l.asks, l.at = again > 0, p.asked || err == nil && waitsForBudget(p.plan), r.world.Now().Add(again)
	return l
}

func waitsForBudget(plan *setplanv1.Plan) bool {
	return slices.ContainsFunc(plan.GetBlocks(), func(b *setplanv1.Block) bool {
		return b.GetCode() == setplanv1.BlockCode_BLOCK_CODE_DISRUPTION_BUDGET
	})
}

// staysAtRest looks at every set again and again while time passes.
func (r *Runner) staysAtRest(names []string, written int) bool {
	for range stayRounds {
		for _, v := range r.visits(names) {
			r.lookAt(r.processes[v.adapter], v.set)
		}
		r.tick()
		r.world.Advance(time.Minute)
	}
	return len(r.world.History()) == written
}

// heal ends all faults, and lists the adapters.
func (r *Runner) heal() []string {
	r.processNamed("a")
	for _, p := range r.processes {
		p.adapter.Heal()
		p.adapter.Thaw()
		p.adapter.Skew(0)
		p.planner.Unreachable, p.planner.Replay, p.planner.Between = false, false, nil
	}
	r.world.ReleaseAll()
	return slices.Sorted(maps.Keys(r.processes))
}

// verdict compares a set at rest with the wanted state, or its blocks with the truth.
func (r *Runner) verdict(p *process, set string) {
	_, err := p.reconcile(set)
	if p.asked { // and the next plan says what the answer was
		_, err = p.reconcile(set)
	}
	switch {
	case err != nil || p.plan == nil:
		r.unstable("%s: no plan for it: %v %v", set, err, p.held)
	case p.plan.GetConverged() && invariants.IsPaused(r.world.State(), set):
		if err := r.pauseIsTold(p.plan, set); err != nil {
			r.unstable("%s: said to be in the desired state, and %v", set, err)
			return
		}
		r.say("%s %s: as far as its pause allows", p.adapter.Name(), set)
	case p.plan.GetConverged():
		if err := invariants.Wanted(r.world.State(), r.behavior, set, r.world.Now()); err != nil {
			r.unstable("%s: said to be in the desired state, and yet %v", set, err)
			return
		}
		r.say("%s %s: as wanted", p.adapter.Name(), set)
	default:
		if err := r.explained(p.plan, set); err != nil {
			r.unstable("%s: nothing moves, and %v", set, err)
			return
		}
		r.say("%s %s: waits for %s", p.adapter.Name(), set, strings.Join(waits(p.plan), ", "))
	}
}

// pauseIsTold requires the block about the pause. What the pause holds back is compared with the spec once it has ended.
func (r *Runner) pauseIsTold(plan *setplanv1.Plan, set string) error {
	for _, block := range plan.GetBlocks() {
		if block.GetCode() == setplanv1.BlockCode_BLOCK_CODE_PAUSED {
			return invariants.BorneOut(r.world.State(), r.behavior, set, block)
		}
	}
	return errors.New("nothing says that it is paused")
}

// explained requires a block that is more than information, and that every such block is true.
func (r *Runner) explained(plan *setplanv1.Plan, set string) error {
	named := false
	for _, block := range plan.GetBlocks() {
		if block.GetSeverity() == setplanv1.Severity_SEVERITY_INFO {
			continue
		}
		named = true
		if err := invariants.BorneOut(r.world.State(), r.behavior, set, block); err != nil {
			return err
		}
	}
	if !named {
		return errors.New("no block says why")
	}
	return nil
}

func (r *Runner) unstable(format string, args ...any) {
	r.monitor.Report(EventuallyStableReconciliation, fmt.Errorf(format, args...))
}

func (r *Runner) lastWrites(n int) string {
	var list []string
	history := r.world.History()
	for _, event := range history[max(0, len(history)-n):] {
		list = append(list, fmt.Sprintf("%s %s %s %s", event.Actor, event.Verb, event.Kind, event.Name))
	}
	return strings.Join(list, ", ")
}

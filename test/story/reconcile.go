package story

import (
	"context"
	"strings"
	"time"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/test/sim"
)

// reconcileCommand: "reconcile web [as=b]". One pass; prints the plan and the failures.
func (r *Runner) reconcileCommand(c Command) {
	p := r.process(c)
	again, err := p.reconcile(c.argOr(0, "web"))
	r.showPass(p, again, err)
}

func (r *Runner) showPass(p *process, again time.Duration, err error) {
	if p.plan != nil {
		r.say("%s", strings.TrimSuffix(p.planner.Text(), "\n"))
	}
	for _, line := range p.held {
		r.say("held: %s", line)
	}
	for _, line := range p.failed {
		r.say("failed: %s", line)
	}
	if err != nil && p.plan == nil && len(p.held) == 0 {
		r.say("error: %v", err)
	}
	if p.plan != nil && again != p.plan.GetRequeueAfter().AsDuration() {
		r.say("comes back in %s", again)
	}
}

// planCommand: "plan web [as=b]". Only looks: the plan is printed and nothing is written.
func (r *Runner) planCommand(c Command) {
	p := r.process(c)
	p.held = nil
	again, err := p.loopWith(adapters.Options{ObserveOnly: true}).Reconcile(context.Background(), key(c.argOr(0, "web")))
	r.showPass(p, again, err)
}

// maxRounds ends a settle that never comes to rest.
const maxRounds = 150

// settleCommand: "settle [as=b]". Reconciles all sets and lets the cluster take a step of a second, round by round, until nothing is
// left to do. Prints a line per round with writes, and at the end what the sets wait for.
func (r *Runner) settleCommand(c Command) {
	p := r.process(c)
	for round := 1; round <= maxRounds; round++ {
		wrote, wake, failing := r.round(p)
		changed := r.tick()
		switch {
		case wrote || changed:
		case wake > 0 && !failing:
			r.world.Advance(wake)
		case failing && round < maxRounds && round%5 != 0:
		default:
			r.rest(p)
			return
		}
	}
	r.say("still not at rest after %d rounds", maxRounds)
}

// round reconciles every set once. wake is the shortest time until one wants another pass.
func (r *Runner) round(p *process) (wrote bool, wake time.Duration, failing bool) {
	for _, set := range r.setNames() {
		at := r.elapsed()
		again, err := p.reconcile(set)
		if len(p.did)+len(p.failed) > 0 {
			text := strings.Join(append(p.did, p.failed...), ", ")
			r.say("%5s %s: %s", at, set, text)
		}
		wrote = wrote || len(p.did) > 0
		failing = failing || err != nil
		if again > 0 && (wake == 0 || again < wake) {
			wake = again
		}
	}
	return wrote, wake, failing
}

// rest says what the sets wait for when nothing moves any more.
func (r *Runner) rest(p *process) {
	names := r.setNames()
	if len(names) == 0 {
		r.say("%5s at rest", r.elapsed())
	}
	for _, set := range names {
		_, err := p.reconcile(set)
		var why []string
		why = append(why, waits(p.plan)...)
		why = append(why, p.held...)
		why = append(why, p.failed...)
		switch {
		case err != nil && len(why) == 0:
			r.say("%5s %s: %v", r.elapsed(), set, err)
		case p.plan.GetConverged() && len(why) > 0:
			r.say("%5s %s: in the desired state; %s", r.elapsed(), set, strings.Join(why, ", "))
		case p.plan.GetConverged():
			r.say("%5s %s: in the desired state", r.elapsed(), set)
		default:
			r.say("%5s %s: waits for %s", r.elapsed(), set, strings.Join(why, ", "))
		}
	}
}

// tick lets the cluster take a step of a second.
func (r *Runner) tick() bool {
	r.world.Advance(time.Second)
	kubelet := r.world.Kubelet()
	garbage := r.world.CollectGarbage()
	return kubelet || garbage
}

func (r *Runner) elapsed() time.Duration { return r.world.Now().Sub(sim.Epoch) }

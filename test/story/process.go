package story

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/sim"
)

// process is one running adapter: a loop with its memory, on an adapter of the world.
type process struct {
	runner       *Runner
	adapter      *sim.Adapter
	planner      *sim.Planner
	loop         *adapters.Loop
	capabilities []setplanv1.Capability
	alone        bool // it only drains; another controller runs the sets

	did    []string // what the current reconcile wrote
	failed []string
	asked  bool // a disruption budget, which refused; nothing else failed
	held   []string
	plan   *setplanv1.Plan
}

// process returns a command's adapter, and starts a new one.
func (r *Runner) process(c Command) *process {
	name := c.Options["as"]
	if name == "" {
		name = "a"
	}
	return r.processNamed(name)
}

func (r *Runner) processNamed(name string) *process {
	p := r.processes[name]
	if p == nil {
		adapter := sim.NewAdapter(r.world, name)
		p = &process{runner: r, adapter: adapter,
			planner: r.monitor.Follow(&sim.Planner{Adapter: adapter, Decide: r.decide, Record: r.record})}
		r.processes[name] = p
		adapter.Among(r.othersAct)
		p.start()
	}
	return p
}

// start makes a loop without memory.
func (p *process) start() {
	p.adapter.Restart()
	p.loop = p.loopWith(adapters.Options{})
}

// loopWith makes a loop that runs on the adapter's clock, one action at a time.
func (p *process) loopWith(options adapters.Options) *adapters.Loop {
	options.Behavior, options.Capabilities = p.runner.behavior, p.capabilities
	if p.alone {
		options.Scope = setplanv1.Scope_SCOPE_DRAIN_ONLY
	}
	options.Clock, options.Parallelism = p.adapter.Now, 1
	return adapters.NewLoop(p.adapter, p.adapter, p.planner, p, options)
}

// reconcile runs one pass over a set, and restarts the adapter if it crashed.
func (p *process) reconcile(set string) (time.Duration, error) {
	p.did, p.failed, p.asked, p.held, p.plan = nil, nil, false, nil, nil
	again, err := p.loop.Reconcile(context.Background(), key(set))
	if p.adapter.Crashed() {
		p.runner.crashes++
		p.failed = append(p.failed, "the adapter crashed and starts again")
		p.start()
	}
	return again, err
}

// Planned implements adapters.Observer.
func (p *process) Planned(_ adapters.Key, _ *setplanv1.Snapshot, plan *setplanv1.Plan) { p.plan = plan }

// Applied implements adapters.Observer.
func (p *process) Applied(_ adapters.Key, _ *setplanv1.Snapshot, action *setplanv1.Action, result adapters.Result) {
	text := phrase(action)
	switch {
	case p.adapter.Crashed() && result.Err != nil:
		// Nobody is there to notice.
	case result.Err != nil:
		p.asked = apierrors.HasStatusCause(result.Err, policyv1.DisruptionBudgetCause) && (p.asked || len(p.failed) == 0)
		p.failed = append(p.failed, fmt.Sprintf("%s: %v", text, result.Err))
	default:
		p.did = append(p.did, text)
		p.runner.actions[withWhy(action)]++
	}
}

// Held implements adapters.Observer.
func (p *process) Held(_ adapters.Key, reason string, err error) {
	p.held = append(p.held, fmt.Sprintf("%s: %v", reason, err))
}

// Forgotten implements adapters.Observer.
func (p *process) Forgotten(key adapters.Key) { p.held = append(p.held, key.Name+" does not exist") }

// phrase returns an action in a few words.
func phrase(action *setplanv1.Action) string {
	if status := action.GetUpdateStatus().GetStatus(); status != nil {
		return fmt.Sprintf("status %d/%d/%d/%d/%d", status.GetReplicas(), status.GetReadyReplicas(),
			status.GetAvailableReplicas(), status.GetCurrentReplicas(), status.GetUpdatedReplicas())
	}
	return adapters.Phrase(adapters.OperationName(action), action.GetTarget().GetName())
}

// waits lists what a plan waits for, as "CODE name", sorted as in the plan.
func waits(plan *setplanv1.Plan) []string {
	var list []string
	for _, block := range plan.GetBlocks() {
		code := strings.TrimPrefix(block.GetCode().String(), "BLOCK_CODE_")
		list = append(list, code+" "+block.GetSubject().GetName())
	}
	return slices.Compact(list)
}

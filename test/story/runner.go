package story

import (
	"fmt"
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/invariants"
	"github.com/setplan/setplan/test/sim"
)

// Runner is the state of one story: a world and the adapters on it.
type Runner struct {
	world     *sim.World
	monitor   *invariants.Monitor
	behavior  setplanv1.Behavior
	decide    func(*model.Snapshot) *model.Plan // the engine if nil
	record    func(sim.View, *setplanv1.PlanRequest, *setplanv1.PlanResponse)
	processes map[string]*process
	out       strings.Builder
	crashes   int
	stable    int
	restless  []string       // who acts after every write; see restlessCommand
	actions   map[string]int // see Done
	reported  int            // problems that the output already has
	shown     int            // writes that "history" has shown
}

// NewRunner makes an empty world with one adapter, "a".
func NewRunner() *Runner { return NewRunnerWith(nil) }

// NewRunnerWith makes a runner with something else than the engine: one with a bug, which must be found.
func NewRunnerWith(decide func(*model.Snapshot) *model.Plan) *Runner {
	r := &Runner{decide: decide}
	r.reset(setplanv1.Behavior_BEHAVIOR_SETPLAN)
	return r
}

// Record sets a function that gets each plan and what it was made from. Call it before the first command.
func (r *Runner) Record(record func(sim.View, *setplanv1.PlanRequest, *setplanv1.PlanResponse)) {
	r.record = record
}

// reset begins a new world under a preset of rules.
func (r *Runner) reset(behavior setplanv1.Behavior) {
	r.world, r.behavior = sim.NewWorld(), behavior
	r.monitor = invariants.Watch(r.world, behavior)
	r.processes, r.actions = map[string]*process{}, map[string]int{}
	r.reported, r.shown, r.crashes, r.stable = 0, 0, 0, 0
	r.restless = nil
}

// Problems lists the invariants that did not hold so far.
func (r *Runner) Problems() []string { return r.monitor.Problems() }

// World is the cluster of the story.
func (r *Runner) World() *sim.World { return r.world }

// commands is the language. It is filled in by init because some commands run others.
var commands map[string]func(*Runner, Command)

func init() {
	commands = map[string]func(*Runner, Command){
		"adapter":   (*Runner).adapterCommand,
		"annotate":  (*Runner).annotateCommand,
		"behavior":  (*Runner).behaviorCommand,
		"blink":     (*Runner).blinkCommand,
		"claim":     (*Runner).claimCommand,
		"clock":     (*Runner).clockCommand,
		"crash":     (*Runner).crashCommand,
		"delete":    (*Runner).deleteCommand,
		"drain":     (*Runner).drainCommand,
		"during":    (*Runner).duringCommand,
		"edit":      (*Runner).editCommand,
		"fault":     (*Runner).faultCommand,
		"freeze":    (*Runner).freezeCommand,
		"gc":        (*Runner).gcCommand,
		"budget":    (*Runner).budgetCommand,
		"hide":      (*Runner).hideCommand,
		"history":   (*Runner).historyCommand,
		"kubelet":   (*Runner).kubeletCommand,
		"plan":      (*Runner).planCommand,
		"planner":   (*Runner).plannerCommand,
		"pod":       (*Runner).podCommand,
		"quorum":    (*Runner).quorumCommand,
		"reconcile": (*Runner).reconcileCommand,
		"restless":  (*Runner).restlessCommand,
		"revision":  (*Runner).revisionCommand,
		"set":       (*Runner).setCommand,
		"settle":    (*Runner).settleCommand,
		"skew":      (*Runner).skewCommand,
		"stable":    (*Runner).stableCommand,
		"stale":     (*Runner).staleCommand,
		"state":     (*Runner).stateCommand,
		"status":    (*Runner).statusCommand,
		"thaw":      (*Runner).thawCommand,
	}
}

// Run carries out one command and returns its output, or "ok".
func (r *Runner) Run(c Command) string {
	r.out.Reset()
	r.dispatch(c)
	r.othersAct()
	for _, problem := range r.monitor.Problems()[r.reported:] {
		r.say("BROKEN INVARIANT %s", problem)
	}
	r.reported = len(r.monitor.Problems())
	if r.out.Len() == 0 {
		return "ok\n"
	}
	return r.out.String()
}

func (r *Runner) dispatch(c Command) {
	defer func() {
		if p := recover(); p != nil {
			usage, ok := p.(usageError)
			if !ok {
				panic(p)
			}
			r.say("error: %s", string(usage))
		}
	}()
	command := commands[c.Name]
	if command == nil {
		panic(usageError(fmt.Sprintf("no command is called %q", c.Name)))
	}
	command(r, c)
}

func (r *Runner) say(format string, args ...any) {
	fmt.Fprintf(&r.out, format+"\n", args...)
}

// must ends a command whose write the API refused.
func (r *Runner) must(err error) {
	if err != nil {
		panic(usageError(err.Error()))
	}
}

// runLines runs the lines of an input as commands that happen during another command.
func (r *Runner) runLines(input string) {
	for line := range strings.Lines(input) {
		if line = strings.TrimSpace(line); line != "" {
			r.dispatch(ParseCommand(line, ""))
		}
	}
}

// setNames lists the sets of the world.
func (r *Runner) setNames() []string {
	return slices.Clone(r.world.State().Names(sim.KindSet))
}

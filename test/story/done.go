package story

import (
	"fmt"
	"strings"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/sim"
)

// Done counts what a story did.
type Done struct {
	Writes, Plans, Checks, Crashes int
	Stable                         int // times that "stable" held
	Faults                         map[sim.Fault]int
	Actions                        map[string]int // actions carried out, with their causes, such as "delete claim (drained)"
}

// Done counts what has happened so far.
func (r *Runner) Done() Done {
	done := Done{Writes: len(r.world.History()), Plans: r.monitor.Plans(), Checks: r.monitor.Checked(), Crashes: r.crashes,
		Stable: r.stable, Faults: map[sim.Fault]int{}, Actions: r.actions}
	for _, p := range r.processes {
		for fault, n := range p.adapter.Struck() {
			done.Faults[fault] += n
		}
	}
	return done
}

// withWhy returns what an action does, with its cause.
func withWhy(action *setplanv1.Action) string {
	why := strings.TrimPrefix(action.GetCause().GetCode().String(), "CAUSE_CODE_")
	return fmt.Sprintf("%s (%s)", words(adapters.OperationName(action)), words(strings.ToLower(why)))
}

func words(name string) string { return strings.ReplaceAll(name, "_", " ") }

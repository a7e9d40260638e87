package story

import "github.com/setplan/setplan/adapters/sim"

// Done counts what a story did.
type Done struct {
	Writes, Plans, Checks, Crashes int
	Stable                         int // times that "stable" has found what it asks for
	Faults                         map[sim.Fault]int
}

// Done counts what has happened so far.
func (r *Runner) Done() Done {
	done := Done{Writes: len(r.world.History()), Plans: r.monitor.Plans(), Checks: r.monitor.Checked(), Crashes: r.crashes,
		Stable: r.stable, Faults: map[sim.Fault]int{}}
	for _, p := range r.processes {
		for fault, n := range p.adapter.Struck() {
			done.Faults[fault] += n
		}
	}
	return done
}

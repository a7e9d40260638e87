package faults

import (
	"errors"
	"fmt"
	"strings"

	"github.com/setplan/setplan/test/sim"
	"github.com/setplan/setplan/test/story"
)

// The three perturbations of Sieve (OSDI'22). Each is applied to a reference life at every possible point, once per run, and the end of
// each phase is compared with the unperturbed life.
const (
	// IntermediateState: the adapter dies between two writes of a plan, and the next one finds what is left.
	IntermediateState = "intermediate state"
	// StaleState: the adapter goes back in time, to a view older than one that it has had, without its memory.
	StaleState = "stale state"
	// UnobservedState: what comes and goes between two views of the adapter is never seen.
	UnobservedState = "unobserved state"
	// TornCaches is ours: one kind is older than the others, without the memory that would tell. What is then done cannot be
	// undone (a claim that was not seen is not handed over), so such a life must only end as its spec wants it.
	TornCaches = "torn caches"
)

// Perturbations lists them.
var Perturbations = []string{IntermediateState, StaleState, UnobservedState, TornCaches}

// restRounds without a write are rest: more than the seconds that a pod of a reference life waits to be available, or to be old enough for a
// repair.
const restRounds = 12

// maxLifeRounds ends a phase that never comes to rest.
const maxLifeRounds = 200

// perturbed is one run of a life.
type perturbed struct {
	runner     *story.Runner
	lines      []string
	reconciles int
	before     func(p *perturbed, reconcile int) bool // false: the adapter does not get to look
	crashed    int
	ends       []string // what each phase came to
}

func (p *perturbed) tell(line string) {
	p.lines = append(p.lines, line)
	p.runner.Run(story.ParseCommand(line, ""))
}

// live goes through the phases of a life.
func (p *perturbed) live(phases [][]string) error {
	for i, phase := range phases {
		for _, line := range phase {
			p.tell(line)
		}
		if !p.rest() {
			return fmt.Errorf("phase %d (%s) does not come to rest", i, strings.Join(phase, ", "))
		}
		p.ends = append(p.ends, Ending(p.runner.World()))
		if problems := p.runner.Problems(); len(problems) > 0 {
			return fmt.Errorf("phase %d (%s): %s", i, strings.Join(phase, ", "), problems[0])
		}
	}
	return nil
}

// rest lets adapter and cluster work until nothing is written any more.
func (p *perturbed) rest() bool {
	world := p.runner.World()
	for round, quiet := 0, 0; round < maxLifeRounds; round++ {
		written, unseen := len(world.History()), false
		for _, set := range world.State().Names(sim.KindSet) {
			look := p.before == nil || p.before(p, p.reconciles)
			p.reconciles++
			if unseen = unseen || !look; look {
				p.tell("reconcile " + set)
			}
		}
		p.tell("kubelet")
		p.tell("gc")
		if quiet++; len(world.History()) > written || unseen {
			quiet = 0
		}
		if quiet >= restRounds {
			return true
		}
	}
	return false
}

// Sieve sets one perturbation into a life at every point where it can be, and returns how many runs that were and what
// went wrong in the first that did not end as the life without it. Not thorough, it does so in one way, and not in all.
func Sieve(perturbation string, life [][]string, thorough bool, plan Planner) (runs int, err error) {
	reference := &perturbed{runner: story.NewRunnerWith(plan)}
	if err := reference.live(life); err != nil {
		return 0, fmt.Errorf("without any perturbation: %w", err)
	}
	ways := variants[perturbation]
	if !thorough {
		ways = ways[:1]
	}
	for _, variant := range ways {
		points := reference.reconciles
		if perturbation == IntermediateState {
			points = adapterWrites(reference.runner.World())
		}
		for point := range points {
			p := &perturbed{runner: story.NewRunnerWith(plan)}
			variant.at(p, point)
			err := p.live(life)
			if perturbation == TornCaches {
				p.tell("stable")
				if problems := p.runner.Problems(); len(problems) > 0 {
					err = errors.New(problems[0])
				}
			}
			for i := 0; err == nil && perturbation != TornCaches && i < len(life); i++ {
				if p.ends[i] != reference.ends[i] {
					err = fmt.Errorf("phase %d (%s) ends in\n%sinstead of\n%s", i, strings.Join(life[i], ", "), p.ends[i], reference.ends[i])
				}
			}
			if err != nil {
				return runs, fmt.Errorf("%s, %s, at point %d: %w\n\n%s", perturbation, variant.name, point, err, strings.Join(p.lines, "\n"))
			}
			runs++
		}
	}
	return runs, nil
}

func adapterWrites(world *sim.World) int {
	writes := 0
	for _, event := range world.History() {
		if event.Actor == "a" {
			writes++
		}
	}
	return writes
}

package oracle

import (
	"math/rand"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/oracle/planned"
	"github.com/setplan/setplan/test/oracle/upstream"
	"github.com/setplan/setplan/test/oracle/world"
)

// A life has this many steps with trouble, and this many to come to rest.
const (
	troubled = 25
	calm     = 150
)

// Life is the result of one life.
type Life struct {
	Passes int
	// Rested is whether nothing was left to do at the end. Not every life rests: upstream waits for ever for some pods.
	Rested bool
	*Divergence
}

// Live runs the life of the world with an index. In each pass both sides decide on the same world and must send the same
// requests, some of which the API refuses. The requests are carried out, time passes, pods start, fail and end, users edit.
// Both sides share one life, because their requests are the same.
func Live(seed int64, index int, change func(*model.Rules)) Life {
	w := World(seed, index)
	rules := Rules(w.Gate)
	if change != nil {
		change(&rules)
	}
	d := rand.New(rand.NewSource(mix(seed+2, index))) //nolint:gosec // must be the same each time
	environment := world.NewEnvironment(w, mix(seed+3, index))
	var life Life
	for life.Passes < troubled+calm {
		trouble := life.Passes < troubled
		life.Passes++
		theirs := upstream.Pass(w)
		if trouble && d.Intn(10) == 0 {
			if w.Fault = drawFault(w, &theirs, d.Int63()); w.Fault != nil {
				theirs = upstream.Pass(w)
			}
		}
		if life.Divergence, _ = CheckAgainst(w.Clone(), theirs, rules); life.Divergence != nil {
			return life
		}
		ours, err := planned.Pass(w, rules)
		if err != nil {
			panic(err) // the comparison has just made this plan
		}
		for i := range ours.Stages {
			w.Apply(ours.Stages[i].Writes())
		}
		wrote := len(ours.Stages) > 0
		w.Fault = nil
		if !environment.Step(trouble) && !wrote && !trouble {
			life.Rested = true
			return life
		}
	}
	return life
}

// LivesReport is the result of many lives.
type LivesReport struct {
	Lives, Passes, Rested int
	Divergences           []Found
}

// RunLives runs the lives of the options' worlds. Equal options give equal reports.
func RunLives(o Options) LivesReport {
	var total LivesReport
	inBlocks(&o, func(index int) Life { return Live(o.Seed, index, o.Rules) },
		func(index int, life Life) {
			total.Lives++
			total.Passes += life.Passes
			if life.Rested {
				total.Rested++
			}
			if life.Divergence != nil {
				total.Divergences = append(total.Divergences, Found{Index: index, Life: true, Divergence: life.Divergence})
			}
		},
		func() bool { return o.enough(&total.Divergences) })
	return total
}

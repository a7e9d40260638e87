package oracle

import (
	"math/rand"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/test/oracle/planned"
	"github.com/setplan/setplan/test/oracle/upstream"
	"github.com/setplan/setplan/test/oracle/world"
)

// How long a life lasts: so many steps with trouble, and so many to come to rest.
const (
	troubled = 25
	calm     = 150
)

// Life is what became of one.
type Life struct {
	Passes int
	// Rested is whether nothing was left to do at the end. Not every life ends so: upstream waits for ever for some pods.
	Rested bool
	*Divergence
}

// Live lets the world of a number live. In each pass both sides decide on the same world and must send the same
// requests, some of which the API refuses; these are carried out, time passes, pods start, fail and end, users edit. Since
// the requests are the same, so is the end.
func Live(seed int64, index int, change func(*engine.Rules)) Life {
	w := World(seed, index)
	rules := Rules(w.Gate)
	if change != nil {
		change(&rules)
	}
	d := rand.New(rand.NewSource(mix(seed+2, index))) //nolint:gosec // it has to be the same each time
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
			panic(err) // the comparison has just made the same plan
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

// LivesReport is what many lives came to.
type LivesReport struct {
	Lives, Passes, Rested int
	Divergences           []Found
}

// RunLives leads the lives of the options' worlds. Equal options give equal reports.
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

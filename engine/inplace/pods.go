package inplace

import (
	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/model"
)

// Pods is what the set's pods run, and what they would be made of.
type Pods struct {
	claimtemplate.Known
	InPlace    inPlace
	deferred   resizePolicy                                  // of pods whose node has no room for their resources now
	infeasible resizePolicy                                  // of those whose node never has
	Excess     map[string]string                             // by revision, what is too large in it
	failed     func(*model.Action, ...string) *model.Outcome // what has failed before; nil: nothing
	remembered
}

// remembered is what was computed from the rest, on first use.
type remembered struct {
	compared      comparisons                   // see DifferenceTo
	records       map[*model.Annotations]readOf // see recordIn
	recorded      int                           // values of records that have been read
	flights       map[*model.Pod]*Flight        // see NoteFlight
	lowestUpdated int                           // slot + 1; 0: not asked for yet; see updated
}

package engine

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// taking is what the plan is about to do: it replaces a pod or changes it in place, and the pod then has this revision.
type taking struct {
	pod      *model.Pod
	revision string
	repair   bool // because the pod cannot become ready as it is
}

// held says why a pod stays for now.
type held struct {
	block model.Block
	until string // what has to happen, as the sentence about a repair goes on
}

// holds reports whether the set uses a feature that may keep pods. A new one goes here, into kept, and into a file of its own.
func (v *view) holds() bool { return v.Gates.Before.Text != "" }

// kept asks these features, in their order; nil: the pod may go. The first that keeps it is told.
func (v *view) kept(t taking, out *state.Draft) (why *held) {
	if why = v.gateHolds(&t); why != nil {
		out.TellOnce(why.block)
	}
	return why
}

package state

import "github.com/setplan/setplan/engine/model"

// finalizers tells which of the finalizers that the planner knows the set has. It is read on first use.
type finalizers struct{ read, drain, Orphan bool }

func (v *View) ReadFinalizers() *finalizers {
	f := &v.finalizers
	if f.read {
		return f
	}
	f.read = true
	for _, name := range v.Set.Finalizers {
		f.drain = f.drain || name == model.FinalizerDrain
		f.Orphan = f.Orphan || name == model.FinalizerOrphan
	}
	return f
}

// HasDrainFinalizer reports whether the set stays until it is drained.
func (v *View) HasDrainFinalizer() bool { return v.ReadFinalizers().drain }

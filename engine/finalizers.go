package engine

import "github.com/setplan/setplan/engine/model"

// finalizers tells which of the finalizers that the planner knows the set has. It is read on first use.
type finalizers struct{ read, drain, orphan bool }

func (v *view) readFinalizers() *finalizers {
	f := &v.finalizers
	if f.read {
		return f
	}
	f.read = true
	for _, name := range v.set.Finalizers {
		f.drain = f.drain || name == model.FinalizerDrain
		f.orphan = f.orphan || name == model.FinalizerOrphan
	}
	return f
}

func (v *view) hasDrainFinalizer() bool { return v.readFinalizers().drain }

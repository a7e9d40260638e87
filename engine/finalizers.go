package engine

// finalizers are those of the set that mean something here.
type finalizers struct{ read, drain, orphan bool }

func (v *view) readFinalizers() *finalizers {
	f := &v.ends
	if f.read {
		return f
	}
	f.read = true
	for _, name := range v.set.Finalizers {
		v.meter.work(partFinalizers, 1)
		f.drain = f.drain || name == finalizerDrain
		f.orphan = f.orphan || name == finalizerOrphan
	}
	return f
}

func (v *view) hasDrainFinalizer() bool { return v.readFinalizers().drain }

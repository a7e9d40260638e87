package sim

// ActFor says which set the adapter's next writes are for.
func (a *Adapter) ActFor(set string) { a.acting = set }

// ActsOn is what the adapter of a name acts on, and the set that it writes for; nil where there is none, or it is another
// controller, whose writes are not ours to answer for.
func (w *World) ActsOn(adapter string) (view *View, set string) {
	for _, a := range w.adapters {
		if a.name == adapter && !a.alien {
			view, set = &a.view, a.acting
		}
	}
	return view, set
}

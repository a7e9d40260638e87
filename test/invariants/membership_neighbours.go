package invariants

import (
	"github.com/setplan/setplan/adapters/sim"
)

import "slices"

// hasNeighbour reports whether another set has a claim template by which claims get the names that one of the set's has.
func (r *reading) hasNeighbour() bool {
	for _, name := range r.state.Names(sim.KindSet) {
		other := read(r.state, name)
		if other == nil || name == r.set.Name {
			continue
		}
		for _, theirs := range other.spec.ClaimTemplateNames() {
			if slices.ContainsFunc(r.spec.ClaimTemplateNames(), func(ours string) bool { return theirs+"-"+name == ours+"-"+r.set.Name }) {
				return true
			}
		}
	}
	return false
}

package engine

import "strings"

// drains tells whether data of ordinals that leave the range is the drain's, so that nobody else may delete it: also
// while the policy cannot be used.
func (v *view) drains() bool { return v.drain.on || v.drain.held }

// keepsAll tells whether nothing may be deleted that does not come back: what a set asks for is not known.
func (v *view) keepsAll() bool { return v.unsure || v.drain.held }

// emptying tells whether the set is being deleted and is drained first.
func (v *view) emptying() bool { return v.drain.emptying }

// aloneWithDrain tells whether another controller runs the set.
func (v *view) aloneWithDrain() bool { return v.drain.alone }

// handsOff tells whether nothing may be adopted or released.
func (v *view) handsOff() bool { return v.deleting() || v.aloneWithDrain() }

// isDrainPod tells whether a pod is a drain pod of this set. One that the set controls is a replica whatever it says.
func (v *view) isDrainPod(p *Pod) bool {
	return !v.drain.none() && p.drainSet() == v.drain.mark && v.controllerOf(p.Owners) == nil
}

// ofSameName tells whether a mark is this set's, or an earlier one's of its name.
func (v *view) ofSameName(mark string) bool {
	return strings.HasPrefix(mark, v.set.Name+"/")
}

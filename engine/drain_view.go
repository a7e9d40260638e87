package engine

import (
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
)

// drainPolicy is the drain policy after its checks. The zero policy is that of a set that has none and bears no traces of one: nothing
// is drained, held or marked.
type drainPolicy struct {
	mark      string         // what the set's claims and drain pods bear
	asked     *drainSettings // nil: only traces
	on        bool           // there is a template, and everything can be used
	held      bool           // something cannot be used: nothing is deleted that the policy might have protected
	drainOnly bool           // another controller runs the set
	emptying  bool           // the set is being deleted, and every ordinal counts as outside the range

	cancel, leftovers, onDelete, ask, proof bool
	most                                    int // ordinals of a Parallel set on their way out at once
	template                                jsontree.Value
}

// drains reports whether only the drain may delete data of ordinals that leave the range, even while its policy cannot be used.
func (v *view) drains() bool { return v.drain.on || v.drain.held }

// drainsOnDelete reports whether the set is drained before it goes.
func (v *view) drainsOnDelete() bool { return v.drains() && v.drain.onDelete }

// claimMark is what a new claim bears, so that it is drained when it leaves; empty: nothing.
func (v *view) claimMark() string {
	if v.drain.on {
		return v.drain.mark
	}
	return ""
}

// keepsAll reports whether nothing may be deleted for good, because what the set asks for is not known.
func (v *view) keepsAll() bool { return v.unsure || v.drain.held }

// isDrainPod reports whether a pod is a drain pod of this set. A pod that the set controls is a replica, whatever its annotations say.
func (v *view) isDrainPod(p *Pod) bool {
	return !v.drain.none() && p.drainSet() == v.drain.mark && v.controllerOf(p.Owners) == nil
}

// ofSameName reports whether a mark is this set's, or an earlier one's of its name.
func (v *view) ofSameName(mark string) bool {
	return strings.HasPrefix(mark, v.set.Name+"/")
}

func (p *drainPolicy) none() bool { return p.mark == "" }

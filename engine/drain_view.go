package engine

import (
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
)

// drainPolicy is the checked drain policy. The zero policy is that of a set that never had one: nothing is drained, held back or marked.
type drainPolicy struct {
	mark      string         // the value of drain-set on the set's claims and drain pods
	asked     *drainSettings // nil: only traces
	on        bool           // there is a template, and every value is valid
	held      bool           // a value is invalid: nothing is deleted that the policy might have protected
	drainOnly bool           // another controller runs the set
	emptying  bool           // the set is being deleted, and every ordinal counts as outside the range

	cancel, leftovers, onDelete, ask, proof bool
	most                                    int // ordinals of a Parallel set that leave at once
	template                                jsontree.Value
}

// drains reports whether only the drain may delete data of ordinals that leave the range, even while its policy is invalid.
func (v *view) drains() bool { return v.drain.on || v.drain.held }

// drainsOnDelete reports whether a deleted set is drained first.
func (v *view) drainsOnDelete() bool { return v.drains() && v.drain.onDelete }

// claimMark is the mark of new claims, so that they are drained when they leave; empty: none.
func (v *view) claimMark() string {
	if v.drain.on {
		return v.drain.mark
	}
	return ""
}

// keepsAll reports whether nothing may be deleted for good, because the set's policy is not fully known.
func (v *view) keepsAll() bool { return v.unsure || v.drain.held }

// isDrainPod reports whether a pod is a drain pod of this set. A pod that the set controls is a replica, whatever its annotations say.
func (v *view) isDrainPod(p *model.Pod) bool {
	return !v.drain.none() && drainSetOf(p) == v.drain.mark && controllerOf(p.Owners) == nil
}

// ofSameName reports whether a mark is for this set or an earlier one of its name. A namesake is neither.
func (v *view) ofSameName(mark string) bool {
	uid, named := strings.CutPrefix(mark, v.set.Name+"/")
	return named && (v.namesake == nil || uid != v.namesake.UID)
}

func (p *drainPolicy) none() bool { return p.mark == "" }

package state

import (
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
)

// DrainPolicy is the checked drain policy. The zero policy is that of a set that never had one: nothing is drained, held back or marked.
type DrainPolicy struct {
	Mark      string         // the value of drain-set on the set's claims and drain pods
	Asked     *DrainSettings // nil: only traces
	On        bool           // there is a template, and every value is valid
	Held      bool           // a value is invalid: nothing is deleted that the policy might have protected
	DrainOnly bool           // another controller runs the set
	Emptying  bool           // the set is being deleted, and every ordinal counts as outside the range

	Cancel, Leftovers, OnDelete, Ask, Proof bool
	Most                                    int // ordinals of a Parallel set that leave at once
	Template                                jsontree.Value
}

// Drains reports whether only the drain may delete data of ordinals that leave the range, even while its policy is invalid.
func (v *View) Drains() bool { return v.Drain.On || v.Drain.Held }

// DrainsOnDelete reports whether a deleted set is drained first.
func (v *View) DrainsOnDelete() bool { return v.Drains() && v.Drain.OnDelete }

// ClaimMark is the mark of new claims, so that they are drained when they leave; empty: none.
func (v *View) ClaimMark() string {
	if v.Drain.On {
		return v.Drain.Mark
	}
	return ""
}

// KeepsAll reports whether nothing may be deleted for good, because the set's policy is not fully known.
func (v *View) KeepsAll() bool { return v.Unsure || v.Drain.Held }

// IsDrainPod reports whether a pod is a drain pod of this set. A pod that the set controls is a replica, whatever its annotations say.
func (v *View) IsDrainPod(p *model.Pod) bool {
	return !v.Drain.None() && DrainSetOf(p) == v.Drain.Mark && ControllerOf(p.Owners) == nil
}

// OfSameName reports whether a mark is for this set or an earlier one of its name. A namesake is neither.
func (v *View) OfSameName(mark string) bool {
	uid, named := strings.CutPrefix(mark, v.Set.Name+"/")
	return named && (v.Namesake == nil || uid != v.Namesake.UID)
}

// None reports whether there is neither a policy nor a trace of one.
func (p *DrainPolicy) None() bool { return p.Mark == "" }

// Orphans reports whether the set is deleted with orphaning, which keeps the data. The garbage collector removes its finalizer when it has
// orphaned the objects, possibly before we look. Then a matching revision or pod without a controller tells; a background or foreground
// deletion never leaves one.
func (v *View) Orphans() bool {
	if v.ReadFinalizers().Orphan || v.OrphanRevisions() {
		return true
	}
	for i := range v.Snap.Pods {
		p := &v.Snap.Pods[i]
		if _, ours := v.OrdinalOf(p); ours && ControllerOf(p.Owners) == nil && !v.IsDrainPod(p) && v.SelectsPod(p) {
			return true
		}
	}
	return false
}

// Setting is one value of the drain policy: its text and its source. Values of the caller's Policy have the text that an annotation would
// have.
type Setting struct {
	Text, Source string
	Typed        bool // from the caller, not from an annotation
}

// DrainSettings is the requested drain policy, unchecked.
type DrainSettings struct {
	AskedTemplate
	ScaleUp, MaxParallel, Leftovers, OnDelete, Ask, Proof Setting

	DrainOnly bool // another controller runs the set
}

// AskedTemplate is the requested template of drain pods, unchecked.
type AskedTemplate struct {
	Template     []byte  // JSON, or the text that could not be made JSON
	TemplateFrom Setting // its source
	Problem      string  // why the template's text could not be made JSON
	OtherSources []string
}

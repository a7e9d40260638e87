package state

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/ordinals"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/policy"
)

// View is a set as one pass sees it: what is read of it first, and what every room asks. The steps that read fill it in; those that decide only read it.
type View struct {
	*plan.Caller
	Snap  *model.Snapshot
	Set   *model.Set
	Rules model.Rules
	Availability

	asked
	found
}

// asked is what the set asks for.
type asked struct {
	fields   map[string]policy.Asked // what fields of the set's kind say, by the annotation of the same meaning
	Ordinals ordinals.Range
	Guard    bool // only reserved pods are taken away
	Paused   Pause
	Unsure   bool         // the set has unknown annotations
	Drain    DrainPolicy  // zero: neither a policy, nor a trace of one
	Namesake *model.Owner // an object of the set's name and of another kind has pods

	Size           int // how many slots the range has
	BelowPartition int // how many of them the partition holds
	remembered
}

// remembered is what was computed from the rest, on first use.
type remembered struct {
	matching   matching
	finalizers finalizers
}

// found is which objects the set has.
type found struct {
	Revisions []*model.Revision // the set's, in the order of the history
	Members   []Member          // the set's pods, those just adopted included
	Strangers []*model.Pod      // pods that are not the set's

	Replicas  []*model.Pod // by slot, which is the place in the range; nil where there is none
	Condemned []Member     // outside the range, descending ordinals

	Current   RevisionChoice
	Update    RevisionChoice
	Collision int32        // the set's collision count, as revisions are named now
	Leaving   int          // replicas outside the range at the current revision that may stay for a while; see inplace.StaysCurrent
	Growing   map[int]bool // by slot: the pod is recreated so that a file system grows

	RecreationHeld bool // outdated pods of a set with the strategy Recreate stay for now, and what is missing comes back at the current revision
}

// Begin fills in what the snapshot says by itself.
func (v *View) Begin(s *model.Snapshot, c *plan.Caller) {
	v.Caller = c
	v.Snap, v.Set, v.Rules, v.Now = s, &s.Set, s.Rules, s.ObservedAt
}

// Newest is the revision with the highest number.
func (v *View) Newest() *model.Revision {
	if n := len(v.Revisions); n > 0 {
		return v.Revisions[n-1]
	}
	return nil
}

// Deleting reports whether the set is being deleted.
func (v *View) Deleting() bool { return !v.Set.DeletedAt.IsZero() }

// Parallel reports whether pods need not wait for each other.
func (v *View) Parallel() bool { return v.Set.PodManagementPolicy == "Parallel" }

// Ordinal returns the ordinal of a place in the range.
func (v *View) Ordinal(slot int) int32 { return int32(v.Ordinals.At(slot)) }

// SlotOf returns the place of an ordinal in the range.
func (v *View) SlotOf(ordinal int32) (int, bool) {
	slot := v.Ordinals.SlotOf(ordinal)
	return slot, uint(slot) < uint(v.Size)
}

// ReadRange reads which slots there are. A set that is being deleted and drained first has none. The partition counts ordinals from the
// start on, reserved ones too.
func ReadRange(v *View) {
	if !v.Emptying() {
		v.Size = int(v.Set.Replicas)
	}
	v.BelowPartition = v.Ordinals.Below(int64(v.Set.OrdinalsStart) + int64(v.Partition()))
}

// UpdatedByHand reports whether outdated pods stay until somebody else deletes them.
func (v *View) UpdatedByHand() bool { return v.Set.StrategyType == "OnDelete" }

// Recreates reports whether an update takes all outdated pods away before it makes one.
func (v *View) Recreates() bool { return v.Set.StrategyType == "Recreate" }

// Partition is the ordinal, counted from the start, below which pods stay at the current revision.
func (v *View) Partition() int {
	if v.Set.RollingUpdate == nil || v.Recreates() {
		return 0
	}
	return max(0, int(v.Set.RollingUpdate.Partition))
}

// Emptying reports whether the set is being deleted and is drained first.
func (v *View) Emptying() bool { return v.Drain.Emptying }

// DrainOnly reports whether another controller runs the set.
func (v *View) DrainOnly() bool { return v.Drain.DrainOnly }

// AdoptsNothing reports whether nothing may be adopted or released.
func (v *View) AdoptsNothing() bool {
	return v.Deleting() || v.DrainOnly() || v.Paused == PauseAll || v.StandsStill()
}

// StandsStill reports whether pods are left alone because of a namesake. No drain takes claims then, whatever the rules say.
func (v *View) StandsStill() bool {
	return v.Namesake != nil && v.Rules.NamesakesKeepApart && !v.Deleting()
}

// OrdinalOf reads the ordinal that a pod's name means to this set.
func (v *View) OrdinalOf(p *model.Pod) (ordinal int32, ok bool) {
	parent, ordinal, canonical, ok := model.ParseMember(p.Name)
	return ordinal, ok && canonical && ordinal != model.NoOrdinal && parent == v.Set.Name
}

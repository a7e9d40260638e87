package engine

import (
	"math"
	"slices"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/ordinals"
)

// view is a set as one pass sees it. readSet and readObjects fill it in, in the order of the fields; the deciding steps only read it.
type view struct {
	*caller
	s        *model.Snapshot
	set      *model.Set
	rules    model.Rules
	now      time.Time
	minReady time.Duration

	fields       map[string]asked // what fields of the set's kind say, by the annotation of the same meaning
	ordinals     ordinals.Range
	guard        bool // only reserved pods are taken away
	paused       pause
	ranking      ranking
	gates        gates
	inPlace      inPlace
	deferred     resizePolicy             // of pods whose node has no room for their resources now
	infeasible   resizePolicy             // of those whose node never has
	budgets      bool                     // whether disruption budgets are respected: see takeAway
	failed       map[string]model.Outcome // what has failed, by the id of the action, where budgets are respected
	scaleUpLimit int                      // of pods that were created and are not ready, where the set is Parallel; see readScaleUpLimit
	templates    []claimTemplate          // the set's own, and after them those that it adds, by name
	claimPolicy  claimPolicy              // zero: claims stay as they were made
	wants        []claimWant              // by template; nil: there is no such policy
	growing      map[int]bool             // by slot: the pod is recreated so that a file system grows
	removals     removals                 // zero: all pods have all claim templates
	said         map[string][]saidOf      // by revision: what its data says of claim templates; nil: no revision says anything
	unsure       bool                     // the set has unknown annotations
	noPods       bool                     // the API server would refuse every pod; see readLimits
	longNames    bool                     // it would refuse those of the highest ordinals
	excess       map[string]string        // by revision, what is too large in it
	drain        drainPolicy              // zero: neither a policy, nor a trace of one
	namesake     *model.Owner             // an object of the set's name and of another kind has pods
	shared       bool                     // another set calls claims as this one does, and the retention policy would delete some

	deletesOnScale, deletesOnDelete bool // claims, with their pod or with the set
	size                            int  // how many slots the range has
	belowPartition                  int  // how many of them the partition holds

	revisions []*model.Revision // the set's, in the order of the history
	members   []member          // the set's pods, those just adopted included
	oddNames  int               // members without a canonical name; none under CanonicalOrdinalsOnly
	strangers []*model.Pod      // pods that are not the set's

	replicas  []*model.Pod       // by slot, which is the place in the range; nil where there is none
	anyChosen bool               // a replica has the annotation by which somebody wants it recreated
	condemned []member           // outside the range, descending ordinals
	taken     map[int]*model.Pod // by slot: strangers with that name
	claims    claimIndex

	current   revisionChoice
	update    revisionChoice
	collision int32
	leaving   int // replicas outside the range at the current revision that may stay for a while; see staysCurrent
	repairs   repairPolicy

	remembered
}

// remembered holds what was computed from the rest of the view, on first use.
type remembered struct {
	matching      matching
	finalizers    finalizers
	compared      comparisons                   // see differenceTo
	records       map[*model.Annotations]readOf // see recordIn
	recorded      int                           // values of records that have been read
	flights       map[*model.Pod]*flight        // see noteFlight
	onWay         []*model.Pod                  // see podsOnTheWay
	onWayRead     bool
	nearMisses    map[*model.Labels]string // see nearMiss
	lowestUpdated int                      // slot + 1; 0: not asked for yet; see updated
	named         map[string]int           // see templateNamed
	usual         map[volumesAt][]bool     // see boundAsUsual
}

// begin fills in what the snapshot says by itself. It fills a view in place, because a view is large.
func (v *view) begin(s *model.Snapshot, c *caller) {
	v.caller = c
	v.s, v.set, v.rules, v.now = s, &s.Set, s.Rules, s.ObservedAt
	v.minReady, v.scaleUpLimit = time.Duration(s.Set.MinReadySeconds)*time.Second, math.MaxInt
}

// newest is the revision with the highest number.
func (v *view) newest() *model.Revision {
	if n := len(v.revisions); n > 0 {
		return v.revisions[n-1]
	}
	return nil
}

func (v *view) deleting() bool { return !v.set.DeletedAt.IsZero() }
func (v *view) parallel() bool { return v.set.PodManagementPolicy == "Parallel" }

// ordinal returns the ordinal of a place in the range.
func (v *view) ordinal(slot int) int32 { return int32(v.ordinals.At(slot)) }

// slotOf returns the place of an ordinal in the range.
func (v *view) slotOf(ordinal int32) (int, bool) {
	slot := v.ordinals.SlotOf(ordinal)
	return slot, uint(slot) < uint(v.size)
}

// readRange reads which slots there are. A set that is being deleted and drained first has none. The partition counts ordinals from the
// start on, reserved ones too.
func readRange(v *view) {
	if !v.emptying() {
		v.size = int(v.set.Replicas)
	}
	v.belowPartition = v.ordinals.Below(int64(v.set.OrdinalsStart) + int64(v.partition()))
}

func (v *view) partition() int {
	if v.set.RollingUpdate == nil {
		return 0
	}
	return max(0, int(v.set.RollingUpdate.Partition))
}

// outdated reports whether a pod would be recreated at another revision. An ordinal without a pod is not outdated: a pass does not
// delete what it creates. A pod whose images change in place is, until it is known what it runs.
func (v *view) outdated(p *model.Pod) bool {
	return p != nil && (p.Revision != v.update.name || p.Annotations != nil && v.flightOf(p) != nil)
}

// updateLeft reports whether the update has a pod left to replace.
func (v *view) updateLeft() bool {
	if v.updatedByHand() {
		return false
	}
	from := v.belowPartition
	return from < len(v.replicas) && slices.ContainsFunc(v.replicas[from:], v.outdated)
}

// atRest reports whether a pod is at a revision, and not on its way from it or back to it.
func (v *view) atRest(p *model.Pod, revision string) bool {
	return p.Revision == revision && (p.Annotations == nil || !v.underWay(p))
}

// staysCurrent reports whether an ordinal's new pod is made from the current revision (newVersionedStatefulSetPod). With a nil
// rollingUpdate, pods outside the range that stay must not count, or the update never ends; else they are deleted before the update
// begins.
func (v *view) staysCurrent(slot int) bool {
	if v.excluded(v.update.name) {
		return true // none can be made at the other one
	}
	if v.paused != pauseNothing {
		return slot < max(v.belowPartition, v.updated())
	}
	if v.updatedByHand() {
		// Upstream's condition binds so that a partition counts under OnDelete too; validation forbids that pair.
		return slot < v.belowPartition
	}
	if v.set.RollingUpdate == nil && !v.ranking.on { // by ranks, the updated pods are not the highest ones
		return slot < int(v.set.Status.CurrentReplicas)-v.leaving
	}
	return slot < v.belowPartition
}

// excluded reports whether no pod can have a revision, because the API server would refuse it.
func (v *view) excluded(revision string) bool {
	return v.rules.KnownLimits && !v.deleting() && (len(revision) > longestLabel || v.excess[revision] != "")
}

// comesBackAt is the revision that an ordinal's new pod is made from.
func (v *view) comesBackAt(slot int) string {
	if v.staysCurrent(slot) {
		return v.current.name
	}
	return v.update.name
}

// updated is the lowest slot with a pod at the update revision: a paused rollout has come down to there.
func (v *view) updated() int {
	if v.lowestUpdated == 0 {
		v.lowestUpdated = len(v.replicas) + 1
		for slot, p := range v.replicas {
			if p != nil && v.atRest(p, v.update.name) {
				v.lowestUpdated = slot + 1
				break
			}
		}
	}
	return v.lowestUpdated - 1
}

// emptying reports whether the set is being deleted and is drained first.
func (v *view) emptying() bool { return v.drain.emptying }

// drainOnly reports whether another controller runs the set.
func (v *view) drainOnly() bool { return v.drain.drainOnly }

// adoptsNothing reports whether nothing may be adopted or released.
func (v *view) adoptsNothing() bool {
	return v.deleting() || v.drainOnly() || v.paused == pauseAll || v.standsStill()
}

// standsStill reports whether pods are left alone because of a namesake. No drain takes claims then, whatever the rules say.
func (v *view) standsStill() bool {
	return v.namesake != nil && v.rules.NamesakesKeepApart && !v.deleting()
}

// ordinalOf reads the ordinal that a pod's name means to this set.
func (v *view) ordinalOf(p *model.Pod) (ordinal int32, ok bool) {
	parent, ordinal, canonical, ok := model.ParseMember(p.Name)
	return ordinal, ok && canonical && ordinal != model.NoOrdinal && parent == v.set.Name
}

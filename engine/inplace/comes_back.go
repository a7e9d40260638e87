package inplace

import (
	"slices"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// Outdated reports whether a pod would be recreated at another revision. An ordinal without a pod is not outdated: a pass does not
// delete what it creates. A pod whose images change in place is, until it is known what it runs.
func (v *Pods) Outdated(p *model.Pod) bool {
	return p != nil && (p.Revision != v.Update.Name || p.Annotations != nil && v.FlightOf(p) != nil)
}

// UpdateLeft reports whether the update has a pod left to replace.
func (v *Pods) UpdateLeft() bool {
	if v.UpdatedByHand() {
		return false
	}
	from := v.BelowPartition
	return from < len(v.Replicas) && slices.ContainsFunc(v.Replicas[from:], v.Outdated)
}

// OldLeft reports whether an outdated pod is there, in the range or outside it.
func (v *Pods) OldLeft() bool {
	return slices.ContainsFunc(v.Replicas, v.Outdated) || slices.ContainsFunc(v.Condemned, func(m state.Member) bool { return v.Outdated(m.Pod) })
}

// NoneUpdated reports whether no pod of the range is at the update revision.
func (v *Pods) NoneUpdated() bool { return v.updated() == len(v.Replicas) }

// AtRest reports whether a pod is at a revision, and not on its way from it or back to it.
func (v *Pods) AtRest(p *model.Pod, revision string) bool {
	return p.Revision == revision && (p.Annotations == nil || !v.UnderWay(p))
}

// StaysCurrent reports whether an ordinal's new pod is made from the current revision (newVersionedStatefulSetPod). With a nil
// rollingUpdate, pods outside the range that stay must not count, or the update never ends; else they are deleted before the update
// begins.
func (v *Pods) StaysCurrent(slot int) bool {
	if v.Excluded(v.Update.Name) {
		return true // none can be made at the other one
	}
	if v.Recreates() {
		return v.RecreationHeld
	}
	if v.Paused != state.PauseNothing {
		return slot < max(v.BelowPartition, v.updated())
	}
	if v.UpdatedByHand() {
		// Upstream's condition binds so that a partition counts under OnDelete too; validation forbids that pair.
		return slot < v.BelowPartition
	}
	if v.Set.RollingUpdate == nil && !v.Ranking.On { // by ranks, the updated pods are not the highest ones
		return slot < int(v.Set.Status.CurrentReplicas)-v.Leaving
	}
	return slot < v.BelowPartition
}

// Excluded reports whether no pod can have a revision, because the API server would refuse it.
func (v *Pods) Excluded(revision string) bool {
	return v.Rules.KnownLimits && !v.Deleting() && (len(revision) > state.LongestLabel || v.Excess[revision] != "")
}

// ComesBackAt is the revision that an ordinal's new pod is made from.
func (v *Pods) ComesBackAt(slot int) string {
	if v.StaysCurrent(slot) {
		return v.Current.Name
	}
	return v.Update.Name
}

// updated is the lowest slot with a pod at the update revision: a paused rollout has come down to there.
func (v *Pods) updated() int {
	if v.lowestUpdated == 0 {
		v.lowestUpdated = len(v.Replicas) + 1
		for slot, p := range v.Replicas {
			if p != nil && v.AtRest(p, v.Update.Name) {
				v.lowestUpdated = slot + 1
				break
			}
		}
	}
	return v.lowestUpdated - 1
}

package engine

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// Bounds of what a decision does for each pod or claim. What Kubernetes runs is far within them; of a set that is not nothing is done, and a block says so.
// So a decision takes a time that is proportional to the snapshot, and nobody has to count while it is made.
const (
	mostClaimTemplates = 100
	mostRequirements   = 100   // labels and expressions of the selector
	mostRequiredValues = 1_000 // of all expressions together
	mostOwners         = 50    // of one object
	mostVolumes        = 200   // of one pod, each with a claim of the pod's name
)

// withinBounds reports whether the snapshot is within the bounds. If not, a block says what is not.
func withinBounds(v *view, out *draft) bool {
	selector, values := &v.set.Selector, 0
	for i := range selector.Expressions {
		values += len(selector.Expressions[i].Values)
	}
	requirements := len(selector.MatchLabels) + len(selector.Expressions)
	switch {
	case len(v.set.ClaimTemplates) > mostClaimTemplates:
		out.block(blockTooManyClaimTemplates(v.set))
	case requirements > mostRequirements:
		out.block(blockTooManyRequirements(v.set, requirements))
	case values > mostRequiredValues:
		out.block(blockTooManyValues(v.set, values))
	default:
		return v.objectsWithinBounds(out)
	}
	return false
}

// objectsWithinBounds names the first object that exceeds a bound: pods for their volumes, then pods, claims and revisions for their owners, by name.
func (v *view) objectsWithinBounds(out *draft) bool {
	var kind, name, what string
	count, most := 0, 0
	note := func(k, n, w string, c, m int) {
		if c > m && (count == 0 || k == kind && w == what && n < name) {
			kind, name, what, count, most = k, n, w, c, m
		}
	}
	for i := range v.s.Pods {
		note(model.KindPod, v.s.Pods[i].Name, "volume", len(v.s.Pods[i].Volumes), mostVolumes)
	}
	for i := range v.s.Pods {
		note(model.KindPod, v.s.Pods[i].Name, "owner", len(v.s.Pods[i].Owners), mostOwners)
	}
	for i := range v.s.Claims {
		note(model.KindClaim, v.s.Claims[i].Name, "owner", len(v.s.Claims[i].Owners), mostOwners)
	}
	for i := range v.s.Revisions {
		note(model.KindRevision, v.s.Revisions[i].Name, "owner", len(v.s.Revisions[i].Owners), mostOwners)
	}
	if count > 0 {
		out.block(blockTooMany(v.set, kind+" "+prose.Short(name), count, what, most))
	}
	return count == 0
}

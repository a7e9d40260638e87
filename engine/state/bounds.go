package state

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

// WithinBounds reports whether the snapshot is within the bounds. If not, a block says what is not.
func WithinBounds(v *View, out *Draft) bool {
	selector, values := &v.Set.Selector, 0
	for i := range selector.Expressions {
		values += len(selector.Expressions[i].Values)
	}
	requirements := len(selector.MatchLabels) + len(selector.Expressions)
	switch {
	case len(v.Set.ClaimTemplates) > mostClaimTemplates:
		out.Block(blockTooManyClaimTemplates(v.Set))
	case requirements > mostRequirements:
		out.Block(blockTooManyRequirements(v.Set, requirements))
	case values > mostRequiredValues:
		out.Block(blockTooManyValues(v.Set, values))
	default:
		return v.objectsWithinBounds(out)
	}
	return false
}

// objectsWithinBounds names the first object that exceeds a bound: pods for their volumes, then pods, claims and revisions for their owners, by name.
func (v *View) objectsWithinBounds(out *Draft) bool {
	var kind, name, what string
	count, most := 0, 0
	note := func(k, n, w string, c, m int) {
		if count == 0 || k == kind && w == what && n < name {
			kind, name, what, count, most = k, n, w, c, m
		}
	}
	for i := range v.Snap.Pods {
		if p := &v.Snap.Pods[i]; len(p.Volumes) > mostVolumes {
			note(model.KindPod, p.Name, "volume", len(p.Volumes), mostVolumes)
		}
	}
	for i := range v.Snap.Pods {
		if p := &v.Snap.Pods[i]; len(p.Owners) > mostOwners {
			note(model.KindPod, p.Name, "owner", len(p.Owners), mostOwners)
		}
	}
	for i := range v.Snap.Claims {
		if c := &v.Snap.Claims[i]; len(c.Owners) > mostOwners {
			note(model.KindClaim, c.Name, "owner", len(c.Owners), mostOwners)
		}
	}
	for i := range v.Snap.Revisions {
		if r := &v.Snap.Revisions[i]; len(r.Owners) > mostOwners {
			note(model.KindRevision, r.Name, "owner", len(r.Owners), mostOwners)
		}
	}
	if count > 0 {
		out.Block(blockTooMany(v.Set, kind+" "+prose.Short(name), count, what, most))
	}
	return count == 0
}

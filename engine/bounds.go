package engine

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
		return v.ownersWithinBounds(out)
	}
	return false
}

// ownersWithinBounds names the first object by kind and name that has too many owners.
func (v *view) ownersWithinBounds(out *draft) bool {
	var kind, name string
	owners := 0
	note := func(k, n string, list []Owner) {
		if len(list) > mostOwners && (owners == 0 || k == kind && n < name) {
			kind, name, owners = k, n, len(list)
		}
	}
	for i := range v.s.Pods {
		if volumes := len(v.s.Pods[i].Volumes); volumes > mostVolumes {
			out.block(blockTooMany(v.set, KindPod+" "+short(v.s.Pods[i].Name), volumes, "volume", mostVolumes))
			return false
		}
		note(KindPod, v.s.Pods[i].Name, v.s.Pods[i].Owners)
	}
	for i := range v.s.Claims {
		note(KindClaim, v.s.Claims[i].Name, v.s.Claims[i].Owners)
	}
	for i := range v.s.Revisions {
		note(KindRevision, v.s.Revisions[i].Name, v.s.Revisions[i].Owners)
	}
	if owners == 0 {
		return true
	}
	out.block(blockTooManyOwners(v.set, kind, name, owners))
	return false
}

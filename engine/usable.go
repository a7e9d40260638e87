package engine

import (
	"fmt"
)

// usable reports whether anything may be decided at all. An invalid but harmless value gets its safe meaning, and a block quotes the field:
// a bad value never widens what may be deleted.
func usable(v *view, out *draft) bool {
	if missing := v.missingCoverage(); len(missing) > 0 {
		out.block(blockCoverageIncomplete(v.set, missing))
		return false
	}
	if err := checkSelector(&v.set.Selector); err != nil {
		out.block(blockInvalidSelector(v.set, err))
		return false
	}
	if !withinBounds(v, out) || !knownSpec(v, out) {
		return false
	}
	checkRetention(v, out)
	return true
}

func (v *view) missingCoverage() (missing []string) {
	if !v.s.Coverage.Pods {
		missing = append(missing, "pods")
	}
	mayAdd := v.set.Annotations[annotationClaimTemplates] != "" && v.s.Policy.WholeSet()
	if !v.s.Coverage.Claims && (mayAdd || len(v.set.ClaimTemplates) > 0) {
		missing = append(missing, "claims")
	}
	if !v.s.Coverage.Revisions {
		missing = append(missing, "revisions")
	}
	return missing
}

// knownSpec checks what upstream leaves to the API server, which may not have checked it for kinds other than apps/v1.
func knownSpec(v *view, out *draft) bool {
	switch policy := v.set.PodManagementPolicy; policy {
	case "", "OrderedReady", "Parallel":
	default:
		out.block(blockInvalidSpec(v.set, "spec.podManagementPolicy", policy, anOrder))
		return false
	}
	switch strategy := v.set.StrategyType; strategy {
	case "", "RollingUpdate", "OnDelete":
	default:
		out.block(blockInvalidSpec(v.set, "spec.updateStrategy.type", strategy, aStrategy))
		return false
	}
	if v.set.Replicas > MaxReplicas {
		out.block(blockInvalidSpec(v.set, "spec.replicas", fmt.Sprint(v.set.Replicas), numberUpTo(MaxReplicas)))
		return false
	}
	return readOrdinals(v, out)
}

func checkRetention(v *view, out *draft) {
	for _, policy := range []struct{ field, value string }{
		{"whenDeleted", v.set.WhenDeleted}, {"whenScaled", v.set.WhenScaled},
	} {
		switch policy.value {
		case "", "Retain", "Delete":
		default:
			out.block(blockInvalidSpec(v.set, "spec.persistentVolumeClaimRetentionPolicy."+policy.field, policy.value, aRetention))
		}
	}
}

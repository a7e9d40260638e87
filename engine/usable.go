package engine

import (
	"fmt"

	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// usable reports whether anything may be decided at all. An invalid but harmless value gets its safe meaning, and a block quotes the field:
// a bad value never widens what may be deleted.
func usable(v *view, out *state.Draft) bool {
	if missing := v.missingCoverage(); len(missing) > 0 {
		out.Block(claimtemplate.BlockCoverageIncomplete(v.Set, missing))
		return false
	}
	if err := state.CheckSelector(&v.Set.Selector); err != nil {
		out.Block(blockInvalidSelector(v.Set, err))
		return false
	}
	if !state.WithinBounds(&v.View, out) || !knownSpec(v, out) {
		return false
	}
	checkRetention(v, out)
	return true
}

func (v *view) missingCoverage() (missing []string) {
	if !v.Snap.Coverage.Pods {
		missing = append(missing, "pods")
	}
	mayAdd := v.Set.Annotations[policy.ClaimTemplates] != "" && v.Snap.Policy.WholeSet()
	if !v.Snap.Coverage.Claims && (mayAdd || len(v.Set.ClaimTemplates) > 0) {
		missing = append(missing, "claims")
	}
	if !v.Snap.Coverage.Revisions {
		missing = append(missing, "revisions")
	}
	return missing
}

// knownSpec checks what upstream leaves to the API server, which may not have checked it for kinds other than apps/v1.
func knownSpec(v *view, out *state.Draft) bool {
	switch policy := v.Set.PodManagementPolicy; policy {
	case "", "OrderedReady", "Parallel":
	default:
		out.Block(blockInvalidSpec(v.Set, "spec.podManagementPolicy", policy, anOrder))
		return false
	}
	switch strategy := v.Set.StrategyType; {
	case strategy == "", strategy == "RollingUpdate", strategy == "OnDelete", strategy == "Recreate" && v.Rules.Recreates:
	case strategy == "Recreate":
		out.Block(blockNoRecreate(v.Set))
		return false
	default:
		out.Block(blockInvalidSpec(v.Set, "spec.updateStrategy.type", strategy, aStrategy))
		return false
	}
	if v.Set.Replicas > model.MaxReplicas {
		out.Block(blockInvalidSpec(v.Set, "spec.replicas", fmt.Sprint(v.Set.Replicas), numberUpTo(model.MaxReplicas)))
		return false
	}
	return readOrdinals(v, out)
}

func checkRetention(v *view, out *state.Draft) {
	for _, policy := range []struct{ field, value string }{
		{"whenDeleted", v.Set.WhenDeleted}, {"whenScaled", v.Set.WhenScaled},
	} {
		switch policy.value {
		case "", "Retain", "Delete":
		default:
			out.Block(blockInvalidSpec(v.Set, "spec.persistentVolumeClaimRetentionPolicy."+policy.field, policy.value, aRetention))
		}
	}
}

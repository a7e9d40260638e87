package engine

import (
	"fmt"
	"math"
	"strings"
)

// usable tells whether anything may be decided at all. What is odd but harmless is corrected to its safe meaning, with
// a block that quotes the field: a bad value never widens what may be deleted.
func usable(v *view, out *draft) bool {
	if missing := v.missingCoverage(); missing != "" {
		out.block(Block{Code: BlockCoverageIncomplete, Severity: Wait, Kind: v.set.Kind, Name: v.set.Name,
			Message: "The list of " + missing + " is not complete yet, so nothing is created or deleted."})
		return false
	}
	if err := v.set.Selector.check(); err != nil {
		out.attention(BlockInvalidSelector, fmt.Sprintf("spec.selector cannot be used: %v.", err),
			"Create the set anew with a selector that matches the labels of its pod template.")
		return false
	}
	if !knownSpec(v, out) {
		return false
	}
	checkRetention(v, out)
	return true
}

func (v *view) missingCoverage() string {
	var missing []string
	if !v.s.Coverage.Pods {
		missing = append(missing, "pods")
	}
	if !v.s.Coverage.Claims && len(v.set.ClaimTemplates) > 0 {
		missing = append(missing, "claims")
	}
	if !v.s.Coverage.Revisions {
		missing = append(missing, "revisions")
	}
	return strings.Join(missing, " and ")
}

// knownSpec checks what upstream leaves to the API server, which for other kinds than apps/v1 may not have checked it.
func knownSpec(v *view, out *draft) bool {
	switch policy := v.set.PodManagementPolicy; policy {
	case "", "OrderedReady", "Parallel":
	default:
		out.invalidSpec("spec.podManagementPolicy", policy, "OrderedReady or Parallel")
		return false
	}
	switch strategy := v.set.StrategyType; strategy {
	case "", "RollingUpdate", "OnDelete":
	default:
		out.invalidSpec("spec.updateStrategy.type", strategy, "RollingUpdate or OnDelete")
		return false
	}
	if v.set.Replicas > MaxReplicas {
		out.invalidSpec("spec.replicas", fmt.Sprint(v.set.Replicas), fmt.Sprintf("a number up to %d", MaxReplicas))
		return false
	}
	if last := int64(v.set.OrdinalsStart) + int64(v.set.Replicas) - 1; last > math.MaxInt32 {
		out.attention(BlockInvalidSpec, fmt.Sprintf("spec.ordinals.start is %d, and the last ordinal would be %d, which no pod's name can have.",
			v.set.OrdinalsStart, last), fmt.Sprintf("Lower spec.ordinals.start or spec.replicas: ordinals end at %d.", math.MaxInt32))
		return false
	}
	return true
}

func checkRetention(v *view, out *draft) {
	for _, policy := range []struct{ field, value string }{
		{"whenDeleted", v.set.WhenDeleted}, {"whenScaled", v.set.WhenScaled},
	} {
		switch policy.value {
		case "", "Retain", "Delete":
		default:
			out.invalidSpec("spec.persistentVolumeClaimRetentionPolicy."+policy.field, policy.value, "Retain or Delete")
		}
	}
}

func (out *draft) invalidSpec(field, value, wanted string) {
	out.attention(BlockInvalidSpec, fmt.Sprintf("%s is %q, which is not %s.", field, short(value), wanted),
		"Set "+field+" to "+wanted+".")
}

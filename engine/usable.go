package engine

import (
	"fmt"
	"math"
	"strings"
)

// usable tells whether anything may be decided at all. What is odd but harmless is corrected to its safe meaning, with
// a block that quotes the field: a bad value never widens what may be deleted.
func (d *decision) usable() bool {
	if missing := d.missingCoverage(); missing != "" {
		d.block(Block{Code: BlockCoverageIncomplete, Severity: Wait, Kind: d.set.Kind, Name: d.set.Name,
			Message: "The list of " + missing + " is not complete yet, so nothing is created or deleted."})
		return false
	}
	if err := d.set.Selector.check(); err != nil {
		d.attention(BlockInvalidSelector, fmt.Sprintf("spec.selector cannot be used: %v.", err),
			"Create the set anew with a selector that matches the labels of its pod template.")
		return false
	}
	if !d.knownSpec() {
		return false
	}
	d.checkRetention()
	return d.readClaimTemplates()
}

func (d *decision) missingCoverage() string {
	var missing []string
	if !d.s.Coverage.Pods {
		missing = append(missing, "pods")
	}
	if !d.s.Coverage.Claims && len(d.set.ClaimTemplates) > 0 {
		missing = append(missing, "claims")
	}
	if !d.s.Coverage.Revisions {
		missing = append(missing, "revisions")
	}
	return strings.Join(missing, " and ")
}

// knownSpec checks what upstream leaves to the API server, which for other kinds than apps/v1 may not have checked it.
func (d *decision) knownSpec() bool {
	switch policy := d.set.PodManagementPolicy; policy {
	case "", "OrderedReady", "Parallel":
	default:
		d.invalidSpec("spec.podManagementPolicy", policy, "OrderedReady or Parallel")
		return false
	}
	switch strategy := d.set.StrategyType; strategy {
	case "", "RollingUpdate", "OnDelete":
	default:
		d.invalidSpec("spec.updateStrategy.type", strategy, "RollingUpdate or OnDelete")
		return false
	}
	if d.set.Replicas > MaxReplicas {
		d.invalidSpec("spec.replicas", fmt.Sprint(d.set.Replicas), fmt.Sprintf("a number up to %d", MaxReplicas))
		return false
	}
	if last := int64(d.set.OrdinalsStart) + int64(d.set.Replicas) - 1; last > math.MaxInt32 {
		d.attention(BlockInvalidSpec, fmt.Sprintf("spec.ordinals.start is %d, and the last ordinal would be %d, which no pod's name can have.",
			d.set.OrdinalsStart, last), fmt.Sprintf("Lower spec.ordinals.start or spec.replicas: ordinals end at %d.", math.MaxInt32))
		return false
	}
	return true
}

func (d *decision) checkRetention() {
	for _, policy := range []struct{ field, value string }{
		{"whenDeleted", d.set.WhenDeleted}, {"whenScaled", d.set.WhenScaled},
	} {
		switch policy.value {
		case "", "Retain", "Delete":
		default:
			d.invalidSpec("spec.persistentVolumeClaimRetentionPolicy."+policy.field, policy.value, "Retain or Delete")
		}
	}
}

func (d *decision) invalidSpec(field, value, wanted string) {
	d.attention(BlockInvalidSpec, fmt.Sprintf("%s is %q, which is not %s.", field, short(value), wanted),
		"Set "+field+" to "+wanted+".")
}

// attention adds a block about the set that somebody has to act on.
func (d *decision) attention(code BlockCode, sentence, remedy string) {
	d.block(Block{Code: code, Severity: Attention, Kind: d.set.Kind, Name: d.set.Name, Message: sentence, Remedy: remedy})
}

package engine

import (
	"slices"
	"strings"
	"time"
)

// The conditions that the engine writes; docs/conditions.md says what each means.
const (
	ConditionReconciling = "Reconciling"
	ConditionBlocked     = "Blocked"
	ConditionRepairing   = "Repairing"
	ConditionDraining    = "Draining"
)

// The values of Condition.Status that the engine writes.
const (
	conditionTrue  = "True"
	conditionFalse = "False"
)

// setConditions puts into the status what the set is doing and whether somebody has to act. Reasons and messages follow
// from the state of the set and not from the plan at hand, so that they stay while the state does.
func (d *decision) setConditions() {
	if !d.rules.StatusConditions || d.s.Capabilities&CanSetConditions == 0 {
		return
	}
	draining := d.drainingNow()
	d.status.Conditions = []Condition{
		d.dated(d.reconciling(draining.Status == conditionTrue)),
		d.dated(d.blocked()),
	}
	for _, c := range [...]Condition{d.repairingNow(), draining} {
		if c.Status == conditionTrue || d.storedCondition(c.Type) != nil { // most sets never have one
			d.status.Conditions = append(d.status.Conditions, d.dated(c))
		}
	}
}

// conditionsDiffer tells whether the conditions are worth a write. A condition that is not stored means that all is
// quiet: taking over a set that is as it should be writes nothing.
func (d *decision) conditionsDiffer() bool {
	return slices.ContainsFunc(d.status.Conditions, d.conditionDiffers)
}

func (d *decision) conditionDiffers(c Condition) bool {
	stored := d.storedCondition(c.Type)
	if stored == nil {
		return c.Status != conditionFalse
	}
	return stored.Status != c.Status || stored.Reason != c.Reason || stored.Message != c.Message
}

// conditionsSentence tells which conditions change.
func (d *decision) conditionsSentence() string {
	var changes []string
	for _, c := range d.status.Conditions {
		if d.conditionDiffers(c) {
			changes = append(changes, c.Type+" becomes "+c.Status+" ("+c.Reason+")")
		}
	}
	return strings.Join(changes, ", ") + "."
}

// storedCondition is the first of a type that the engine writes.
func (d *decision) storedCondition(name string) *Condition {
	if !d.storedRead {
		d.storedRead = true
		for i := range d.set.Status.Conditions {
			d.work(partConditions, 1)
			c := &d.set.Status.Conditions[i]
			if at := slices.Index(conditionTypes[:], c.Type); at >= 0 && d.stored[at] == nil {
				d.stored[at] = c
			}
		}
	}
	return d.stored[slices.Index(conditionTypes[:], name)]
}

var conditionTypes = [...]string{ConditionReconciling, ConditionBlocked, ConditionRepairing, ConditionDraining}

// dated gives a condition the time at which its status changed.
func (d *decision) dated(c Condition) Condition {
	if stored := d.storedCondition(c.Type); stored != nil && stored.Status == c.Status && !stored.ChangedAt.IsZero() {
		c.ChangedAt = stored.ChangedAt
	} else {
		c.ChangedAt = d.now.Truncate(time.Second)
	}
	return c
}

// reconciling is false when the set is as the spec lets it be.
func (d *decision) reconciling(draining bool) Condition {
	c := Condition{Type: ConditionReconciling, Status: conditionTrue}
	st, want := &d.status, d.set.Replicas
	switch {
	case d.deleting():
		c.Reason, c.Message = "Deleting", "The set is being deleted."
	case st.Replicas != want || len(d.condemned) > 0:
		c.Reason, c.Message = "Scaling", "There are more or fewer pods than the spec wants."
	case draining:
		c.Reason, c.Message = "Draining", "Ordinals that have left the range are being drained."
	case d.updateLeft():
		c.Reason, c.Message = "Updating", "Some pods are not at their target revision yet."
	case st.AvailableReplicas != want:
		c.Reason, c.Message = "WaitingForPods", "Every pod exists at its revision, and not all of them are available."
	default:
		c.Status = conditionFalse
		c.Reason, c.Message = "Complete", "Every pod is available at the newest revision."
		if st.UpdatedReplicas != want {
			c.Reason, c.Message = "HeldBySpec", "Every pod is available; the partition or OnDelete keeps some at an older revision."
		}
	}
	return c
}

// updateLeft tells whether the update has a pod left to replace.
func (d *decision) updateLeft() bool {
	if d.onDelete() || d.status.UpdatedReplicas == d.set.Replicas {
		return false
	}
	from := d.partition()
	return from < len(d.replicas) && slices.ContainsFunc(d.replicas[from:], d.outdated)
}

// blocked is true while a block wants somebody to act. Its reason is the code of the first.
func (d *decision) blocked() Condition {
	var first *Block
	for i := range d.plan.Blocks {
		if b := &d.plan.Blocks[i]; b.Severity == Attention && (first == nil || compareBlocks(*b, *first) < 0) {
			first = b
		}
	}
	if first == nil {
		return Condition{Type: ConditionBlocked, Status: conditionFalse, Reason: "NothingToDoByHand",
			Message: "No manual action is needed."}
	}
	message := first.Kind + " " + short(first.Name) + ": " + first.Message
	if first.Remedy != "" {
		message += " " + first.Remedy
	}
	return Condition{Type: ConditionBlocked, Status: conditionTrue, Reason: camel(first.Code.String()), Message: message}
}

// repairingNow is true while a pod that cannot become ready is to be replaced.
func (d *decision) repairingNow() Condition {
	if d.at([]BlockCode{BlockRepairWaits}, []CauseCode{CauseRepair}) {
		return Condition{Type: ConditionRepairing, Status: conditionTrue, Reason: "PodNeverReady",
			Message: "A pod that cannot become ready at its revision is to be replaced."}
	}
	return Condition{Type: ConditionRepairing, Status: conditionFalse, Reason: "NothingToRepair", Message: "No pod is to be repaired."}
}

// drainingNow is true while an ordinal has data that is to be drained.
func (d *decision) drainingNow() Condition {
	if d.at([]BlockCode{BlockDraining, BlockDrainFailed, BlockDrainWaits, BlockDrainClaimMissing, BlockDrainAsked},
		[]CauseCode{CauseDrain, CauseDrained, CauseDrainFailed, CauseDrainAsk}) {
		return Condition{Type: ConditionDraining, Status: conditionTrue, Reason: "OrdinalsLeave",
			Message: "Ordinals outside the range are drained before their claims go."}
	}
	return Condition{Type: ConditionDraining, Status: conditionFalse, Reason: "NothingToDrain", Message: "No ordinal is to be drained."}
}

// at tells whether the plan so far has one of these blocks, or an action for one of these causes.
func (d *decision) at(blocks []BlockCode, causes []CauseCode) bool {
	for i := range d.plan.Blocks {
		if slices.Contains(blocks, d.plan.Blocks[i].Code) {
			return true
		}
	}
	for _, stage := range d.plan.Stages {
		for _, step := range stage.Steps {
			for i := range step.Actions {
				if slices.Contains(causes, step.Actions[i].Cause.Code) {
					return true
				}
			}
		}
	}
	return false
}

// camel turns POD_NAME_TAKEN into PodNameTaken, the form that Kubernetes wants for reasons.
func camel(code string) string {
	var out strings.Builder
	for word := range strings.SplitSeq(code, "_") {
		out.WriteString(word[:1] + strings.ToLower(word[1:]))
	}
	return out.String()
}

package state

// The conditions that the engine writes; docs/conditions.md says what each means.
const (
	ConditionReconciling = "Reconciling"
	ConditionBlocked     = "Blocked"
	ConditionRepairing   = "Repairing"
	ConditionDraining    = "Draining"
)

// The values of Condition.Status that the engine writes.
const (
	ConditionTrue  = "True"
	ConditionFalse = "False"
)

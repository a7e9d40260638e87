package state

// The conditions that the engine writes; docs/conditions.md says what each means.
const (
	ConditionReconciling = "Reconciling"
	ConditionBlocked     = "Blocked"
	ConditionRepairing   = "Repairing"
	ConditionDraining    = "Draining"
	ConditionProgressing = "Progressing" // upstream's: a set with the strategy Recreate is being recreated
)

// The values of Condition.Status that the engine writes.
const (
	ConditionTrue  = "True"
	ConditionFalse = "False"
)

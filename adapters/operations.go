package adapters

import (
	"iter"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// actionsOf walks all actions of a plan, in order.
func actionsOf(plan *setplanv1.Plan) iter.Seq[*setplanv1.Action] {
	return func(yield func(*setplanv1.Action) bool) {
		for _, stage := range plan.GetStages() {
			for action := range actionsOfStage(stage) {
				if !yield(action) {
					return
				}
			}
		}
	}
}

func actionsOfStage(stage *setplanv1.Stage) iter.Seq[*setplanv1.Action] {
	return func(yield func(*setplanv1.Action) bool) {
		for _, step := range stage.GetSteps() {
			for _, action := range step.GetActions() {
				if !yield(action) {
					return
				}
			}
		}
	}
}

// deletes reports whether a stage takes something away; the fence is checked again before such a stage.
func deletes(stage *setplanv1.Stage) bool {
	for action := range actionsOfStage(stage) {
		if deletesAnything(action) {
			return true
		}
	}
	return false
}

func deletesAnything(action *setplanv1.Action) bool {
	switch action.GetOperation().(type) {
	case *setplanv1.Action_DeletePod, *setplanv1.Action_DeleteRevision, *setplanv1.Action_DeleteClaim:
		return true
	default:
		return false
	}
}

// unknown is the first action of a stage whose operation this build has no member for, or nil. A newer planner's member
// arrives as an unknown field, so the oneof is empty.
func unknown(stage *setplanv1.Stage) *setplanv1.Action {
	for action := range actionsOfStage(stage) {
		if action.GetOperation() == nil {
			return action
		}
	}
	return nil
}

// OperationName is the name of an action's operation as the contract spells it, such as "create_pod"; for logs, metrics
// and people. "unknown" for an operation that this build has no member for.
func OperationName(action *setplanv1.Action) string {
	message := action.ProtoReflect()
	field := message.WhichOneof(message.Descriptor().Oneofs().ByName("operation"))
	if field == nil {
		return "unknown"
	}
	return string(field.Name())
}

// CountOperations counts the actions of a plan by OperationName.
func CountOperations(plan *setplanv1.Plan) map[string]int {
	counts := map[string]int{}
	for action := range actionsOf(plan) {
		counts[OperationName(action)]++
	}
	return counts
}

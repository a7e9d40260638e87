package adapters

import (
	"iter"
	"strings"

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

// deletes reports whether a stage takes something away, if only for a while; the fence is checked again before such a stage.
func deletes(stage *setplanv1.Stage) bool {
	for action := range actionsOfStage(stage) {
		if deletesAnything(action) {
			return true
		}
	}
	return false
}

// deletesAnything is true for an operation that nobody has called harmless here: one that is forgotten is fenced.
func deletesAnything(action *setplanv1.Action) bool {
	switch action.GetOperation().(type) {
	case *setplanv1.Action_CreatePod, *setplanv1.Action_PatchPod, *setplanv1.Action_AdoptPod, *setplanv1.Action_ReleasePod,
		*setplanv1.Action_CreateClaim, *setplanv1.Action_SetClaimOwners, *setplanv1.Action_CreateRevision,
		*setplanv1.Action_RenumberRevision, *setplanv1.Action_AdoptRevision, *setplanv1.Action_UpdateStatus,
		*setplanv1.Action_PatchAnnotations, *setplanv1.Action_SetFinalizer, *setplanv1.Action_PatchClaim:
		return false
	case *setplanv1.Action_UpdatePod:
		update := action.GetUpdatePod()
		return len(update.GetContainers())+len(update.GetInitContainers()) > 0 // containers are stopped
	default:
		return true
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

// Phrase says what an operation does to an object, such as "delete pod web-2".
func Phrase(operation, target string) string {
	return strings.ReplaceAll(operation, "_", " ") + " " + target
}

// FirstActions has a phrase for each of the first actions of a plan, at most so many, and how many come after them.
func FirstActions(plan *setplanv1.Plan, most int) (first []string, more int) {
	first = []string{}
	for action := range actionsOf(plan) {
		if len(first) == most {
			more++
			continue
		}
		first = append(first, Phrase(OperationName(action), action.GetTarget().GetName()))
	}
	return first, more
}

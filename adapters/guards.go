package adapters

import (
	"errors"

	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// ErrUnknownGuard is the error of a stage whose writes depend on something that this build does not know.
var ErrUnknownGuard = errors.New("this adapter does not know a field that restricts when to write")

// unknownGuard is the first action of a stage that a newer planner has put under a condition which this build has no field
// for. A planner does not send one to an adapter that does not list its capability; to write without it would be to write
// what nobody planned.
func unknownGuard(stage *setplanv1.Stage) *setplanv1.Action {
	all := isNewer(stage)
	for _, step := range stage.GetSteps() {
		for _, action := range step.GetActions() {
			if all || isNewer(step) || isNewer(action.GetTarget()) || isNewer(action.GetPrecondition()) {
				return action
			}
		}
	}
	return nil
}

// isNewer reports whether a message has fields of its own that this build's contract lacks.
func isNewer(m interface{ ProtoReflect() protoreflect.Message }) bool {
	return len(m.ProtoReflect().GetUnknown()) > 0
}

package adapters

import (
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// A plan is kept, logged and, by the ids of what failed, sent back. So one is refused whole that has more than any honest one.
const (
	maxActions  = 20_000 // the engine: 1,000 of each of some twenty parts of a plan
	maxActionID = 1 << 10
)

// tooMuch is the error for a plan of more actions, or with a longer id, than the contract allows.
func tooMuch(plan *setplanv1.Plan) error {
	actions := 0
	for action := range actionsOf(plan) {
		if actions++; actions > maxActions {
			return fmt.Errorf("%w: %w", setplan.ErrAnswer, status.Errorf(codes.Internal, "the plan has more than %d actions", maxActions))
		}
		if n := len(action.GetId()); n > maxActionID {
			return fmt.Errorf("%w: %w", setplan.ErrAnswer, status.Errorf(codes.Internal, "the id of an action has %d bytes; the limit is %d", n, maxActionID))
		}
	}
	return nil
}

package invariants

import (
	"github.com/setplan/setplan/adapters/verify"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// PlansAreAccepted: no adapter refuses an action of a plan that an honest planner made. It holds the adapter's checks to
// what plans need, and a planner with a bug is found by it before its plan does harm.
func PlansAreAccepted(request *setplanv1.PlanRequest, plan *setplanv1.Plan) error {
	verifier := verify.Against(request.GetSnapshot())
	for _, stage := range plan.GetStages() {
		if err := verifier.Stage(stage); err != nil {
			return err
		}
	}
	return nil
}

package invariants

import (
	"fmt"
	"iter"

	"github.com/setplan/setplan/adapters/sim"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// EveryWriteHasAPrecondition: a create asks that nothing of the name exists; every other write names the uid.
func EveryWriteHasAPrecondition(_ *setplanv1.PlanRequest, plan *setplanv1.Plan) error {
	for action := range actions(plan) {
		if creates(action) {
			if !action.GetPrecondition().GetMustNotExist() {
				return fmt.Errorf("%s does not ask that nothing exists", describeAction(action))
			}
		} else if action.GetPrecondition().GetUid() == "" {
			return fmt.Errorf("%s has no uid", describeAction(action))
		}
	}
	return nil
}

// NothingIsCreatedTwice: a plan creates nothing that the snapshot has, and no two of its actions have the same id.
func NothingIsCreatedTwice(request *setplanv1.PlanRequest, plan *setplanv1.Plan) error {
	exists := map[string]bool{}
	for _, pod := range request.GetSnapshot().GetPods() {
		exists[sim.KindPod+pod.GetName()] = true
	}
	for _, claim := range request.GetSnapshot().GetClaims() {
		exists[sim.KindClaim+claim.GetName()] = true
	}
	for _, revision := range request.GetSnapshot().GetRevisions() {
		exists[sim.KindRevision+revision.GetName()] = true
	}
	ids := map[string]bool{}
	for action := range actions(plan) {
		name := action.GetTarget().GetKind() + action.GetTarget().GetName()
		if creates(action) && exists[name] {
			return fmt.Errorf("%s, which exists", describeAction(action))
		}
		if creates(action) {
			exists[name] = true
		}
		if ids[action.GetId()] {
			return fmt.Errorf("%s has the id of another action: %s", describeAction(action), action.GetId())
		}
		ids[action.GetId()] = true
	}
	return nil
}

// FixedPointIsEmpty: a plan that calls the set converged has nothing to do, to wait for, or to complain about, and every
// pod of the set runs.
func FixedPointIsEmpty(request *setplanv1.PlanRequest, plan *setplanv1.Plan) error {
	if !plan.GetConverged() {
		return nil
	}
	for action := range actions(plan) {
		return fmt.Errorf("converged, and yet: %s", describeAction(action))
	}
	for _, block := range plan.GetBlocks() {
		if block.GetSeverity() != setplanv1.Severity_SEVERITY_INFO {
			return fmt.Errorf("converged, and yet: %s", block.GetMessage())
		}
	}
	for _, pod := range request.GetSnapshot().GetPods() {
		if controls(request.GetSnapshot(), pod) && (pod.GetDeletionUnixMs() != 0 || !pod.GetReady()) {
			return fmt.Errorf("converged, and yet %s is not ready, or going", pod.GetName())
		}
	}
	return nil
}

// controls reports whether the set of a snapshot controls a pod.
func controls(snapshot *setplanv1.Snapshot, pod *setplanv1.Pod) bool {
	if pod.GetOwnerSetIndex() == 0 {
		return false
	}
	for _, owner := range snapshot.GetTables().GetOwnerSets()[pod.GetOwnerSetIndex()].GetOwners() {
		if owner.GetController() && owner.GetUid() == snapshot.GetSet().GetUid() {
			return true
		}
	}
	return false
}

// WaitingIsExplained: a plan that does nothing and is not converged says why.
func WaitingIsExplained(_ *setplanv1.PlanRequest, plan *setplanv1.Plan) error {
	if !plan.GetConverged() && len(plan.GetStages()) == 0 && len(plan.GetBlocks()) == 0 {
		return fmt.Errorf("the plan does nothing, is not converged, and says nothing")
	}
	return nil
}

func creates(action *setplanv1.Action) bool {
	switch action.GetOperation().(type) {
	case *setplanv1.Action_CreatePod, *setplanv1.Action_CreateClaim, *setplanv1.Action_CreateRevision:
		return true
	}
	return false
}

// actions walks a plan in order.
func actions(plan *setplanv1.Plan) iter.Seq[*setplanv1.Action] {
	return func(yield func(*setplanv1.Action) bool) {
		for _, stage := range plan.GetStages() {
			for _, step := range stage.GetSteps() {
				for _, action := range step.GetActions() {
					if !yield(action) {
						return
					}
				}
			}
		}
	}
}

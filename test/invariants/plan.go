package invariants

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/verify"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/sim"
)

// These are checked on plans in the contract's form, in addition to package law's invariants of plans.
const (
	PlansAreAccepted = "PlansAreAccepted"
	RemediesRun      = "RemediesRun"
	SentencesAgree   = "SentencesAgree"
)

// oneOfMany finds what nobody says, such as "1 pods".
var oneOfMany = regexp.MustCompile(`(?:^|[^f] )1 (?:more |other )?(?:pods|times|claims|ordinals|containers|revisions|objects|annotations|sets)\b`)

// sentencesAgree: no sentence says a time as past that is to come, or one of many.
func sentencesAgree(request *setplanv1.PlanRequest, plan *setplanv1.Plan) error {
	for _, block := range plan.GetBlocks() {
		if since := block.GetSince(); since != nil && since.AsTime().After(request.GetSnapshot().GetObservedAt().AsTime()) {
			return fmt.Errorf("since a time that is to come, %s: %s", since.AsTime(), block.GetMessage())
		}
		if said := oneOfMany.FindString(block.GetMessage() + " " + block.GetRemedy()); said != "" {
			return fmt.Errorf("%q: %s", said, block.GetMessage())
		}
	}
	return nil
}

// plansAreAccepted: no adapter refuses an action of an honest planner's plan. This keeps the adapter's checks from being too strict, and
// finds a planner's bug before its plan does harm.
func plansAreAccepted(request *setplanv1.PlanRequest, plan *setplanv1.Plan) error {
	verifier := verify.Against(request.GetSnapshot())
	for _, stage := range plan.GetStages() {
		if err := verifier.Stage(stage); err != nil {
			return err
		}
	}
	return nil
}

// remediesRun: a command in a remedy is one that may be run as it stands. It is in backticks, names the namespace, and ends the remedy.
func remediesRun(namespace string, plan *setplanv1.Plan) error {
	for _, block := range plan.GetBlocks() {
		before, command, has := strings.Cut(block.GetRemedy(), "`kubectl -n "+namespace+" ")
		command, ends := strings.CutSuffix(command, "`")
		if strings.Contains(before+command, "kubectl ") || has && (!ends || strings.Contains(command, "`")) {
			return fmt.Errorf("nobody should run what a remedy of %s says: %s", block.GetCode(), block.GetRemedy())
		}
	}
	return nil
}

// named is an action in a problem's text.
type named struct{ *setplanv1.Action }

func (a named) String() string {
	return adapters.OperationName(a.Action) + " " + a.GetTarget().GetName()
}

// showPlan makes the view of a plan.
func showPlan(request *setplanv1.PlanRequest, plan *setplanv1.Plan) *law.Plan {
	s := request.GetSnapshot()
	shown := &law.Plan{Converged: plan.GetConverged(), Silent: len(plan.GetStages())+len(plan.GetBlocks()) == 0, Upstream: s.GetPolicy().GetBehavior() > setplanv1.Behavior_BEHAVIOR_SETPLAN}
	shown.Done, shown.Left = plan.GetDone(), reconciling(s.GetSet().GetStatus())
	for _, block := range plan.GetBlocks() {
		shown.Stopped = shown.Stopped || stops[block.GetCode()]
		if block.GetSeverity() != setplanv1.Severity_SEVERITY_INFO {
			shown.Waits = block.GetMessage()
		}
	}
	var released []string
	for _, stage := range plan.GetStages() {
		for _, step := range stage.GetSteps() {
			for _, action := range step.GetActions() {
				shown.Actions = append(shown.Actions, showAction(s, action))
				switch op := action.GetOperation().(type) {
				case *setplanv1.Action_ReleasePod:
					released = append(released, action.GetTarget().GetName())
				case *setplanv1.Action_UpdateStatus:
					shown.Stopped = false
					if written := reconciling(op.UpdateStatus.GetStatus()); written != "" {
						shown.Left = written
					}
				case *setplanv1.Action_CreatePod, *setplanv1.Action_DeletePod, *setplanv1.Action_EvictPod, *setplanv1.Action_UpdatePod, *setplanv1.Action_ResizePod:
					shown.Moves = named{action}.String()
				}
			}
		}
	}
	for _, pod := range s.GetPods() {
		if controls(s, pod) && (pod.GetDeletionUnixMs() != 0 || !pod.GetReady()) && !slices.Contains(released, pod.GetName()) {
			shown.Ailing = pod.GetName()
		}
	}
	return shown
}

// stops are the blocks of plans that may lack what is to be done, and the status.
var stops = map[setplanv1.BlockCode]bool{setplanv1.BlockCode_BLOCK_CODE_COVERAGE_INCOMPLETE: true, setplanv1.BlockCode_BLOCK_CODE_INVALID_SELECTOR: true,
	setplanv1.BlockCode_BLOCK_CODE_INVALID_SPEC: true, setplanv1.BlockCode_BLOCK_CODE_INVALID_TEMPLATE: true, setplanv1.BlockCode_BLOCK_CODE_INVALID_POLICY: true,
	setplanv1.BlockCode_BLOCK_CODE_CAPABILITY_MISSING: true, setplanv1.BlockCode_BLOCK_CODE_SET_DELETING: true}

// reconciling is the condition of a status by which the planner says whether the set is done; "": it has none.
func reconciling(status *setplanv1.StatefulSetStatus) string {
	for _, c := range status.GetConditions() {
		if c.GetType() == "Reconciling" {
			return c.GetStatus()
		}
	}
	return ""
}

func showAction(s *setplanv1.Snapshot, action *setplanv1.Action) law.Action {
	a := law.Action{Stringer: named{action}, ID: action.GetId(), Kind: action.GetTarget().GetKind(), Name: action.GetTarget().GetName(),
		MustNotExist: action.GetPrecondition().GetMustNotExist(), HasUID: action.GetPrecondition().GetUid() != "",
		HasVersion: action.GetPrecondition().GetResourceVersion() != ""}
	switch op := action.GetOperation().(type) {
	case *setplanv1.Action_CreatePod, *setplanv1.Action_CreateClaim, *setplanv1.Action_CreateRevision:
		a.Creates, a.Exists = true, exists(s, a.Kind, a.Name)
	case *setplanv1.Action_SetClaimOwners, *setplanv1.Action_DeleteClaim, *setplanv1.Action_RenumberRevision, *setplanv1.Action_UpdatePod:
		a.NeedsVersion = true
	case *setplanv1.Action_PatchClaim:
		a.NeedsVersion, a.Shrinks = true, shrinks(s, a.Name, op.PatchClaim)
	case *setplanv1.Action_UpdateStatus:
		a.NeedsVersion = true
		if status := op.UpdateStatus.GetStatus(); status != nil && status.Replicas != nil {
			a.Counters = []int32{status.GetReplicas(), status.GetReadyReplicas(), status.GetAvailableReplicas(),
				status.GetCurrentReplicas(), status.GetUpdatedReplicas()}
		}
	}
	return a
}

// exists reports whether a snapshot has an object.
func exists(s *setplanv1.Snapshot, kind, name string) bool {
	switch kind {
	case sim.KindPod:
		return slices.ContainsFunc(s.GetPods(), func(p *setplanv1.Pod) bool { return p.GetName() == name })
	case sim.KindClaim:
		return slices.ContainsFunc(s.GetClaims(), func(c *setplanv1.Claim) bool { return c.GetName() == name })
	}
	return slices.ContainsFunc(s.GetRevisions(), func(r *setplanv1.Revision) bool { return r.GetName() == name })
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

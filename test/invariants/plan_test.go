package invariants

import (
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/sim"
)

// TestPlanInvariantsCatch plants a violation of each invariant of plans.
func TestPlanInvariantsCatch(t *testing.T) {
	request := &setplanv1.PlanRequest{Snapshot: &setplanv1.Snapshot{Set: &setplanv1.StatefulSet{Namespace: "default"}, Pods: []*setplanv1.Pod{{Name: "web-0"}},
		Claims: []*setplanv1.Claim{{Name: "www-web-0", StorageIndex: 1}},
		Tables: &setplanv1.Tables{ClaimStorages: []*setplanv1.ClaimStorage{{}, {Request: "3Gi", Capacity: "2Gi"}}}}}
	create := func(name string) *setplanv1.Action {
		return &setplanv1.Action{Id: "id", Target: &setplanv1.Target{Kind: sim.KindPod, Name: name},
			Precondition: &setplanv1.Precondition{MustNotExist: true},
			Operation:    &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{}}}
	}
	remove := &setplanv1.Action{Id: "other", Operation: &setplanv1.Action_DeletePod{DeletePod: &setplanv1.DeletePod{}}}
	lower := &setplanv1.Action{Id: "lower", Target: &setplanv1.Target{Kind: sim.KindClaim, Name: "www-web-0"},
		Operation: &setplanv1.Action_PatchClaim{PatchClaim: &setplanv1.PatchClaim{Request: "2048Mi"}}}
	left := &setplanv1.Action{Id: "left", Operation: &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{
		Status: &setplanv1.StatefulSetStatus{Conditions: []*setplanv1.Condition{{Type: "Reconciling", Status: "True"}}}}}}
	bare := create("web-1")
	bare.Precondition = nil
	tests := map[string]struct {
		reason    string
		actions   []*setplanv1.Action
		converged bool
		remedy    string
		done      bool
		blocks    []*setplanv1.Block
	}{
		"EveryWriteHasAPrecondition":        {reason: "a delete without uid", actions: []*setplanv1.Action{remove}},
		"EveryWriteHasAPrecondition/create": {reason: "a create without condition", actions: []*setplanv1.Action{bare}},
		"NothingIsCreatedTwice":             {reason: "the snapshot has the pod", actions: []*setplanv1.Action{create("web-0")}},
		"NothingIsCreatedTwice/id":          {reason: "two actions, one id", actions: []*setplanv1.Action{create("web-1"), create("web-2")}},
		"FixedPointIsEmpty":                 {reason: "converged and busy", actions: []*setplanv1.Action{create("web-1")}, converged: true},
		"DoneIsOne":                         {reason: "converged and not done", converged: true},
		"DoneIsOne/pods":                    {reason: "done, and a pod goes", actions: []*setplanv1.Action{remove}, done: true},
		"DoneIsOne/condition":               {reason: "done, and the condition says no", actions: []*setplanv1.Action{left}, done: true},
		"SentencesAgree":                    {reason: "since a time to come", blocks: []*setplanv1.Block{{Since: timestamppb.New(time.Unix(1<<40, 0))}}},
		"SentencesAgree/number":             {reason: "one of many", blocks: []*setplanv1.Block{{Message: "restarted 1 times"}}},
		"VolumesNeverShrink":                {reason: "a request is lowered to what the volume has", actions: []*setplanv1.Action{lower}},
		"WaitingIsExplained":                {reason: "nothing at all"},
		"PlansAreAccepted":                  {reason: "a delete of a pod that is not there", actions: []*setplanv1.Action{remove}},
		"RemediesRun/nowhere":               {reason: "a command without a namespace", remedy: "Look: `kubectl get pods`"},
		"RemediesRun/elsewhere":             {reason: "a command in another namespace", remedy: "Look: `kubectl -n other get pods`"},
		"RemediesRun/bare":                  {reason: "a command among words", remedy: "kubectl -n default get pods shows them."},
		"RemediesRun/second":                {reason: "a second command", remedy: "Look: `kubectl -n default get pods` and kubectl get nodes`"},
		"RemediesRun/more":                  {reason: "words after the command", remedy: "Look: `kubectl -n default get pods` first."},
	}
	for name, tt := range tests {
		plan := &setplanv1.Plan{Converged: tt.converged, Done: tt.done, Blocks: tt.blocks}
		if len(tt.actions) > 0 {
			plan.Stages = []*setplanv1.Stage{{Steps: []*setplanv1.Step{{Actions: tt.actions}}}}
		}
		if tt.remedy != "" {
			plan.Blocks = []*setplanv1.Block{{Remedy: tt.remedy}}
		}
		wanted, _, _ := strings.Cut(name, "/")
		m := Watch(sim.NewWorld(), setplanv1.Behavior_BEHAVIOR_SETPLAN)
		m.checkPlan(&sim.Planner{}, request, &setplanv1.PlanResponse{Plan: plan})
		caught := slices.ContainsFunc(m.Problems(), func(p string) bool { return strings.HasPrefix(p, wanted+":") })
		if !caught {
			t.Errorf("%s: %s is not caught", name, tt.reason)
		}
	}
}

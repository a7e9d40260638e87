package wiretest

import (
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// drainRequest has what a drain adds to a request, with every field of it set.
func drainRequest() proto.Message {
	return &setplanv1.PlanRequest{
		Capabilities: []setplanv1.Capability{
			setplanv1.Capability_CAPABILITY_PATCH_ANNOTATIONS,
			setplanv1.Capability_CAPABILITY_DELETE_CLAIM,
			setplanv1.Capability_CAPABILITY_SET_FINALIZER,
		},
		Snapshot: &setplanv1.Snapshot{
			Set: &setplanv1.StatefulSet{Name: "web", Uid: setUID, Finalizers: []string{"setplan.io/drain", "foregroundDeletion"}},
			Pods: []*setplanv1.Pod{
				{Name: "web-2", AnnotationSetIndex: 1},
				{Name: "web-1", AnnotationSetIndex: 2},
			},
			Claims: []*setplanv1.Claim{{Name: "www-web-2", Uid: claimUID, AnnotationSetIndex: 3}},
			Tables: &setplanv1.Tables{AnnotationSets: []*setplanv1.AnnotationSet{{},
				{Annotations: map[string]string{"setplan.io/drain-set": "web/" + setUID, "setplan.io/drain-claims": claimUID + "," + podUID}},
				{Annotations: map[string]string{"setplan.io/drain-request": "7-abc", "setplan.io/drain-answer": "7-abc"}},
				{Annotations: map[string]string{"setplan.io/drain-set": "web/" + setUID, "setplan.io/drain-attempts": "3",
					"setplan.io/drain-begun": "2026-01-31T12:00:00Z"}},
			}},
			Policy: &setplanv1.Policy{Scope: setplanv1.Scope_SCOPE_DRAIN_ONLY, Drain: &setplanv1.DrainPolicy{
				PodTemplate: []byte(`{"spec":{"containers":[{"name":"drain"}]}}`), ScaleUp: setplanv1.DrainScaleUp_DRAIN_SCALE_UP_CANCEL,
				MaxParallel: proto.Int32(3), Leftovers: proto.Bool(true), OnDelete: proto.Bool(true), Ask: proto.Bool(false),
			}},
		},
	}
}

// claimNeighboursRequest has another set that calls its claims as this one does.
func claimNeighboursRequest() proto.Message {
	return &setplanv1.PlanRequest{Snapshot: &setplanv1.Snapshot{
		ClaimNeighbours: []*setplanv1.ClaimNeighbour{{Set: "b-web", ClaimTemplate: "data"}},
	}}
}

// drainUnprotectedResponse is what claims that could be deleted undrained have added.
func drainUnprotectedResponse() proto.Message {
	return &setplanv1.PlanResponse{Plan: &setplanv1.Plan{Blocks: []*setplanv1.Block{{Code: setplanv1.BlockCode_BLOCK_CODE_DRAIN_UNPROTECTED}}}}
}

// drainProofRequest is what a drain pod that has succeeded has to say for itself.
func drainProofRequest() proto.Message {
	return &setplanv1.PlanRequest{Snapshot: &setplanv1.Snapshot{
		Pods: []*setplanv1.Pod{{Name: "web-2", Disrupted: true,
			TerminationMessages: []string{"d3968b1a72ca5af4ec8da5d1262c2944", ""}}},
		Policy: &setplanv1.Policy{Repair: setplanv1.Repair_REPAIR_UNREADY,
			Drain: &setplanv1.DrainPolicy{PodTemplate: []byte(`{"spec":{}}`), Proof: setplanv1.DrainProof_DRAIN_PROOF_TOKEN}},
	}}
}

// policyRequest wants nothing of what annotations may ask for: what is empty, false or the default is set all the same.
func policyRequest() proto.Message {
	return &setplanv1.PlanRequest{Snapshot: &setplanv1.Snapshot{Policy: &setplanv1.Policy{
		Scope: setplanv1.Scope_SCOPE_WHOLE_SET, Repair: setplanv1.Repair_REPAIR_NEVER,
		Drain: &setplanv1.DrainPolicy{PodTemplate: []byte{}, ScaleUp: setplanv1.DrainScaleUp_DRAIN_SCALE_UP_FINISH, Leftovers: proto.Bool(false),
			OnDelete: proto.Bool(false), Ask: proto.Bool(false), Proof: setplanv1.DrainProof_DRAIN_PROOF_SUCCESS},
	}}}
}

// drainResponse has the stage, the operations, the causes and the blocks of a drain.
func drainResponse() proto.Message {
	stage := &setplanv1.Stage{
		Phase: setplanv1.StagePhase_STAGE_PHASE_DRAIN, OnFailure: setplanv1.OnFailure_ON_FAILURE_SKIP_PHASE, AlwaysRun: true,
		Steps: []*setplanv1.Step{step(patchAnnotations(), deleteClaim(), setFinalizer())},
	}
	plan := &setplanv1.Plan{Stages: []*setplanv1.Stage{stage}}
	for code := setplanv1.CauseCode_CAUSE_CODE_DRAIN_MARK; code <= setplanv1.CauseCode_CAUSE_CODE_DRAIN_FINALIZER; code++ {
		stage.Steps = append(stage.Steps, step(&setplanv1.Action{Cause: &setplanv1.Cause{Code: code}}))
	}
	for code := setplanv1.BlockCode_BLOCK_CODE_INVALID_POLICY; code <= setplanv1.BlockCode_BLOCK_CODE_DRAIN_ASKED; code++ {
		plan.Blocks = append(plan.Blocks, &setplanv1.Block{Code: code})
	}
	return &setplanv1.PlanResponse{Plan: plan}
}

func patchAnnotations() *setplanv1.Action {
	return &setplanv1.Action{
		Id: "patch-annotations/www-web-2", Target: target("PersistentVolumeClaim", "www-web-2"),
		Precondition: &setplanv1.Precondition{Uid: claimUID, ResourceVersion: "47000001"},
		Operation: &setplanv1.Action_PatchAnnotations{PatchAnnotations: &setplanv1.PatchAnnotations{
			Set: map[string]string{"setplan.io/drain-set": "web/" + setUID}, Remove: []string{"setplan.io/drain-attempts"},
		}},
	}
}

func deleteClaim() *setplanv1.Action {
	return &setplanv1.Action{
		Id: "delete-claim/www-web-2", Target: target("PersistentVolumeClaim", "www-web-2"),
		Precondition: &setplanv1.Precondition{Uid: claimUID},
		Operation:    &setplanv1.Action_DeleteClaim{DeleteClaim: &setplanv1.DeleteClaim{}},
	}
}

func setFinalizer() *setplanv1.Action {
	return &setplanv1.Action{
		Id: "set-finalizer/web", Target: target("StatefulSet", "web"),
		Operation: &setplanv1.Action_SetFinalizer{SetFinalizer: &setplanv1.SetFinalizer{Finalizer: "setplan.io/drain", Present: true}},
	}
}

package wiretest

import (
	"time"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// fixtures are the messages of the frozen files. A message here never changes;
// what the contract gains goes into a new one, under a name that begins with the
// release that brings it.
var fixtures = map[string]func() proto.Message{
	"v0.1-plan-request.binpb":               planRequest,
	"v0.1-plan-request-percent.binpb":       planRequestPercent,
	"v0.1-plan-response.binpb":              planResponse,
	"v0.1-server-info-request.binpb":        func() proto.Message { return &setplanv1.GetServerInfoRequest{} },
	"v0.1-server-info-response.binpb":       serverInfoResponse,
	"v0.1-plan-request-conditions.binpb":    planRequestConditions,
	"v0.1-plan-response-conditions.binpb":   planResponseConditions,
	"v0.1-error-reasons.google-rpc.binpb":   errorReasons,
	"v0.1-overloaded.google-rpc.binpb":      overloaded,
	"v0.1-repair-request.binpb":             repairRequest,
	"v0.1-repair-response.binpb":            repairResponse,
	"v0.1-policy-request.binpb":             policyRequest,
	"v0.1-drain-request.binpb":              drainRequest,
	"v0.1-drain-proof-request.binpb":        drainProofRequest,
	"v0.1-drain-unprotected-response.binpb": drainUnprotectedResponse,
	"v0.1-drain-response.binpb":             drainResponse,
	"v0.1-claim-neighbours-request.binpb":   claimNeighboursRequest,
}

const (
	setUID     = "6d0ba4a8-3a52-4b2e-9d8a-2f0f1c0d9e11"
	observed   = int64(1_800_000_000_000)
	podUID     = "0b1f6c6e-7b1c-4a53-8d4e-0d7f3a5f1a01"
	claimUID   = "1b1f6c6e-7b1c-4a53-8d4e-0d7f3a5f1a02"
	histUID    = "2b1f6c6e-7b1c-4a53-8d4e-0d7f3a5f1a03"
	foreignUID = "3b1f6c6e-7b1c-4a53-8d4e-0d7f3a5f1a04"
)

func owner() *setplanv1.OwnerReference {
	return &setplanv1.OwnerReference{
		ApiVersion: "apps/v1", Kind: "StatefulSet", Name: "web", Uid: setUID, Controller: true, BlockOwnerDeletion: true,
	}
}

func setStatus() *setplanv1.StatefulSetStatus {
	return &setplanv1.StatefulSetStatus{
		ObservedGeneration: new(int64(6)), Replicas: new(int32(5)), ReadyReplicas: new(int32(4)), AvailableReplicas: new(int32(3)), CurrentReplicas: new(int32(2)), UpdatedReplicas: new(int32(1)),
		CurrentRevision: new("web-5f7d8c9b6"), UpdateRevision: new("web-7d4c9b8f6d"), CollisionCount: proto.Int32(0),
	}
}

func allCapabilities() []setplanv1.Capability {
	return []setplanv1.Capability{
		setplanv1.Capability_CAPABILITY_CREATE_POD,
		setplanv1.Capability_CAPABILITY_DELETE_POD,
		setplanv1.Capability_CAPABILITY_PATCH_POD,
		setplanv1.Capability_CAPABILITY_ADOPT_POD,
		setplanv1.Capability_CAPABILITY_RELEASE_POD,
		setplanv1.Capability_CAPABILITY_CREATE_CLAIM,
		setplanv1.Capability_CAPABILITY_SET_CLAIM_OWNERS,
		setplanv1.Capability_CAPABILITY_CREATE_REVISION,
		setplanv1.Capability_CAPABILITY_RENUMBER_REVISION,
		setplanv1.Capability_CAPABILITY_ADOPT_REVISION,
		setplanv1.Capability_CAPABILITY_DELETE_REVISION,
		setplanv1.Capability_CAPABILITY_UPDATE_STATUS,
	}
}

// planRequest sets every field of a request, but for the second member of a
// oneof.
func planRequest() proto.Message {
	return &setplanv1.PlanRequest{
		Capabilities: allCapabilities(),
		Snapshot: &setplanv1.Snapshot{
			ObservedAt: &timestamppb.Timestamp{Seconds: observed / 1000, Nanos: 123_000_000},
			Coverage: &setplanv1.Coverage{
				Pods: true, Claims: true, Revisions: true,
				PodsVersion: "48000100", ClaimsVersion: "48000090", RevisionsVersion: "48000080",
			},
			Set: &setplanv1.StatefulSet{
				ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: "databases", Name: "web", Uid: setUID,
				Generation: 7, ResourceVersion: "48000070", DeletionUnixMs: observed - 1,
				Annotations:   map[string]string{"kubernetes.io/change-cause": "new image", "empty": ""},
				Replicas:      proto.Int32(0),
				OrdinalsStart: 5,
				Selector: &setplanv1.LabelSelector{
					MatchLabels: map[string]string{"app": "nginx"},
					MatchExpressions: []*setplanv1.LabelRequirement{
						{Key: "tier", Operator: "In", Values: []string{"front", "back"}},
						{Key: "canary", Operator: "DoesNotExist"},
					},
				},
				ServiceName: "nginx", PodManagementPolicy: "OrderedReady",
				UpdateStrategy: &setplanv1.UpdateStrategy{
					Type: "RollingUpdate",
					RollingUpdate: &setplanv1.RollingUpdate{
						Partition:      2,
						MaxUnavailable: &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Count{Count: 2}},
					},
				},
				MinReadySeconds: 10, RevisionHistoryLimit: proto.Int32(-1),
				ClaimRetention: &setplanv1.ClaimRetention{WhenDeleted: "Delete", WhenScaled: "Retain"},
				PodTemplate:    []byte(`{"metadata":{"creationTimestamp":null},"spec":{"x":1.0,"y":null,"unknown":[]}}`),
				ClaimTemplates: [][]byte{[]byte(`{"metadata":{"name":"www"}}`), []byte(`{"metadata":{"name":"log"}}`)},
				Status:         setStatus(),
			},
			Pods: []*setplanv1.Pod{
				{
					Name: "web-5", Uid: podUID, ResourceVersion: "48000001", Phase: setplanv1.PodPhase_POD_PHASE_RUNNING,
					Ready: true, ReadyChangedUnixMs: observed - 60_000, DeletionUnixMs: observed - 500, CreatedUnixMs: observed - 90_000,
					LabelSetIndex: 1, OwnerSetIndex: 1, RevisionNameIndex: 1, PodNameLabel: true, PodIndexLabel: true, VolumeSetIndex: 1,
					OtherClaims: []*setplanv1.ClaimBinding{{Volume: "www", Claim: "shared"}},
				},
				{Name: "web-6", Phase: setplanv1.PodPhase_POD_PHASE_PENDING},
				{Name: "web-7", Phase: setplanv1.PodPhase_POD_PHASE_SUCCEEDED},
				{Name: "web-8", Phase: setplanv1.PodPhase_POD_PHASE_FAILED},
				{Name: "web-9", Phase: setplanv1.PodPhase_POD_PHASE_UNKNOWN},
				{Name: "web-10"},
			},
			Claims: []*setplanv1.Claim{
				{
					Name: "www-web-5", Uid: claimUID, ResourceVersion: "47000001", OwnerSetIndex: 2, DeletionUnixMs: observed - 400,
					Phase: setplanv1.ClaimPhase_CLAIM_PHASE_BOUND,
				},
				{Name: "www-web-6", Phase: setplanv1.ClaimPhase_CLAIM_PHASE_PENDING},
				{Name: "www-web-7", Phase: setplanv1.ClaimPhase_CLAIM_PHASE_LOST},
				{Name: "www-web-8"},
			},
			Revisions: []*setplanv1.Revision{{
				Name: "web-5f7d8c9b6", Uid: histUID, ResourceVersion: "46000001", Number: 3, OwnerSetIndex: 1,
				Labels:        map[string]string{"app": "nginx", "controller.kubernetes.io/hash": "5f7d8c9b6"},
				CreatedUnixMs: observed - 900_000,
				Data:          []byte(`{"spec":{"template":{"$patch":"replace"}}}`),
			}},
			Outcomes: []*setplanv1.Outcome{
				{ActionId: "create-pod/web-6", Result: setplanv1.OutcomeResult_OUTCOME_RESULT_REJECTED, Count: 3, Message: "exceeded quota"},
				{ActionId: "delete-pod/web-7", Result: setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT, Count: 1},
				{ActionId: "delete-pod/web-8", Result: setplanv1.OutcomeResult_OUTCOME_RESULT_ERROR, Count: 2},
			},
			Policy: &setplanv1.Policy{Behavior: setplanv1.Behavior_BEHAVIOR_SETPLAN},
			Tables: &setplanv1.Tables{
				LabelSets: []*setplanv1.LabelSet{{}, {Labels: map[string]string{"app": "nginx", "tier": "front"}}},
				OwnerSets: []*setplanv1.OwnerSet{
					{},
					{Owners: []*setplanv1.OwnerReference{owner()}},
					{Owners: []*setplanv1.OwnerReference{{ApiVersion: "v1", Kind: "Pod", Name: "web-5", Uid: podUID}}},
				},
				RevisionNames: []string{"", "web-5f7d8c9b6", "web-7d4c9b8f6d"},
				VolumeSets:    []*setplanv1.VolumeSet{{}, {Volumes: []string{"www", "log"}}},
			},
		},
	}
}

// planRequestPercent has the other member of the oneof, the other behavior, and
// otherwise as little as a request can have.
func planRequestPercent() proto.Message {
	return &setplanv1.PlanRequest{Capabilities: []setplanv1.Capability{setplanv1.Capability_CAPABILITY_CREATE_POD}, Snapshot: &setplanv1.Snapshot{
		ObservedAt: &timestamppb.Timestamp{Seconds: observed / 1000},
		Set: &setplanv1.StatefulSet{
			ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: "default", Name: "web", Uid: setUID,
			Replicas: proto.Int32(10),
			UpdateStrategy: &setplanv1.UpdateStrategy{RollingUpdate: &setplanv1.RollingUpdate{
				MaxUnavailable: &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Percent{Percent: "40%"}},
			}},
			PodTemplate: []byte(`{}`),
		},
		Policy: &setplanv1.Policy{Behavior: setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36},
	}}
}

func serverInfoResponse() proto.Message {
	return &setplanv1.GetServerInfoResponse{
		Version:         "v0.1.0",
		Behaviors:       []setplanv1.Behavior{setplanv1.Behavior_BEHAVIOR_SETPLAN, setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36},
		Capabilities:    allCapabilities(),
		MaxMessageBytes: 32 << 20,
		MaxPods:         20_000,
		Annotations:     []string{"setplan.io/drain-ask", "setplan.io/repair"},
	}
}

// planResponse has every stage, operation, cause and block. It is no plan that
// the planner would make: a fixture is about bytes.
func planResponse() proto.Message {
	return &setplanv1.PlanResponse{Plan: &setplanv1.Plan{
		Fence:        &setplanv1.Fence{SetUid: setUID, Generation: 7, MaxAge: durationpb.New(5 * time.Minute)},
		Stages:       stages(),
		Blocks:       blocks(),
		RequeueAfter: durationpb.New(9_500 * time.Millisecond),
		Converged:    true,
		Truncated:    true,
	}}
}

func stages() []*setplanv1.Stage {
	return []*setplanv1.Stage{
		{
			Phase: setplanv1.StagePhase_STAGE_PHASE_OWNERSHIP, OnFailure: setplanv1.OnFailure_ON_FAILURE_ABORT, RequiresLiveSet: true,
			Steps: []*setplanv1.Step{
				step(adoptPod()), step(releasePod()), step(adoptRevision()),
			},
		},
		{
			Phase: setplanv1.StagePhase_STAGE_PHASE_REVISION, OnFailure: setplanv1.OnFailure_ON_FAILURE_ABORT,
			Steps: []*setplanv1.Step{step(createRevision(), renumberRevision())},
		},
		{
			Phase: setplanv1.StagePhase_STAGE_PHASE_REPLICAS, OnFailure: setplanv1.OnFailure_ON_FAILURE_STOP,
			Steps: []*setplanv1.Step{step(createClaim(), createPod()), step(patchPod())},
		},
		{
			Phase: setplanv1.StagePhase_STAGE_PHASE_CONDEMNED_CLAIMS, OnFailure: setplanv1.OnFailure_ON_FAILURE_SKIP_PHASE,
			Steps: []*setplanv1.Step{step(setClaimOwners())},
		},
		{Phase: setplanv1.StagePhase_STAGE_PHASE_SCALE_DOWN, Steps: []*setplanv1.Step{step(deletePod())}},
		{Phase: setplanv1.StagePhase_STAGE_PHASE_UPDATE, Steps: everyCause()},
		{Phase: setplanv1.StagePhase_STAGE_PHASE_STATUS, AlwaysRun: true, Steps: []*setplanv1.Step{step(updateStatus())}},
		{Phase: setplanv1.StagePhase_STAGE_PHASE_HISTORY, AlwaysRun: true, Steps: []*setplanv1.Step{step(deleteRevision())}},
	}
}

func step(actions ...*setplanv1.Action) *setplanv1.Step { return &setplanv1.Step{Actions: actions} }

func target(kind, name string) *setplanv1.Target {
	return &setplanv1.Target{Kind: kind, Namespace: "databases", Name: name}
}

func adoptPod() *setplanv1.Action {
	return &setplanv1.Action{
		Id: "adopt-pod/web-5", Target: target("Pod", "web-5"),
		Precondition: &setplanv1.Precondition{Uid: podUID, ResourceVersion: "48000001"},
		Cause:        &setplanv1.Cause{Code: setplanv1.CauseCode_CAUSE_CODE_ORPHAN_MATCHES, Message: "Pod web-5 matches the selector."},
		Operation:    &setplanv1.Action_AdoptPod{AdoptPod: &setplanv1.AdoptPod{Owner: owner()}},
	}
}

func releasePod() *setplanv1.Action {
	return &setplanv1.Action{
		Id: "release-pod/web-6", Target: target("Pod", "web-6"),
		Operation: &setplanv1.Action_ReleasePod{ReleasePod: &setplanv1.ReleasePod{OwnerUid: setUID}},
	}
}

func adoptRevision() *setplanv1.Action {
	return &setplanv1.Action{
		Id: "adopt-revision/web-5f7d8c9b6", Target: target("ControllerRevision", "web-5f7d8c9b6"),
		Operation: &setplanv1.Action_AdoptRevision{AdoptRevision: &setplanv1.AdoptRevision{Owner: owner()}},
	}
}

func createRevision() *setplanv1.Action {
	return &setplanv1.Action{
		Id: "create-revision/web-7d4c9b8f6d", Target: target("ControllerRevision", "web-7d4c9b8f6d"),
		Precondition: &setplanv1.Precondition{MustNotExist: true},
		Operation: &setplanv1.Action_CreateRevision{CreateRevision: &setplanv1.CreateRevision{
			Manifest: []byte(`{"apiVersion":"apps/v1","kind":"ControllerRevision","revision":4}`),
		}},
	}
}

func renumberRevision() *setplanv1.Action {
	return &setplanv1.Action{
		Id: "renumber-revision/web-5f7d8c9b6", Target: target("ControllerRevision", "web-5f7d8c9b6"),
		Operation: &setplanv1.Action_RenumberRevision{RenumberRevision: &setplanv1.RenumberRevision{Number: 5}},
	}
}

func createClaim() *setplanv1.Action {
	return &setplanv1.Action{
		Id: "create-claim/www-web-6", Target: target("PersistentVolumeClaim", "www-web-6"),
		Operation: &setplanv1.Action_CreateClaim{CreateClaim: &setplanv1.CreateClaim{
			Manifest: []byte(`{"apiVersion":"v1","kind":"PersistentVolumeClaim"}`),
		}},
	}
}

func createPod() *setplanv1.Action {
	return &setplanv1.Action{
		Id: "create-pod/web-6", Target: target("Pod", "web-6"),
		Operation: &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{
			Manifest: []byte(`{"apiVersion":"v1","kind":"Pod"}`),
		}},
	}
}

func patchPod() *setplanv1.Action {
	return &setplanv1.Action{
		Id: "patch-pod/web-7", Target: target("Pod", "web-7"),
		Operation: &setplanv1.Action_PatchPod{PatchPod: &setplanv1.PatchPod{
			Labels: map[string]string{"statefulset.kubernetes.io/pod-name": "web-7"},
			Claims: []*setplanv1.ClaimBinding{{Volume: "www", Claim: "www-web-7"}},
		}},
	}
}

func setClaimOwners() *setplanv1.Action {
	return &setplanv1.Action{
		Id: "set-claim-owners/www-web-9", Target: target("PersistentVolumeClaim", "www-web-9"),
		Operation: &setplanv1.Action_SetClaimOwners{SetClaimOwners: &setplanv1.SetClaimOwners{
			Owners: []*setplanv1.OwnerReference{
				owner(),
				{ApiVersion: "example.com/v1", Kind: "Backup", Name: "nightly", Uid: foreignUID},
			},
		}},
	}
}

func deletePod() *setplanv1.Action {
	return &setplanv1.Action{
		Id: "delete-pod/web-9", Target: target("Pod", "web-9"),
		Precondition: &setplanv1.Precondition{Uid: podUID},
		Operation:    &setplanv1.Action_DeletePod{DeletePod: &setplanv1.DeletePod{}},
	}
}

func updateStatus() *setplanv1.Action {
	return &setplanv1.Action{
		Id: "update-status", Target: target("StatefulSet", "web"),
		Operation: &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: setStatus()}},
	}
}

func deleteRevision() *setplanv1.Action {
	return &setplanv1.Action{
		Id: "delete-revision/web-69f8d", Target: target("ControllerRevision", "web-69f8d"),
		Operation: &setplanv1.Action_DeleteRevision{DeleteRevision: &setplanv1.DeleteRevision{}},
	}
}

func conditions() []*setplanv1.Condition {
	return []*setplanv1.Condition{{
		Type: "Blocked", Status: "True", Reason: "PodNameTaken", Message: "Pod web-0: A pod of this name exists.", LastTransitionTime: &timestamppb.Timestamp{Seconds: observed / 1000},
	}}
}

func planRequestConditions() proto.Message {
	status := setStatus()
	status.Conditions = conditions()
	return &setplanv1.PlanRequest{
		Capabilities: []setplanv1.Capability{setplanv1.Capability_CAPABILITY_SET_CONDITIONS},
		Snapshot:     &setplanv1.Snapshot{Set: &setplanv1.StatefulSet{Status: status}},
	}
}

func planResponseConditions() proto.Message {
	status := setStatus()
	status.Conditions = conditions()
	action := &setplanv1.Action{
		Id: "update-status/web/1", Target: target("StatefulSet", "web"),
		Operation: &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: status}},
	}
	return &setplanv1.PlanResponse{Plan: &setplanv1.Plan{Stages: []*setplanv1.Stage{{
		Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{action}}},
	}}}}
}

func everyCause() []*setplanv1.Step {
	var steps []*setplanv1.Step
	for _, code := range []setplanv1.CauseCode{
		setplanv1.CauseCode_CAUSE_CODE_ORDINAL_MISSING,
		setplanv1.CauseCode_CAUSE_CODE_POD_FAILED,
		setplanv1.CauseCode_CAUSE_CODE_POD_SUCCEEDED,
		setplanv1.CauseCode_CAUSE_CODE_SCALED_DOWN,
		setplanv1.CauseCode_CAUSE_CODE_OUTDATED,
		setplanv1.CauseCode_CAUSE_CODE_CLAIM_MISSING,
		setplanv1.CauseCode_CAUSE_CODE_CLAIM_MISSING_FOR_PENDING_POD,
		setplanv1.CauseCode_CAUSE_CODE_RETENTION,
		setplanv1.CauseCode_CAUSE_CODE_RETENTION_FOREIGN_CONTROLLER,
		setplanv1.CauseCode_CAUSE_CODE_IDENTITY,
		setplanv1.CauseCode_CAUSE_CODE_STORAGE,
		setplanv1.CauseCode_CAUSE_CODE_ORPHAN_MATCHES,
		setplanv1.CauseCode_CAUSE_CODE_MATCHES_NO_LONGER,
		setplanv1.CauseCode_CAUSE_CODE_NEW_TEMPLATE,
		setplanv1.CauseCode_CAUSE_CODE_ROLLBACK,
		setplanv1.CauseCode_CAUSE_CODE_HISTORY_LIMIT,
		setplanv1.CauseCode_CAUSE_CODE_STATUS_CHANGED,
	} {
		steps = append(steps, step(&setplanv1.Action{Cause: &setplanv1.Cause{Code: code}}))
	}
	return steps
}

func blocks() []*setplanv1.Block {
	result := []*setplanv1.Block{
		{
			Code: setplanv1.BlockCode_BLOCK_CODE_POD_NOT_AVAILABLE, Subject: target("Pod", "web-5"),
			Message: "Pod web-5 is ready, but not for 10 seconds yet.", Remedy: "Wait.",
			Since:     &timestamppb.Timestamp{Seconds: observed/1000 - 1},
			NotBefore: &timestamppb.Timestamp{Seconds: observed/1000 + 9, Nanos: 500_000_000},
			Severity:  setplanv1.Severity_SEVERITY_WAIT,
		},
		{Code: setplanv1.BlockCode_BLOCK_CODE_PARTITION_HELD, Severity: setplanv1.Severity_SEVERITY_INFO},
		{Code: setplanv1.BlockCode_BLOCK_CODE_CLAIM_LOST, Severity: setplanv1.Severity_SEVERITY_ATTENTION},
	}
	for _, code := range []setplanv1.BlockCode{
		setplanv1.BlockCode_BLOCK_CODE_COVERAGE_INCOMPLETE,
		setplanv1.BlockCode_BLOCK_CODE_SET_DELETING,
		setplanv1.BlockCode_BLOCK_CODE_INVALID_SELECTOR,
		setplanv1.BlockCode_BLOCK_CODE_INVALID_TEMPLATE,
		setplanv1.BlockCode_BLOCK_CODE_INVALID_SPEC,
		setplanv1.BlockCode_BLOCK_CODE_INVALID_REVISION,
		setplanv1.BlockCode_BLOCK_CODE_CAPABILITY_MISSING,
		setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY,
		setplanv1.BlockCode_BLOCK_CODE_POD_TERMINATING,
		setplanv1.BlockCode_BLOCK_CODE_POD_ENDED,
		setplanv1.BlockCode_BLOCK_CODE_POD_NAME_TAKEN,
		setplanv1.BlockCode_BLOCK_CODE_CLAIM_TERMINATING,
		setplanv1.BlockCode_BLOCK_CODE_CLAIM_STALE,
		setplanv1.BlockCode_BLOCK_CODE_CLAIM_FOREIGN_CONTROLLER,
		setplanv1.BlockCode_BLOCK_CODE_UPDATE_BUDGET,
		setplanv1.BlockCode_BLOCK_CODE_UPDATE_WAITS_FOR_POD,
		setplanv1.BlockCode_BLOCK_CODE_ON_DELETE,
		setplanv1.BlockCode_BLOCK_CODE_SCALE_DOWN_WAITS_FOR_POD,
		setplanv1.BlockCode_BLOCK_CODE_ACTION_FAILED_BEFORE,
		setplanv1.BlockCode_BLOCK_CODE_IDENTITY_MISMATCH,
	} {
		result = append(result, &setplanv1.Block{Code: code})
	}
	return result
}

// errorReasons freezes the words that errors carry: the reason travels as a
// string, so renaming an enum value would break callers that no field type
// protects.
func errorReasons() proto.Message {
	result := &status.Status{Code: int32(code.Code_INVALID_ARGUMENT), Message: "one of each"}
	for _, reason := range []string{
		"INVALID_SNAPSHOT", "UNSUPPORTED_POLICY", "TOO_MANY_PODS", "MESSAGE_TOO_LARGE", "DRAINING", "INTERNAL",
	} {
		info, err := anypb.New(&errdetails.ErrorInfo{Reason: reason, Domain: "setplan.io"})
		if err != nil {
			panic(err)
		}
		result.Details = append(result.Details, info)
	}
	return result
}

// overloaded is what a planner says that has too much to do.
func overloaded() proto.Message {
	info, err := anypb.New(&errdetails.ErrorInfo{Reason: "OVERLOADED", Domain: "setplan.io"})
	if err != nil {
		panic(err)
	}
	again, err := anypb.New(&errdetails.RetryInfo{RetryDelay: durationpb.New(time.Second)})
	if err != nil {
		panic(err)
	}
	return &status.Status{Code: int32(code.Code_RESOURCE_EXHAUSTED), Message: "try again later", Details: []*anypb.Any{info, again}}
}

// repairRequest and repairResponse are what the repair of pods that cannot become ready has added.
func repairRequest() proto.Message {
	return &setplanv1.PlanRequest{Snapshot: &setplanv1.Snapshot{
		Pods:   []*setplanv1.Pod{{Name: "web-2", Uid: podUID, StartedUnixMs: observed - 60_000, ReadyChangedUnixMs: observed - 60_000}},
		Policy: &setplanv1.Policy{Repair: setplanv1.Repair_REPAIR_NEVER_READY},
	}}
}

func repairResponse() proto.Message {
	return &setplanv1.PlanResponse{Plan: &setplanv1.Plan{
		Stages: []*setplanv1.Stage{{Steps: []*setplanv1.Step{
			step(&setplanv1.Action{Cause: &setplanv1.Cause{Code: setplanv1.CauseCode_CAUSE_CODE_REPAIR}}),
		}}},
		Blocks: []*setplanv1.Block{
			{Code: setplanv1.BlockCode_BLOCK_CODE_REPAIR_WAITS}, {Code: setplanv1.BlockCode_BLOCK_CODE_INVALID_POLICY},
		},
	}}
}

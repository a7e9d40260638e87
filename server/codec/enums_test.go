package codec

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Numbers are cast from one side to the other, so numbers and names must agree.

func TestNamedEnumsAgree(t *testing.T) {
	for prefix, test := range map[string]struct {
		wire protoreflect.EnumDescriptor
		name func(int32) string
	}{
		"CAUSE_CODE_":  {setplanv1.CauseCode(0).Descriptor(), func(n int32) string { return model.CauseCode(n).String() }},
		"BLOCK_CODE_":  {setplanv1.BlockCode(0).Descriptor(), func(n int32) string { return model.BlockCode(n).String() }},
		"STAGE_PHASE_": {setplanv1.StagePhase(0).Descriptor(), func(n int32) string { return model.Phase(n).String() }},
		"SEVERITY_":    {setplanv1.Severity(0).Descriptor(), func(n int32) string { return model.Severity(n).String() }},
		"ON_FAILURE_":  {setplanv1.OnFailure(0).Descriptor(), func(n int32) string { return model.OnFailure(n).String() }},
	} {
		values := test.wire.Values()
		for i := 1; i < values.Len(); i++ {
			want := strings.TrimPrefix(string(values.Get(i).Name()), prefix)
			got := strings.ToUpper(strings.ReplaceAll(test.name(int32(values.Get(i).Number())), "-", "_"))
			if got != want {
				t.Errorf("%s%s has number %d; the engine calls that %q", prefix, want, values.Get(i).Number(), got)
			}
		}
		for _, n := range []int{values.Len(), math.MaxInt32, -1} {
			if beyond := test.name(int32(n)); beyond != strconv.Itoa(n) {
				t.Errorf("%s: the engine calls %d %q, the contract has no such number", prefix, n, beyond)
			}
		}
	}
}

func TestNumbersAgree(t *testing.T) {
	for wire, ours := range map[protoreflect.Enum]int32{
		setplanv1.PodPhase_POD_PHASE_UNSPECIFIED:                 int32(model.PodPhaseNone),
		setplanv1.PodPhase_POD_PHASE_PENDING:                     int32(model.PodPending),
		setplanv1.PodPhase_POD_PHASE_RUNNING:                     int32(model.PodRunning),
		setplanv1.PodPhase_POD_PHASE_SUCCEEDED:                   int32(model.PodSucceeded),
		setplanv1.PodPhase_POD_PHASE_FAILED:                      int32(model.PodFailed),
		setplanv1.PodPhase_POD_PHASE_UNKNOWN:                     int32(model.PodUnknown),
		setplanv1.ClaimPhase_CLAIM_PHASE_UNSPECIFIED:             int32(model.ClaimPhaseNone),
		setplanv1.ClaimPhase_CLAIM_PHASE_PENDING:                 int32(model.ClaimPending),
		setplanv1.ClaimPhase_CLAIM_PHASE_BOUND:                   int32(model.ClaimBound),
		setplanv1.ClaimPhase_CLAIM_PHASE_LOST:                    int32(model.ClaimLost),
		setplanv1.OutcomeResult_OUTCOME_RESULT_REJECTED:          int32(model.OutcomeRejected),
		setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT:          int32(model.OutcomeConflict),
		setplanv1.OutcomeResult_OUTCOME_RESULT_ERROR:             int32(model.OutcomeError),
		setplanv1.OutcomeResult_OUTCOME_RESULT_DISRUPTION_BUDGET: int32(model.OutcomeDisruptionBudget),
		setplanv1.OutcomeResult_OUTCOME_RESULT_UNSPECIFIED:       int32(model.OutcomeUnknown),
		setplanv1.Scope_SCOPE_WHOLE_SET:                          int32(model.ScopeWholeSet),
		setplanv1.Scope_SCOPE_DRAIN_ONLY:                         int32(model.ScopeDrainOnly),
		setplanv1.Repair_REPAIR_NEVER:                            int32(model.RepairNever),
		setplanv1.Repair_REPAIR_NEVER_READY:                      int32(model.RepairNeverReady),
		setplanv1.Repair_REPAIR_UNREADY:                          int32(model.RepairUnready),
		setplanv1.DrainScaleUp_DRAIN_SCALE_UP_FINISH:             int32(model.DrainScaleUpFinish),
		setplanv1.DrainScaleUp_DRAIN_SCALE_UP_CANCEL:             int32(model.DrainScaleUpCancel),
		setplanv1.DrainProof_DRAIN_PROOF_SUCCESS:                 int32(model.DrainProofSuccess),
		setplanv1.DrainProof_DRAIN_PROOF_TOKEN:                   int32(model.DrainProofToken),
	} {
		if int32(wire.Number()) != ours {
			t.Errorf("%v is %d on the wire and %d in the engine", wire, wire.Number(), ours)
		}
	}
	for wire, knows := range map[protoreflect.EnumDescriptor]int{
		setplanv1.Scope(0).Descriptor(): 3, setplanv1.Repair(0).Descriptor(): 4,
		setplanv1.DrainScaleUp(0).Descriptor(): 3, setplanv1.DrainProof(0).Descriptor(): 3,
	} {
		if got := wire.Values().Len(); got != knows {
			t.Errorf("%s has %d values, this test knows %d", wire.Name(), got, knows)
		}
	}
	if got, want := setplanv1.PodPhase(0).Descriptor().Values().Len(), 6; got != want {
		t.Errorf("PodPhase has %d values, this test knows %d", got, want)
	}
	if got, want := setplanv1.ClaimPhase(0).Descriptor().Values().Len(), 4; got != want {
		t.Errorf("ClaimPhase has %d values, this test knows %d", got, want)
	}
	if got, want := setplanv1.OutcomeResult(0).Descriptor().Values().Len(), 6; got != want {
		t.Errorf("OutcomeResult has %d values, this test knows %d", got, want)
	}
}

func TestCapabilityBitsAgree(t *testing.T) {
	for wire, bit := range map[setplanv1.Capability]model.Capabilities{
		setplanv1.Capability_CAPABILITY_CREATE_POD:          model.CanCreatePod,
		setplanv1.Capability_CAPABILITY_DELETE_POD:          model.CanDeletePod,
		setplanv1.Capability_CAPABILITY_PATCH_POD:           model.CanPatchPod,
		setplanv1.Capability_CAPABILITY_ADOPT_POD:           model.CanAdoptPod,
		setplanv1.Capability_CAPABILITY_RELEASE_POD:         model.CanReleasePod,
		setplanv1.Capability_CAPABILITY_CREATE_CLAIM:        model.CanCreateClaim,
		setplanv1.Capability_CAPABILITY_SET_CLAIM_OWNERS:    model.CanSetClaimOwners,
		setplanv1.Capability_CAPABILITY_CREATE_REVISION:     model.CanCreateRevision,
		setplanv1.Capability_CAPABILITY_RENUMBER_REVISION:   model.CanRenumberRevision,
		setplanv1.Capability_CAPABILITY_ADOPT_REVISION:      model.CanAdoptRevision,
		setplanv1.Capability_CAPABILITY_DELETE_REVISION:     model.CanDeleteRevision,
		setplanv1.Capability_CAPABILITY_UPDATE_STATUS:       model.CanUpdateStatus,
		setplanv1.Capability_CAPABILITY_ADD_CLAIM_TEMPLATES: model.CanAddClaimTemplates,
		setplanv1.Capability_CAPABILITY_PATCH_ANNOTATIONS:   model.CanPatchAnnotations,
		setplanv1.Capability_CAPABILITY_DELETE_CLAIM:        model.CanDeleteClaim,
		setplanv1.Capability_CAPABILITY_SET_FINALIZER:       model.CanSetFinalizer,
		setplanv1.Capability_CAPABILITY_UPDATE_POD:          model.CanUpdatePod,
		setplanv1.Capability_CAPABILITY_UPDATE_IMAGES:       model.CanUpdateImages,
		setplanv1.Capability_CAPABILITY_RESIZE_POD:          model.CanResizePod,
		setplanv1.Capability_CAPABILITY_SET_CONDITIONS:      model.CanSetConditions,
	} {
		if bit != 1<<wire {
			t.Errorf("%v has bit %b in the engine, want bit %d", wire, bit, wire)
		}
	}
	listed := Capabilities()
	if got, want := len(listed), len(setplanv1.Capability_name)-1; got != want {
		t.Errorf("Capabilities lists %d, the contract has %d", got, want)
	}
	for _, c := range listed {
		if _, ok := setplanv1.Capability_name[int32(c)]; !ok {
			t.Errorf("the engine can emit number %d, which the contract does not have", c)
		}
	}
}

package codec

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/setplan/setplan/engine"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Numbers are cast from one side to the other, so numbers and names must agree.

func TestNamedEnumsAgree(t *testing.T) {
	for prefix, test := range map[string]struct {
		wire protoreflect.EnumDescriptor
		name func(int32) string
	}{
		"CAUSE_CODE_":  {setplanv1.CauseCode(0).Descriptor(), func(n int32) string { return engine.CauseCode(n).String() }},
		"BLOCK_CODE_":  {setplanv1.BlockCode(0).Descriptor(), func(n int32) string { return engine.BlockCode(n).String() }},
		"STAGE_PHASE_": {setplanv1.StagePhase(0).Descriptor(), func(n int32) string { return engine.Phase(n).String() }},
		"SEVERITY_":    {setplanv1.Severity(0).Descriptor(), func(n int32) string { return engine.Severity(n).String() }},
		"ON_FAILURE_":  {setplanv1.OnFailure(0).Descriptor(), func(n int32) string { return engine.OnFailure(n).String() }},
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
		setplanv1.PodPhase_POD_PHASE_UNSPECIFIED:                 int32(engine.PodPhaseNone),
		setplanv1.PodPhase_POD_PHASE_PENDING:                     int32(engine.PodPending),
		setplanv1.PodPhase_POD_PHASE_RUNNING:                     int32(engine.PodRunning),
		setplanv1.PodPhase_POD_PHASE_SUCCEEDED:                   int32(engine.PodSucceeded),
		setplanv1.PodPhase_POD_PHASE_FAILED:                      int32(engine.PodFailed),
		setplanv1.PodPhase_POD_PHASE_UNKNOWN:                     int32(engine.PodUnknown),
		setplanv1.ClaimPhase_CLAIM_PHASE_UNSPECIFIED:             int32(engine.ClaimPhaseNone),
		setplanv1.ClaimPhase_CLAIM_PHASE_PENDING:                 int32(engine.ClaimPending),
		setplanv1.ClaimPhase_CLAIM_PHASE_BOUND:                   int32(engine.ClaimBound),
		setplanv1.ClaimPhase_CLAIM_PHASE_LOST:                    int32(engine.ClaimLost),
		setplanv1.OutcomeResult_OUTCOME_RESULT_REJECTED:          int32(engine.OutcomeRejected),
		setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT:          int32(engine.OutcomeConflict),
		setplanv1.OutcomeResult_OUTCOME_RESULT_ERROR:             int32(engine.OutcomeError),
		setplanv1.OutcomeResult_OUTCOME_RESULT_DISRUPTION_BUDGET: int32(engine.OutcomeDisruptionBudget),
		setplanv1.OutcomeResult_OUTCOME_RESULT_UNSPECIFIED:       int32(engine.OutcomeUnknown),
		setplanv1.Scope_SCOPE_WHOLE_SET:                          int32(engine.ScopeWholeSet),
		setplanv1.Scope_SCOPE_DRAIN_ONLY:                         int32(engine.ScopeDrainOnly),
		setplanv1.Repair_REPAIR_NEVER:                            int32(engine.RepairNever),
		setplanv1.Repair_REPAIR_NEVER_READY:                      int32(engine.RepairNeverReady),
		setplanv1.Repair_REPAIR_UNREADY:                          int32(engine.RepairUnready),
		setplanv1.DrainScaleUp_DRAIN_SCALE_UP_FINISH:             int32(engine.DrainScaleUpFinish),
		setplanv1.DrainScaleUp_DRAIN_SCALE_UP_CANCEL:             int32(engine.DrainScaleUpCancel),
		setplanv1.DrainProof_DRAIN_PROOF_SUCCESS:                 int32(engine.DrainProofSuccess),
		setplanv1.DrainProof_DRAIN_PROOF_TOKEN:                   int32(engine.DrainProofToken),
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
	if got, want := setplanv1.OutcomeResult(0).Descriptor().Values().Len(), 5; got != want {
		t.Errorf("OutcomeResult has %d values, this test knows %d", got, want)
	}
}

func TestCapabilityBitsAgree(t *testing.T) {
	for wire, bit := range map[setplanv1.Capability]engine.Capabilities{
		setplanv1.Capability_CAPABILITY_CREATE_POD:          engine.CanCreatePod,
		setplanv1.Capability_CAPABILITY_DELETE_POD:          engine.CanDeletePod,
		setplanv1.Capability_CAPABILITY_PATCH_POD:           engine.CanPatchPod,
		setplanv1.Capability_CAPABILITY_ADOPT_POD:           engine.CanAdoptPod,
		setplanv1.Capability_CAPABILITY_RELEASE_POD:         engine.CanReleasePod,
		setplanv1.Capability_CAPABILITY_CREATE_CLAIM:        engine.CanCreateClaim,
		setplanv1.Capability_CAPABILITY_SET_CLAIM_OWNERS:    engine.CanSetClaimOwners,
		setplanv1.Capability_CAPABILITY_CREATE_REVISION:     engine.CanCreateRevision,
		setplanv1.Capability_CAPABILITY_RENUMBER_REVISION:   engine.CanRenumberRevision,
		setplanv1.Capability_CAPABILITY_ADOPT_REVISION:      engine.CanAdoptRevision,
		setplanv1.Capability_CAPABILITY_DELETE_REVISION:     engine.CanDeleteRevision,
		setplanv1.Capability_CAPABILITY_UPDATE_STATUS:       engine.CanUpdateStatus,
		setplanv1.Capability_CAPABILITY_ADD_CLAIM_TEMPLATES: engine.CanAddClaimTemplates,
		setplanv1.Capability_CAPABILITY_PATCH_ANNOTATIONS:   engine.CanPatchAnnotations,
		setplanv1.Capability_CAPABILITY_DELETE_CLAIM:        engine.CanDeleteClaim,
		setplanv1.Capability_CAPABILITY_SET_FINALIZER:       engine.CanSetFinalizer,
		setplanv1.Capability_CAPABILITY_UPDATE_POD:          engine.CanUpdatePod,
		setplanv1.Capability_CAPABILITY_UPDATE_IMAGES:       engine.CanUpdateImages,
		setplanv1.Capability_CAPABILITY_RESIZE_POD:          engine.CanResizePod,
		setplanv1.Capability_CAPABILITY_SET_CONDITIONS:      engine.CanSetConditions,
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

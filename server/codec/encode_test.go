package codec

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func TestEncodePlan(t *testing.T) {
	plan := &model.Plan{
		Fence: model.Fence{SetUID: "u-set", Generation: 4, MaxAge: time.Minute},
		Stages: []model.Stage{{
			Phase: model.PhaseReplicas, OnFailure: model.SkipPhase, AlwaysRun: true, RequiresLiveSet: true,
			Steps: []model.Step{{Actions: []model.Action{{
				ID: "x1", Kind: "Pod", Name: "web-0", MustNotExist: true, UID: "u", ResourceVersion: "3",
				Cause: model.Cause{Code: model.CauseOrdinalMissing, Message: "Ordinal 0 has no pod."},
				Op:    model.CreatePod{Manifest: []byte("{}")},
			}}}},
		}},
		Blocks: []model.Block{
			{Code: model.BlockPodNotReady, Severity: model.Wait, Kind: "Pod", Name: "web-0", Message: "s", Remedy: "r",
				Since: noon, NotBefore: noon.Add(time.Second)},
			{Code: model.BlockOnDelete, Severity: model.Info},
		},
		RequeueAfter: 3 * time.Second, Converged: true, Truncated: true,
	}
	want := &setplanv1.Plan{
		Fence: &setplanv1.Fence{SetUid: "u-set", Generation: 4, MaxAge: durationpb.New(time.Minute)},
		Stages: []*setplanv1.Stage{{
			Phase: setplanv1.StagePhase_STAGE_PHASE_REPLICAS, OnFailure: setplanv1.OnFailure_ON_FAILURE_SKIP_PHASE,
			AlwaysRun: true, RequiresLiveSet: true,
			Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{{
				Id:           "x1",
				Target:       &setplanv1.Target{Kind: "Pod", Namespace: "shop", Name: "web-0"},
				Precondition: &setplanv1.Precondition{MustNotExist: true, Uid: "u", ResourceVersion: "3"},
				Cause: &setplanv1.Cause{Code: setplanv1.CauseCode_CAUSE_CODE_ORDINAL_MISSING,
					Message: "Ordinal 0 has no pod."},
				Operation: &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{Manifest: []byte("{}")}},
			}}}},
		}},
		Blocks: []*setplanv1.Block{
			{Code: setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY, Severity: setplanv1.Severity_SEVERITY_WAIT,
				Subject: &setplanv1.Target{Kind: "Pod", Namespace: "shop", Name: "web-0"},
				Message: "s", Remedy: "r", Since: timestamppb.New(noon), NotBefore: timestamppb.New(noon.Add(time.Second))},
			{Code: setplanv1.BlockCode_BLOCK_CODE_ON_DELETE, Severity: setplanv1.Severity_SEVERITY_INFO,
				Subject: &setplanv1.Target{Namespace: "shop"}},
		},
		RequeueAfter: durationpb.New(3 * time.Second), Converged: true, Truncated: true,
	}
	if diff := cmp.Diff(want, Encode(plan, "shop"), protocmp.Transform()); diff != "" {
		t.Errorf("encoded plan (-want +got):\n%s", diff)
	}
}

// TestStatusHasItsZeros: an unset field is not written, so a counter that has fallen to zero would keep its old value.
func TestStatusHasItsZeros(t *testing.T) {
	m := (&encoder{}).status(model.Status{CollisionCount: new(int32(0))}).ProtoReflect()
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		if field := fields.Get(i); !field.IsList() && !m.Has(field) {
			t.Errorf("%s is zero, and not set", field.Name())
		}
	}
	if (&encoder{}).status(model.Status{}).CollisionCount != nil {
		t.Error("collisions that were never counted are set")
	}
}

func TestEncodeLeavesUnsetWhatIsUnset(t *testing.T) {
	got := Encode(&model.Plan{Blocks: []model.Block{{}}}, "shop")
	if got.RequeueAfter != nil {
		t.Error("no requeue time became a requeue time of 0, which means at once")
	}
	if got.Blocks[0].Since != nil || got.Blocks[0].NotBefore != nil {
		t.Error("unknown times became times")
	}
}

// operations: every operation of the engine, with every field set, and what it is on the wire.
var operations = []struct {
	engine model.Operation
	wire   proto.Message
}{
	{model.CreatePod{Manifest: []byte("m")}, &setplanv1.CreatePod{Manifest: []byte("m")}},
	{model.DeletePod{}, &setplanv1.DeletePod{}},
	{model.EvictPod{}, &setplanv1.EvictPod{}},
	{model.PatchPod{Labels: []model.KeyValue{{Key: "k", Value: "v"}}, Claims: []model.ClaimBinding{{Volume: "a", Claim: "b"}}},
		&setplanv1.PatchPod{Labels: map[string]string{"k": "v"}, Claims: []*setplanv1.ClaimBinding{{Volume: "a", Claim: "b"}}}},
	{model.UpdatePod{Labels: []model.KeyValue{{Key: "k", Value: "v"}}, RemoveLabels: []string{"l"}, Annotations: []model.KeyValue{{Key: "a", Value: "b"}}, RemoveAnnotations: []string{"n"},
		Containers: []model.ContainerImage{{Name: "main", Image: "main:2"}, {Name: "helper", Image: "helper:1"}}, InitContainers: []model.ContainerImage{{Name: "proxy", Image: "proxy:2"}}},
		&setplanv1.UpdatePod{Labels: map[string]string{"k": "v"}, RemoveLabels: []string{"l"}, Annotations: map[string]string{"a": "b"}, RemoveAnnotations: []string{"n"},
			Containers: []*setplanv1.ContainerImage{{Name: "main", Image: "main:2"}, {Name: "helper", Image: "helper:1"}}, InitContainers: []*setplanv1.ContainerImage{{Name: "proxy", Image: "proxy:2"}}}},
	{model.ResizePod{Containers: []model.ContainerResize{{Name: "main", Resources: model.Resources{Requests: model.Amounts{CPU: "1"}, Limits: model.Amounts{CPU: "2", Memory: "1Gi"}}}, {Name: "helper"}},
		InitContainers: []model.ContainerResize{{Name: "proxy", Resources: model.Resources{Requests: model.Amounts{Memory: "0"}}}}},
		&setplanv1.ResizePod{Containers: []*setplanv1.ContainerResize{{Name: "main", Requests: map[string]string{"cpu": "1"}, Limits: map[string]string{"cpu": "2", "memory": "1Gi"}}, {Name: "helper"}},
			InitContainers: []*setplanv1.ContainerResize{{Name: "proxy", Requests: map[string]string{"memory": "0"}}}}},
	{model.AdoptPod{Owner: anOwner}, &setplanv1.AdoptPod{Owner: wireOwner}},
	{model.ReleasePod{OwnerUID: "u"}, &setplanv1.ReleasePod{OwnerUid: "u"}},
	{model.CreateClaim{Manifest: []byte("m")}, &setplanv1.CreateClaim{Manifest: []byte("m")}},
	{model.SetClaimOwners{Owners: []model.Owner{anOwner}}, &setplanv1.SetClaimOwners{Owners: []*setplanv1.OwnerReference{wireOwner}}},
	{model.CreateRevision{Manifest: []byte("m")}, &setplanv1.CreateRevision{Manifest: []byte("m")}},
	{model.RenumberRevision{Number: 7}, &setplanv1.RenumberRevision{Number: 7}},
	{model.AdoptRevision{Owner: anOwner}, &setplanv1.AdoptRevision{Owner: wireOwner}},
	{model.DeleteRevision{}, &setplanv1.DeleteRevision{}},
	{model.PatchAnnotations{Set: []model.KeyValue{{Key: "k", Value: "v"}}, Remove: []string{"gone"}},
		&setplanv1.PatchAnnotations{Set: map[string]string{"k": "v"}, Remove: []string{"gone"}}},
	{model.DeleteClaim{}, &setplanv1.DeleteClaim{}},
	{model.PatchClaim{Request: "20Gi", AttributesClass: "gold", Labels: []model.KeyValue{{Key: "k", Value: "v"}}, Annotations: []model.KeyValue{{Key: "a", Value: "b"}}},
		&setplanv1.PatchClaim{Request: "20Gi", AttributesClass: "gold", Labels: map[string]string{"k": "v"}, Annotations: map[string]string{"a": "b"}}},
	{model.SetFinalizer{Finalizer: "f", Present: true}, &setplanv1.SetFinalizer{Finalizer: "f", Present: true}},
	{model.UpdateStatus{Status: model.Status{ObservedGeneration: 1, Replicas: 2, ReadyReplicas: 3, AvailableReplicas: 4,
		CurrentReplicas: 5, UpdatedReplicas: 6, CurrentRevision: "c", UpdateRevision: "u", CollisionCount: proto.Int32(7)}},
		&setplanv1.UpdateStatus{Status: &setplanv1.StatefulSetStatus{ObservedGeneration: new(int64(1)), Replicas: new(int32(2)), ReadyReplicas: new(int32(3)),
			AvailableReplicas: new(int32(4)), CurrentReplicas: new(int32(5)), UpdatedReplicas: new(int32(6)), CurrentRevision: new("c"), UpdateRevision: new("u"),
			CollisionCount: proto.Int32(7)}}},
}

var (
	anOwner   = model.Owner{APIVersion: "v", Kind: "k", Name: "n", UID: "u", Controller: true, BlockOwnerDeletion: true}
	wireOwner = &setplanv1.OwnerReference{ApiVersion: "v", Kind: "k", Name: "n", Uid: "u", Controller: true, BlockOwnerDeletion: true}
)

func TestEveryMemberOfTheOneofIsProduced(t *testing.T) {
	produced := map[string]bool{}
	for _, op := range operations {
		action := &setplanv1.Action{}
		(&encoder{}).operation(op.engine, action)
		m := action.ProtoReflect()
		oneof := m.Descriptor().Oneofs().ByName("operation")
		field := m.WhichOneof(oneof)
		if field == nil {
			t.Errorf("%T was encoded as nothing", op.engine)
			continue
		}
		produced[string(field.Name())] = true
		name := reflect.TypeOf(op.engine).Name()
		if got := string(field.Message().Name()); got != name {
			t.Errorf("engine operation %s was encoded as %s", name, got)
		}
		if got, want := operationName(op.engine), string(field.Name()); got != want {
			t.Errorf("a forecast calls %s %s", want, got)
		}
		if diff := cmp.Diff(op.wire, m.Get(field).Message().Interface(), protocmp.Transform()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	members := (&setplanv1.Action{}).ProtoReflect().Descriptor().Oneofs().ByName("operation").Fields()
	for i := range members.Len() {
		if name := string(members.Get(i).Name()); !produced[name] {
			t.Errorf("no engine operation is encoded as %q: add it to the engine and to encoder.operation", name)
		}
	}
}

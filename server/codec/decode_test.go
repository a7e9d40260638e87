package codec

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func TestDecodeEveryField(t *testing.T) {
	one := int32(1)
	owners := []model.Owner{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", UID: "u-set", Controller: true,
		BlockOwnerDeletion: true}}
	labels := &model.Labels{Values: map[string]string{"app": "web"}}
	notes := &model.Annotations{Values: map[string]string{"setplan.io/drain-set": "web/u-set", "setplan.io/later": ""}}
	want := &model.Snapshot{
		ObservedAt: noon,
		Coverage:   model.Coverage{Pods: true, Claims: true, Revisions: true},
		Set: model.Set{
			Object: model.Object{APIVersion: "apps/v1", Kind: "StatefulSet", Namespace: "shop", Name: "web", UID: "u-set", Generation: 4,
				ResourceVersion: "77", DeletedAt: noon, Annotations: map[string]string{"a": "b"}, Finalizers: []string{"setplan.io/drain"}},
			Spec: model.Spec{Replicas: 3,
				OrdinalsStart: 5,
				Selector: model.Selector{MatchLabels: map[string]string{"app": "web"},
					Expressions: []model.Requirement{{Key: "tier", Operator: "In", Values: []string{"x", "y"}}}},
				ServiceName: "web-svc", PodManagementPolicy: "Parallel", StrategyType: "RollingUpdate",
				RollingUpdate:   &model.RollingUpdate{Partition: 1, MaxUnavailable: &model.IntOrPercent{Percent: "40%"}},
				MinReadySeconds: 10, RevisionHistoryLimit: -1, WhenDeleted: "Delete", WhenScaled: "Retain"},
			PodTemplate: []byte(`{"spec":{}}`), ClaimTemplates: [][]byte{[]byte(`{"metadata":{"name":"data"}}`)},
			Status: model.Status{ObservedGeneration: 3, Replicas: 2, ReadyReplicas: 1, AvailableReplicas: 1,
				CurrentReplicas: 2, UpdatedReplicas: 1, CurrentRevision: "web-1", UpdateRevision: "web-2",
				CollisionCount: &one},
		},
		Pods: []model.Pod{
			{Name: "web-5", UID: "u-5", ResourceVersion: "5", PodStatus: model.PodStatus{Phase: model.PodRunning, Ready: true,
				ReadyChangedAt: noon.Add(time.Millisecond), StartedAt: noon.Add(4 * time.Millisecond), Disrupted: true, NodeLost: true, Ended: &model.PodEnded{Messages: []string{"t", ""}},
				Containers: &model.PodContainers{Generation: 3, ObservedGeneration: 2,
					Containers: []model.Container{
						{Name: "main", Image: "main:2", StatusImage: "main:1", ImageID: "sha256:1", ContainerID: "c://1", StartedAt: noon.Add(5 * time.Millisecond),
							Resources:       model.Resources{Requests: model.Amounts{CPU: "1", Memory: "1Gi"}, Limits: model.Amounts{Memory: "2Gi"}},
							StatusResources: &model.Resources{Requests: model.Amounts{CPU: "500m"}, Limits: model.Amounts{CPU: "3", Memory: "1Gi"}}},
						{Name: "helper", Image: "helper:1", WaitingReason: "ImagePullBackOff"},
					},
					Init:             []model.Container{{Name: "proxy", Image: "proxy:1", StatusResources: &model.Resources{}}},
					ResizePending:    &model.PodResize{Reason: "Deferred", Message: "no room", Since: noon.Add(6 * time.Millisecond), ObservedGeneration: 2},
					ResizeInProgress: &model.PodResize{Reason: "Error"}}}, DeletedAt: noon.Add(2 * time.Millisecond),
				CreatedAt: noon.Add(3 * time.Millisecond), Labels: labels, Owners: owners, Revision: "web-1",
				PodNameLabel: true, PodIndexLabel: true, Gates: []string{"example.com/quota"}, Volumes: []string{"data"},
				OtherClaims: []model.ClaimBinding{{Volume: "logs", Claim: "shared"}},
				Annotations: notes},
			{Name: "web-6", UID: "u-6", Labels: labels, Owners: owners, Revision: "web-1", Volumes: []string{"data"}, Annotations: notes},
		},
		Claims: []model.Claim{{Name: "data-web-5", UID: "u-c", ResourceVersion: "6", Owners: owners, DeletedAt: noon,
			Phase: model.ClaimBound, Annotations: &model.Annotations{Values: map[string]string{"setplan.io/drain-attempts": "2"}}}},
		Revisions: []model.Revision{{Name: "web-1", UID: "u-r", ResourceVersion: "7", Number: 8, Owners: owners,
			Labels: map[string]string{"app": "web"}, CreatedAt: noon, Data: []byte(`{}`)}},
		Outcomes: []model.Outcome{{ActionID: "a1", Result: model.OutcomeRejected, Count: 2, Message: "quota"},
			{ActionID: "a2", Result: model.OutcomeUnknown}},
		Policy: model.Policy{Scope: model.ScopeDrainOnly, Repair: model.RepairUnready,
			Drain: model.DrainPolicy{PodTemplate: []byte("{}"), Proof: model.DrainProofToken, ScaleUp: model.DrainScaleUpCancel,
				MaxParallel: 3, Leftovers: proto.Bool(true), OnDelete: proto.Bool(false), Ask: proto.Bool(true)}},
		Rules:        model.Kubernetes136(),
		Capabilities: model.CanCreatePod,
	}
	got, err := Decode(request(), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decoded snapshot (-want +got):\n%s", diff)
	}
}

func TestDecodeDefaults(t *testing.T) {
	in := request()
	in.Snapshot.Policy = nil
	in.Snapshot.Set.Replicas = nil
	in.Snapshot.Set.RevisionHistoryLimit = nil
	in.Snapshot.Set.UpdateStrategy = nil
	in.Snapshot.Set.Status = nil
	got, err := Decode(in, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2]any{
		"replicas":       {int32(1), got.Set.Replicas},
		"history limit":  {int32(10), got.Set.RevisionHistoryLimit},
		"rolling update": {(*model.RollingUpdate)(nil), got.Set.RollingUpdate},
		"status":         {model.Status{}, got.Set.Status},
		"rules":          {model.Setplan(), got.Rules},
	} {
		if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestOnlyUnknownCapabilitiesIsNotEmpty(t *testing.T) {
	in := request()
	in.Capabilities = []setplanv1.Capability{1000}
	got, err := Decode(in, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Capabilities != 0 {
		t.Errorf("capabilities = %b, want none: the caller listed what it can do, and we know none of it", got.Capabilities)
	}
}

func TestSharedEntriesShareValues(t *testing.T) {
	got, err := Decode(request(), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := got.Pods[0], got.Pods[1]
	if a.Labels != b.Labels || a.Annotations != b.Annotations || &a.Owners[0] != &b.Owners[0] || &a.Volumes[0] != &b.Volumes[0] {
		t.Error("pods of one table entry do not share its value")
	}
	if &a.Owners[0] != &got.Claims[0].Owners[0] || &a.Owners[0] != &got.Revisions[0].Owners[0] {
		t.Error("claims and revisions do not share the owners of their table entry")
	}
}

func TestMaxPods(t *testing.T) {
	in := request()
	in.Snapshot.Set = nil
	_, err := Decode(in, Limits{MaxPods: 1})
	var tooMany *TooManyPodsError
	if !errors.As(err, &tooMany) || *tooMany != (TooManyPodsError{Pods: 2, Limit: 1}) {
		t.Errorf("err = %v, want 2 pods against a limit of 1, before anything else", err)
	}
	if _, err := Decode(request(), Limits{MaxPods: 2}); err != nil {
		t.Errorf("exactly the limit: %v", err)
	}
}

func TestDecodeAllocatesNothingPerPod(t *testing.T) {
	allocations := func(pods int) float64 {
		in := manyPods(pods)
		return testing.AllocsPerRun(5, func() {
			if _, err := Decode(in, Limits{}); err != nil {
				t.Fatal(err)
			}
		})
	}
	few, many := allocations(10), allocations(5000)
	if many > few+50 {
		t.Errorf("%.0f allocations for 10 pods, %.0f for 5000", few, many)
	}
}

func BenchmarkDecode1000Pods(b *testing.B) {
	in := manyPods(1000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(in, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

func manyPods(n int) *setplanv1.PlanRequest {
	in := request()
	in.Snapshot.ObservedAt = timestamppb.New(noon)
	in.Snapshot.Pods = nil
	for i := range n {
		p := proto.CloneOf(request().Snapshot.Pods[1])
		p.Name, p.Uid = fmt.Sprintf("web-%d", i), fmt.Sprintf("u-%d", i)
		in.Snapshot.Pods = append(in.Snapshot.Pods, p)
	}
	return in
}

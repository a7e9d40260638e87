package codec

import (
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// request is a valid request that uses every field.
func request() *setplanv1.PlanRequest {
	return &setplanv1.PlanRequest{
		Capabilities: []setplanv1.Capability{setplanv1.Capability_CAPABILITY_CREATE_POD, 63, 1000},
		Snapshot: &setplanv1.Snapshot{
			ObservedAt: timestamppb.New(noon),
			Coverage:   &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true, PodsVersion: "9"},
			Set: &setplanv1.StatefulSet{
				ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: "shop", Name: "web", Uid: "u-set",
				Generation: 4, ResourceVersion: "77", DeletionUnixMs: noon.UnixMilli(),
				Annotations: map[string]string{"a": "b"},
				Replicas:    proto.Int32(3), OrdinalsStart: 5,
				Selector: &setplanv1.LabelSelector{
					MatchLabels:      map[string]string{"app": "web"},
					MatchExpressions: []*setplanv1.LabelRequirement{{Key: "tier", Operator: "In", Values: []string{"x", "y"}}},
				},
				ServiceName: "web-svc", PodManagementPolicy: "Parallel",
				UpdateStrategy: &setplanv1.UpdateStrategy{
					Type: "RollingUpdate",
					RollingUpdate: &setplanv1.RollingUpdate{
						Partition:      1,
						MaxUnavailable: &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Percent{Percent: "40%"}},
					},
				},
				MinReadySeconds: 10, RevisionHistoryLimit: proto.Int32(-1),
				ClaimRetention: &setplanv1.ClaimRetention{WhenDeleted: "Delete", WhenScaled: "Retain"},
				PodTemplate:    []byte(`{"spec":{}}`), ClaimTemplates: [][]byte{[]byte(`{"metadata":{"name":"data"}}`)},
				Status: &setplanv1.StatefulSetStatus{
					ObservedGeneration: new(int64(3)), Replicas: new(int32(2)), ReadyReplicas: new(int32(1)), AvailableReplicas: new(int32(1)), CurrentReplicas: new(int32(2)),
					UpdatedReplicas: new(int32(1)), CurrentRevision: new("web-1"), UpdateRevision: new("web-2"), CollisionCount: proto.Int32(1),
				},
				Finalizers: []string{"setplan.io/drain"},
			},
			Pods: []*setplanv1.Pod{
				{
					Name: "web-5", Uid: "u-5", ResourceVersion: "5", Phase: setplanv1.PodPhase_POD_PHASE_RUNNING, Ready: true,
					ReadyChangedUnixMs: noon.UnixMilli() + 1, DeletionUnixMs: noon.UnixMilli() + 2,
					CreatedUnixMs: noon.UnixMilli() + 3, StartedUnixMs: noon.UnixMilli() + 4, LabelSetIndex: 1, OwnerSetIndex: 1, RevisionNameIndex: 1, PodNameLabel: true,
					PodIndexLabel: true, VolumeSetIndex: 1,
					OtherClaims:         []*setplanv1.ClaimBinding{{Volume: "logs", Claim: "shared"}},
					TerminationMessages: []string{"t", ""}, Disrupted: true, NodeLost: true, SchedulingGates: []string{"example.com/quota"}, AnnotationSetIndex: 1,
					Containers: &setplanv1.PodContainers{Generation: 3, ObservedGeneration: 2,
						Containers: []*setplanv1.Container{
							{Name: "main", Image: "main:2", StatusImage: "main:1", ImageId: "sha256:1", ContainerId: "c://1", StartedUnixMs: noon.UnixMilli() + 5,
								Resources:       &setplanv1.ContainerResources{Requests: map[string]string{"cpu": "1", "memory": "1Gi", "other": "1"}, Limits: map[string]string{"memory": "2Gi"}},
								StatusResources: &setplanv1.ContainerResources{Requests: map[string]string{"cpu": "500m"}, Limits: map[string]string{"cpu": "3", "memory": "1Gi"}}},
							{Name: "helper", Image: "helper:1", WaitingReason: "ImagePullBackOff"},
						},
						InitContainers:   []*setplanv1.Container{{Name: "proxy", Image: "proxy:1", StatusResources: &setplanv1.ContainerResources{}}},
						ResizePending:    &setplanv1.PodResize{Reason: "Deferred", Message: "no room", SinceUnixMs: noon.UnixMilli() + 6, ObservedGeneration: 2},
						ResizeInProgress: &setplanv1.PodResize{Reason: "Error"}},
				},
				{Name: "web-6", Uid: "u-6", LabelSetIndex: 1, OwnerSetIndex: 1, RevisionNameIndex: 1, VolumeSetIndex: 1, AnnotationSetIndex: 1},
			},
			Claims: []*setplanv1.Claim{{Name: "data-web-5", Uid: "u-c", ResourceVersion: "6", OwnerSetIndex: 1,
				DeletionUnixMs: noon.UnixMilli(), Phase: setplanv1.ClaimPhase_CLAIM_PHASE_BOUND,
				AnnotationSetIndex: 2}},
			Revisions: []*setplanv1.Revision{{Name: "web-1", Uid: "u-r", ResourceVersion: "7", Number: 8, OwnerSetIndex: 1,
				Labels: map[string]string{"app": "web"}, CreatedUnixMs: noon.UnixMilli(), Data: []byte(`{}`)}},
			Outcomes: []*setplanv1.Outcome{
				{ActionId: "a1", Result: setplanv1.OutcomeResult_OUTCOME_RESULT_REJECTED, Count: 2, Message: "quota"},
				{ActionId: "a2", Result: 99},
			},
			Policy: &setplanv1.Policy{
				Behavior: setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36,
				Scope:    setplanv1.Scope_SCOPE_DRAIN_ONLY,
				Repair:   setplanv1.Repair_REPAIR_UNREADY,
				Drain: &setplanv1.DrainPolicy{PodTemplate: []byte("{}"), Proof: setplanv1.DrainProof_DRAIN_PROOF_TOKEN,
					ScaleUp: setplanv1.DrainScaleUp_DRAIN_SCALE_UP_CANCEL, MaxParallel: proto.Int32(3), Leftovers: proto.Bool(true),
					OnDelete: proto.Bool(false), Ask: proto.Bool(true)},
			},
			Tables: &setplanv1.Tables{
				LabelSets: []*setplanv1.LabelSet{{}, {Labels: map[string]string{"app": "web"}}},
				OwnerSets: []*setplanv1.OwnerSet{{}, {Owners: []*setplanv1.OwnerReference{{ApiVersion: "apps/v1",
					Kind: "StatefulSet", Name: "web", Uid: "u-set", Controller: true, BlockOwnerDeletion: true}}}},
				RevisionNames: []string{"", "web-1"},
				VolumeSets:    []*setplanv1.VolumeSet{{}, {Volumes: []string{"data"}}},
				AnnotationSets: []*setplanv1.AnnotationSet{{},
					{Annotations: map[string]string{"setplan.io/drain-set": "web/u-set", "setplan.io/later": ""}},
					{Annotations: map[string]string{"setplan.io/drain-attempts": "2"}},
				},
			},
		},
	}
}

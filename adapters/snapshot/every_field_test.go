package snapshot

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/timestamppb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

var coverage = &setplanv1.Coverage{Pods: true, Revisions: true, PodsVersion: "5", ClaimsVersion: "6", RevisionsVersion: "7"}

const everyField = `{
	"apiVersion": "apps/v1", "kind": "StatefulSet",
	"metadata": {"namespace": "default", "name": "web", "uid": "set", "resourceVersion": "7", "generation": 3,
		"deletionTimestamp": "2023-11-14T22:13:20Z", "finalizers": ["other", "setplan.io/drain"], "annotations": {"note": "x", "setplan.io/repair": "Unready"}},
	"spec": {
		"replicas": 0, "ordinals": {"start": 2}, "serviceName": "nginx", "podManagementPolicy": "Parallel",
		"selector": {"matchLabels": {"app": "web"}, "matchExpressions": [{"key": "tier", "operator": "In", "values": ["a", "b"]}]},
		"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 4, "maxUnavailable": "40%"}},
		"minReadySeconds": 5, "revisionHistoryLimit": 0,
		"persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Delete", "whenScaled": "Retain"},
		"template": {"spec": {"containers": [{"tomorrow": 12345678901234567, "share": 0.5, "name": "<a>"}]}, "metadata": {"creationTimestamp": null}},
		"volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": {"tomorrow": true}}, {"metadata": {"name": "logs-b"}}]
	},
	"status": {"observedGeneration": 2, "replicas": 5, "readyReplicas": 4, "availableReplicas": 3, "currentReplicas": 2,
		"updatedReplicas": 1, "currentRevision": "web-1", "updateRevision": "web-2", "collisionCount": 0,
		"conditions": [{"type": "Blocked", "status": "True", "reason": "R", "message": "m", "lastTransitionTime": "2023-11-14T22:13:20Z"}, {"type": "Other"}]}
}`

// TestEveryField compares a complete snapshot with the contract.
func TestEveryField(t *testing.T) {
	at := metav1.NewTime(time.UnixMilli(1_700_000_000_000))
	pod := func(name, uid string, labels map[string]string) *corev1.Pod {
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "default", Name: name, UID: types.UID("uid-" + name), ResourceVersion: "5", Labels: labels,
				CreationTimestamp: at, OwnerReferences: []metav1.OwnerReference{controllerRef(uid)},
			},
			Spec: corev1.PodSpec{Volumes: []corev1.Volume{
				claimVolume("data", "data-"+name), claimVolume("logs", "shared"),
			}},
			Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{
				{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: at},
			}},
		}
	}
	two, three := pod("web-2", "set", standardLabels("web-2", "2")), pod("web-3", "set", standardLabels("web-3", "3"))
	odd := pod("web-04", "set", map[string]string{"app": "web", labelPodName: "other", labelPodIndex: "4"})
	odd.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "example.com/quota"}, {Name: "other"}}
	odd.DeletionTimestamp, odd.DeletionGracePeriodSeconds, odd.Spec.Volumes = &at, new(int64(30)), nil
	odd.Annotations = map[string]string{"setplan.io/drain-set": "web/set", "other": "x"}
	three.Generation, three.Annotations = 5, map[string]string{"setplan.io/in-place-update": "{}"}
	three.Spec.InitContainers = []corev1.Container{{Name: "first", Image: "first:1"}}
	three.Spec.Containers = []corev1.Container{{Name: "main", Image: "main:2"}, {Name: "helper", Image: "helper:1"}}
	three.Spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")},
		Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")}}
	three.Status.ObservedGeneration = 4
	three.Status.Conditions = append(three.Status.Conditions, corev1.PodCondition{Type: corev1.PodResizePending, Status: corev1.ConditionTrue, Reason: "Deferred", Message: "m",
		LastTransitionTime: at, ObservedGeneration: 4}, corev1.PodCondition{Type: corev1.PodResizeInProgress, Status: corev1.ConditionTrue})
	three.Status.ContainerStatuses = []corev1.ContainerStatus{
		{Name: "helper", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ErrImagePull"}}},
		{Name: "main", Image: "main:1", ImageID: "sha256:1", ContainerID: "c://1", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}},
			Resources: &corev1.ResourceRequirements{}}}
	odd.Spec.Containers = []corev1.Container{{Name: "drain", Env: []corev1.EnvVar{{Name: "SETPLAN_DRAIN_TOKEN", Value: "t"}}}, {Name: "helper"}}
	odd.Status = corev1.PodStatus{Phase: corev1.PodFailed, StartTime: &at, Conditions: []corev1.PodCondition{{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue},
		{Type: corev1.PodReady, Status: corev1.ConditionFalse}, {Type: corev1.ContainersReady, Status: corev1.ConditionTrue}},
		ContainerStatuses: []corev1.ContainerStatus{{Name: "helper", State: terminated("not asked")}, {Name: "drain", State: terminated(strings.Repeat("x", 4095) + "é")}}}
	meta := func(name string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-" + name), ResourceVersion: "5", OwnerReferences: []metav1.OwnerReference{controllerRef("set")}}
	}
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: meta("data-web-2"), Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound}}
	claim.DeletionTimestamp, claim.Annotations = &at, map[string]string{"setplan.io/drain-set": "web/set"}
	claim.Spec = corev1.PersistentVolumeClaimSpec{StorageClassName: new("fast"), VolumeAttributesClassName: new("gold"),
		Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("20Gi")}}}
	claim.Status.Capacity = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("10Gi")}
	claim.Status.AllocatedResourceStatuses = map[corev1.ResourceName]corev1.ClaimResourceStatus{corev1.ResourceStorage: corev1.PersistentVolumeClaimNodeResizePending}
	claim.Status.CurrentVolumeAttributesClassName = new("silver")
	claim.Status.ModifyVolumeStatus = &corev1.ModifyVolumeStatus{Status: corev1.PersistentVolumeClaimModifyVolumePending}
	claim.Status.Conditions = []corev1.PersistentVolumeClaimCondition{{Type: "Resizing", Status: "True", Reason: "R", Message: "m", LastTransitionTime: at}, {Type: "Odd"}}
	revision := &appsv1.ControllerRevision{ObjectMeta: meta("web-1f"), Revision: 6}
	revision.Data.Raw, revision.Labels, revision.CreationTimestamp = []byte(`{"spec": 1}`), map[string]string{"app": "web"}, at

	set := &unstructured.Unstructured{}
	if err := set.UnmarshalJSON([]byte(everyField)); err != nil {
		t.Fatal(err)
	}
	whole, err := FromUnstructured(set)
	if err != nil {
		t.Fatal(err)
	}
	other := &Set{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "b-web"}, Spec: json.RawMessage(`{"volumeClaimTemplates":[{"metadata":{"name":"logs"}}]}`)}
	got, err := Of(&Objects{Set: whole, Pods: []*corev1.Pod{odd, three, two}, Claims: []*corev1.PersistentVolumeClaim{claim}, Revisions: []*appsv1.ControllerRevision{revision},
		Others: []*Set{whole, other}, IsFixed: func(class string) bool { return class == *claim.Spec.StorageClassName }},
		coverage, at.Time)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantSnapshot(at.Time), got, protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
	for _, field := range unset(got.ProtoReflect(), map[protoreflect.FullName]bool{}) {
		t.Errorf("%s is in no object of this test, or the builder has forgotten it", field)
	}
}

// unset lists the fields that no message in a snapshot has.
func unset(snapshot protoreflect.Message, has map[protoreflect.FullName]bool) []protoreflect.FullName {
	var every []protoreflect.FullName
	_ = protorange.Range(snapshot, func(values protopath.Values) error {
		if m, ok := values.Index(-1).Value.Interface().(protoreflect.Message); ok {
			for i := range m.Descriptor().Fields().Len() {
				field := m.Descriptor().Fields().Get(i)
				has[field.FullName()] = has[field.FullName()] || m.Has(field)
				every = append(every, field.FullName())
			}
		}
		return nil
	})
	slices.Sort(every)
	return slices.DeleteFunc(slices.Compact(every), func(field protoreflect.FullName) bool { return has[field] || otherwise[field] != "" })
}

// otherwise says why this test's snapshot lacks some fields.
var otherwise = map[protoreflect.FullName]string{
	"setplan.v1.StatefulSet.refusal":    "of whoever asks the API server for defaults",
	"setplan.v1.StatefulSet.own_fields": "see TestOwnFields",
	"setplan.v1.Snapshot.outcomes":      "the caller's",
	"setplan.v1.Snapshot.policy":        "the caller's",
	"setplan.v1.Coverage.claims":        "the caller's",
	"setplan.v1.IntOrPercent.count":     "see TestStrategies",
	"google.protobuf.Timestamp.nanos":   "Kubernetes has seconds",
}

func terminated(message string) corev1.ContainerState {
	return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Message: message}}
}

func wantSnapshot(at time.Time) *setplanv1.Snapshot {
	none, noLimit := int32(0), int32(0)
	collisions := int32(0)
	ms := at.UnixMilli()
	pod := func(name string) *setplanv1.Pod {
		return &setplanv1.Pod{
			Name: name, Uid: "uid-" + name, ResourceVersion: "5", Phase: setplanv1.PodPhase_POD_PHASE_RUNNING, Ready: true,
			ReadyChangedUnixMs: ms, CreatedUnixMs: ms, LabelSetIndex: 1, OwnerSetIndex: 1, RevisionNameIndex: 1, PodNameLabel: true, PodIndexLabel: true,
			VolumeSetIndex: 1, OtherClaims: []*setplanv1.ClaimBinding{{Volume: "logs", Claim: "shared"}},
		}
	}
	three := pod("web-3")
	three.AnnotationSetIndex = 1
	three.Containers = &setplanv1.PodContainers{Generation: 5, ObservedGeneration: 4,
		Containers: []*setplanv1.Container{{Name: "main", Image: "main:2", StatusImage: "main:1", ImageId: "sha256:1", ContainerId: "c://1", StartedUnixMs: ms,
			Resources:       &setplanv1.ContainerResources{Requests: map[string]string{"cpu": "1"}, Limits: map[string]string{"memory": "1Gi"}},
			StatusResources: &setplanv1.ContainerResources{}},
			{Name: "helper", Image: "helper:1", WaitingReason: "ErrImagePull"}},
		InitContainers:   []*setplanv1.Container{{Name: "first", Image: "first:1"}},
		ResizePending:    &setplanv1.PodResize{Reason: "Deferred", Message: "m", SinceUnixMs: ms, ObservedGeneration: 4},
		ResizeInProgress: &setplanv1.PodResize{}}
	return &setplanv1.Snapshot{
		ObservedAt: timestamppb.New(at),
		Coverage:   coverage,
		Set: &setplanv1.StatefulSet{
			ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: "default", Name: "web", Uid: "set", Generation: 3, ResourceVersion: "7",
			DeletionUnixMs: ms, Annotations: map[string]string{"note": "x", "setplan.io/repair": "Unready"}, Finalizers: []string{"other", "setplan.io/drain"},
			Replicas: &none, OrdinalsStart: 2, ServiceName: "nginx", PodManagementPolicy: "Parallel",
			Selector: &setplanv1.LabelSelector{
				MatchLabels:      map[string]string{"app": "web"},
				MatchExpressions: []*setplanv1.LabelRequirement{{Key: "tier", Operator: "In", Values: []string{"a", "b"}}},
			},
			UpdateStrategy: &setplanv1.UpdateStrategy{Type: "RollingUpdate", RollingUpdate: &setplanv1.RollingUpdate{
				Partition: 4, MaxUnavailable: &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Percent{Percent: "40%"}},
			}},
			MinReadySeconds: 5, RevisionHistoryLimit: &noLimit,
			ClaimRetention: &setplanv1.ClaimRetention{WhenDeleted: "Delete", WhenScaled: "Retain"},
			PodTemplate: []byte(`{"metadata":{"creationTimestamp":null},"spec":{"containers":[` +
				`{"name":"\u003ca\u003e","share":0.5,"tomorrow":12345678901234567}]}}`),
			ClaimTemplates: [][]byte{[]byte(`{"metadata":{"name":"data"},"spec":{"tomorrow":true}}`), []byte(`{"metadata":{"name":"logs-b"}}`)},
			Status: &setplanv1.StatefulSetStatus{
				ObservedGeneration: new(int64(2)), Replicas: new(int32(5)), ReadyReplicas: new(int32(4)), AvailableReplicas: new(int32(3)), CurrentReplicas: new(int32(2)), UpdatedReplicas: new(int32(1)),
				CurrentRevision: new("web-1"), UpdateRevision: new("web-2"), CollisionCount: &collisions,
				Conditions: []*setplanv1.Condition{{Type: "Blocked", Status: "True", Reason: "R", Message: "m", LastTransitionTime: timestamppb.New(at)}, {Type: "Other"}},
			},
		},
		Pods: []*setplanv1.Pod{
			pod("web-2"), three, // by number, not by name
			{
				Name: "web-04", Uid: "uid-web-04", ResourceVersion: "5", Phase: setplanv1.PodPhase_POD_PHASE_FAILED,
				DeletionUnixMs: ms, DeletionGraceSeconds: new(int64(30)), CreatedUnixMs: ms, StartedUnixMs: ms, LabelSetIndex: 2, OwnerSetIndex: 1, AnnotationSetIndex: 2,
				Disrupted: true, NodeLost: true, SchedulingGates: []string{"example.com/quota", "other"}, TerminationMessages: []string{strings.Repeat("x", 4095)}, // cut in the middle of a letter
			},
		},
		Claims: []*setplanv1.Claim{{Name: "data-web-2", Uid: "uid-data-web-2", ResourceVersion: "5", OwnerSetIndex: 1, AnnotationSetIndex: 2,
			DeletionUnixMs: ms, Phase: setplanv1.ClaimPhase_CLAIM_PHASE_BOUND, StorageIndex: 1}},
		Revisions: []*setplanv1.Revision{{
			Name: "web-1f", Uid: "uid-web-1f", ResourceVersion: "5", Number: 6, OwnerSetIndex: 1, Labels: map[string]string{"app": "web"},
			CreatedUnixMs: ms, Data: []byte(`{"spec": 1}`),
		}},
		ClaimNeighbours: []*setplanv1.ClaimNeighbour{{Set: "b-web", ClaimTemplate: "logs-b"}},

		FixedStorageClasses: []string{"fast"},
		Tables: &setplanv1.Tables{
			ClaimStorages: []*setplanv1.ClaimStorage{{}, {Request: "20Gi", Capacity: "10Gi", ResizeStatus: "NodeResizePending", StorageClass: "fast",
				AttributesClass: "gold", CurrentAttributesClass: "silver", ModifyStatus: "Pending",
				Conditions: []*setplanv1.Condition{{Type: "Resizing", Status: "True", Reason: "R", Message: "m", LastTransitionTime: timestamppb.New(at)}, {Type: "Odd"}}}},
			AnnotationSets: []*setplanv1.AnnotationSet{{}, {Annotations: map[string]string{"setplan.io/in-place-update": "{}"}}, {Annotations: map[string]string{"setplan.io/drain-set": "web/set"}}},
			LabelSets: []*setplanv1.LabelSet{
				{},
				{Labels: map[string]string{"app": "web"}},
				{Labels: map[string]string{"app": "web", labelPodName: "other", labelPodIndex: "4"}},
			},
			OwnerSets: []*setplanv1.OwnerSet{{}, {Owners: []*setplanv1.OwnerReference{{
				ApiVersion: "apps/v1", Kind: "StatefulSet", Name: "web", Uid: "set", Controller: true, BlockOwnerDeletion: true,
			}}}},
			RevisionNames: []string{"", "web-1f"},
			VolumeSets:    []*setplanv1.VolumeSet{{}, {Volumes: []string{"data"}}},
		},
	}
}

func standardLabels(name, index string) map[string]string {
	return map[string]string{"app": "web", labelPodName: name, labelPodIndex: index, labelRevision: "web-1f"}
}

func claimVolume(name, claim string) corev1.Volume {
	return corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim},
	}}
}

func controllerRef(uid string) metav1.OwnerReference {
	yes := true
	return metav1.OwnerReference{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", UID: types.UID(uid), Controller: &yes, BlockOwnerDeletion: &yes}
}

package kube

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const everyField = `{
	"apiVersion": "apps/v1", "kind": "StatefulSet",
	"metadata": {"namespace": "default", "name": "web", "uid": "set", "resourceVersion": "7", "generation": 3,
		"deletionTimestamp": "2023-11-14T22:13:20Z", "annotations": {"note": "x", "setplan.io/repair": "Unready"}},
	"spec": {
		"replicas": 0, "ordinals": {"start": 2}, "serviceName": "nginx", "podManagementPolicy": "Parallel",
		"selector": {"matchLabels": {"app": "web"}, "matchExpressions": [{"key": "tier", "operator": "In", "values": ["a", "b"]}]},
		"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 4, "maxUnavailable": "40%"}},
		"minReadySeconds": 5, "revisionHistoryLimit": 0,
		"persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Delete", "whenScaled": "Retain"},
		"template": {"spec": {"containers": [{"tomorrow": 12345678901234567, "share": 0.5, "name": "<a>"}]}, "metadata": {"creationTimestamp": null}},
		"volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": {"tomorrow": true}}]
	},
	"status": {"observedGeneration": 2, "replicas": 5, "readyReplicas": 4, "availableReplicas": 3, "currentReplicas": 2,
		"updatedReplicas": 1, "currentRevision": "web-1", "updateRevision": "web-2", "collisionCount": 0}
}`

// TestSnapshotOfEveryField compares a whole snapshot with what the contract says.
func TestSnapshotOfEveryField(t *testing.T) {
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
	odd.DeletionTimestamp, odd.Spec.Volumes, odd.Status = &at, nil, corev1.PodStatus{Phase: corev1.PodFailed, StartTime: &at}
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metaOf("data-web-2", "set"), Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound}}
	revision := &appsv1.ControllerRevision{ObjectMeta: metaOf("web-1f", "set"), Revision: 6}
	revision.Data.Raw, revision.Labels, revision.CreationTimestamp = []byte(`{"spec": 1}`), map[string]string{"app": "web"}, at

	caches := filledCaches(t, setOf(t, everyField), two, three, odd, claim, revision)
	source := NewSource(StatefulSets(), caches, nil, func() time.Time { return at.Time })
	got, err := source.Snapshot(context.Background(), webKey)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantSnapshot(at.Time), got, protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
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
	return &setplanv1.Snapshot{
		ObservedAt: timestamppb.New(at),
		Coverage:   &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true, PodsVersion: "5", ClaimsVersion: "5", RevisionsVersion: "5"},
		Set: &setplanv1.StatefulSet{
			ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: "default", Name: "web", Uid: "set", Generation: 3, ResourceVersion: "7",
			DeletionUnixMs: ms, Annotations: map[string]string{"note": "x", "setplan.io/repair": "Unready"},
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
			ClaimTemplates: [][]byte{[]byte(`{"metadata":{"name":"data"},"spec":{"tomorrow":true}}`)},
			Status: &setplanv1.StatefulSetStatus{
				ObservedGeneration: new(int64(2)), Replicas: new(int32(5)), ReadyReplicas: new(int32(4)), AvailableReplicas: new(int32(3)), CurrentReplicas: new(int32(2)), UpdatedReplicas: new(int32(1)),
				CurrentRevision: new("web-1"), UpdateRevision: new("web-2"), CollisionCount: &collisions,
			},
		},
		Pods: []*setplanv1.Pod{
			pod("web-2"), pod("web-3"), // by number, not by name
			{
				Name: "web-04", Uid: "uid-web-04", ResourceVersion: "5", Phase: setplanv1.PodPhase_POD_PHASE_FAILED,
				DeletionUnixMs: ms, CreatedUnixMs: ms, StartedUnixMs: ms, LabelSetIndex: 2, OwnerSetIndex: 1,
			},
		},
		Claims: []*setplanv1.Claim{{Name: "data-web-2", Uid: "uid-data-web-2", ResourceVersion: "5", OwnerSetIndex: 1, Phase: setplanv1.ClaimPhase_CLAIM_PHASE_BOUND}},
		Revisions: []*setplanv1.Revision{{
			Name: "web-1f", Uid: "uid-web-1f", ResourceVersion: "5", Number: 6, OwnerSetIndex: 1, Labels: map[string]string{"app": "web"},
			CreatedUnixMs: ms, Data: []byte(`{"spec": 1}`),
		}},
		Tables: &setplanv1.Tables{
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

// TestStrategies: what is absent stays absent.
func TestStrategies(t *testing.T) {
	tests := []struct {
		name   string
		reason string
		spec   string
		want   *setplanv1.UpdateStrategy
	}{
		{"none", "the planner's default, not ours", `{}`, nil},
		{"nil rollingUpdate", "not the same as partition 0", `{"updateStrategy":{"type":"RollingUpdate"}}`, &setplanv1.UpdateStrategy{Type: "RollingUpdate"}},
		{"empty rollingUpdate", "is there, with partition 0", `{"updateStrategy":{"rollingUpdate":{}}}`, &setplanv1.UpdateStrategy{RollingUpdate: &setplanv1.RollingUpdate{}}},
		{"count", "a number of pods", `{"updateStrategy":{"rollingUpdate":{"maxUnavailable":2}}}`, &setplanv1.UpdateStrategy{RollingUpdate: &setplanv1.RollingUpdate{
			MaxUnavailable: &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Count{Count: 2}},
		}}},
		{"unknown type", "the planner makes a block of it", `{"updateStrategy":{"type":"Sideways"}}`, &setplanv1.UpdateStrategy{Type: "Sideways"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			set := setOf(t, `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"namespace":"default","name":"web"},"spec":`+test.spec+`}`)
			source := NewSource(StatefulSets(), filledCaches(t, set), nil, time.Now)
			snapshot, err := source.Snapshot(context.Background(), webKey)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, snapshot.GetSet().GetUpdateStrategy(), protocmp.Transform()); diff != "" {
				t.Errorf("%s:\n%s", test.reason, diff)
			}
		})
	}
}

// TestMembership holds which objects a snapshot of set "web" with claim template "data" contains.
func TestMembership(t *testing.T) {
	tests := []struct {
		name   string
		reason string
		object metav1.Object
		want   bool
	}{
		{"controlled pod", "by uid, whatever its name", &corev1.Pod{ObjectMeta: metaOf("renamed", "set")}, true},
		{"pod of an earlier set", "its controller has our name and another uid, and its name is none of ours", &corev1.Pod{ObjectMeta: metaOf("renamed", "earlier")}, false},
		{"controlled pod with our name", "once, for two reasons", &corev1.Pod{ObjectMeta: metaOf("web-0", "set")}, true},
		{"orphan pod with our name", "it may be adopted, or is in the way", &corev1.Pod{ObjectMeta: metaOf("web-0", "")}, true},
		{"foreign pod with our name", "it is in the way", &corev1.Pod{ObjectMeta: metaOf("web-0", "other")}, true},
		{"pod with leading zeros", "digits are digits; the planner judges", &corev1.Pod{ObjectMeta: metaOf("web-01", "")}, true},
		{"pod of web-a", "another set", &corev1.Pod{ObjectMeta: metaOf("web-a-0", "")}, false},
		{"pod without ordinal", "no name of ours", &corev1.Pod{ObjectMeta: metaOf("web-x", "")}, false},
		{"our claim", "template, set, ordinal", &corev1.PersistentVolumeClaim{ObjectMeta: metaOf("data-web-0", "")}, true},
		{"claim of another template", "not asked for", &corev1.PersistentVolumeClaim{ObjectMeta: metaOf("logs-web-0", "")}, false},
		{"claim of another set", "not asked for", &corev1.PersistentVolumeClaim{ObjectMeta: metaOf("data-web-a-0", "")}, false},
		{"controlled revision", "by uid", &appsv1.ControllerRevision{ObjectMeta: metaOf("x", "set")}, true},
		{"orphan revision", "any orphan of the namespace", &appsv1.ControllerRevision{ObjectMeta: metaOf("x", "")}, true},
		{"foreign revision with our name", "it takes the name", &appsv1.ControllerRevision{ObjectMeta: metaOf("web-1f", "other")}, true},
		{"foreign revision of web-a", "starts with web- too", &appsv1.ControllerRevision{ObjectMeta: metaOf("web-a-1f", "other")}, true},
		{"foreign revision", "not asked for", &appsv1.ControllerRevision{ObjectMeta: metaOf("db-1f", "other")}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			elsewhere := metaOf("web-0", "")
			elsewhere.Namespace = "other"
			caches := filledCaches(t, webSet(t, "set"), test.object, &corev1.Pod{ObjectMeta: elsewhere})
			snapshot, err := NewSource(StatefulSets(), caches, nil, time.Now).Snapshot(context.Background(), webKey)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(snapshot.GetPods())+len(snapshot.GetClaims())+len(snapshot.GetRevisions()) == 1; got != test.want {
				t.Errorf("%s: in the snapshot: %v", test.reason, got)
			}
		})
	}
}

// TestLightSet: a cached set is its metadata and its message; nothing of its spec or status is there twice, and of managed
// fields there is what the guard reads.
func TestLightSet(t *testing.T) {
	set := setOf(t, everyField)
	status := map[string]any{"manager": "other", "operation": "Update", "subresource": "status", "time": "2026-11-22T01:00:00Z", "apiVersion": "apps/v1",
		"fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:status": map[string]any{"f:replicas": map[string]any{}, "f:conditions": map[string]any{"k": "much"}}}}
	spec := map[string]any{"manager": "editor", "operation": "Update", "time": "2026-11-22T01:00:00Z"}
	set.Object["metadata"].(map[string]any)["managedFields"] = []any{spec, status}
	once, err := lightSet(StatefulSets())(set)
	if err != nil {
		t.Fatal(err)
	}
	light := once.(*cachedSet)
	metadata, _ := light.Object["metadata"].(map[string]any)
	want := []any{map[string]any{"manager": "other", "operation": "Update", "subresource": "status", "time": "2026-11-22T01:00:00Z",
		"apiVersion": "apps/v1", "fieldsV1": map[string]any{"f:status": map[string]any{"f:replicas": nil, "f:conditions": nil}}}}
	if diff := cmp.Diff(want, metadata["managedFields"]); diff != "" || len(light.Object) != 2 || metadata["labels"] != nil {
		t.Errorf("%v\n%s", light.Object, diff)
	}
	if len(light.message.GetPodTemplate()) == 0 || light.GetUID() != set.GetUID() || light.GetResourceVersion() != set.GetResourceVersion() || light.unreadable != nil {
		t.Errorf("%v, %v", light.message, light.unreadable)
	}
	if twice, _ := lightSet(StatefulSets())(once); twice != once {
		t.Errorf("transformed twice it is %v", twice)
	}
	broken := setOf(t, everyField)
	broken.Object["status"] = map[string]any{"replicas": "many"}
	once, _ = lightSet(StatefulSets())(broken)
	if light := once.(*cachedSet); light.unreadable == nil || light.GetName() != "web" {
		t.Errorf("a set that cannot be read is %v, %v", light.Object, light.unreadable)
	}
}

// TestGone: a set that is not in the cache is gone, for each of the three questions.
func TestGone(t *testing.T) {
	_, api := newAPIServer(t, map[string]answer{"GET " + setPath: statusAnswer(404, metav1.StatusReasonNotFound, "gone")})
	source := NewSource(StatefulSets(), filledCaches(t), api, time.Now)
	_, errSnapshot := source.Snapshot(context.Background(), webKey)
	_, errSet := source.Set(context.Background(), webKey)
	_, errLive := source.LiveSet(context.Background(), webKey)
	for _, err := range []error{errSnapshot, errSet, errLive} {
		if !errors.Is(err, adapters.ErrGone) {
			t.Errorf("got %v", err)
		}
	}
}

// TestLiveSet reads past the cache.
func TestLiveSet(t *testing.T) {
	body := `{"metadata":{"name":"web","uid":"new","generation":9,"deletionTimestamp":"2023-11-14T22:13:20Z"}}`
	_, api := newAPIServer(t, map[string]answer{"GET " + setPath: {200, body}})
	source := NewSource(StatefulSets(), filledCaches(t, webSet(t, "old")), api, time.Now)
	got, err := source.LiveSet(context.Background(), webKey)
	if diff := cmp.Diff(adapters.SetIdentity{UID: "new", Generation: 9, Deleting: true}, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	cached, err := source.Set(context.Background(), webKey)
	if diff := cmp.Diff(adapters.SetIdentity{UID: "old", Generation: 3}, cached); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

// TestTables: pods that differ get different messages, equal ones the same, and the tables say what the pods have,
// whichever came before. The messages are kept, so each pair of pods also meets the indexes of the pairs before.
func TestTables(t *testing.T) {
	yes, no := true, false
	owner := func(uid string, controller *bool) []metav1.OwnerReference {
		return []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", UID: types.UID(uid), Controller: controller}}
	}
	shapes := []corev1.Pod{
		{},
		{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": "1"}, OwnerReferences: owner("x", &yes)}},
		{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": ""}, OwnerReferences: owner("x", &no)}},
		{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"b": "1"}, OwnerReferences: owner("y", nil)}},
		{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": "1", "b": "1"}, OwnerReferences: append(owner("x", &yes), owner("y", nil)...)}},
		{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{labelRevision: "r1", labelPodName: "other"}}},
		{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{labelRevision: "", labelPodName: "web-0"}}},
		{Spec: corev1.PodSpec{Volumes: []corev1.Volume{claimVolume("data", "data-web-0")}}},
		{Spec: corev1.PodSpec{Volumes: []corev1.Volume{claimVolume("data", "data-web-0"), claimVolume("logs", "logs-web-0")}}},
		{Spec: corev1.PodSpec{Volumes: []corev1.Volume{claimVolume("data", "data-web-1")}}},
	}
	cached := make([]*cachedPod, len(shapes))
	for i := range shapes {
		shapes[i].Name = "web-0"
		light, _ := lightPod(StatefulSets())(&shapes[i])
		cached[i] = light.(*cachedPod)
	}
	for i := range shapes {
		for j := range shapes {
			tables := newTables()
			first, second, third := tables.pod(cached[i]), tables.pod(cached[j]), tables.pod(cached[i])
			if first != third {
				t.Errorf("shape %d with %d is another one the second time", i, j)
			}
			if same := proto.Equal(first, second); same != (i == j) {
				t.Errorf("shapes %d and %d: the same message: %v", i, j, same)
			}
			for k, message := range map[int]*setplanv1.Pod{i: first, j: second} {
				if diff := cmp.Diff(described(&shapes[k]), resolved(tables.out, message)); diff != "" {
					t.Errorf("shape %d of %d and %d:\n%s", k, i, j, diff)
				}
			}
		}
	}
}

// podShape is a pod without the contract's tables.
type podShape struct {
	Labels  map[string]string
	Owners  []string
	Volumes []string
}

func described(pod *corev1.Pod) podShape {
	out := podShape{Labels: pod.Labels}
	for _, r := range pod.OwnerReferences {
		out.Owners = append(out.Owners, fmt.Sprint(r.UID, r.Controller != nil && *r.Controller))
	}
	for _, v := range pod.Spec.Volumes {
		if v.PersistentVolumeClaim.ClaimName == v.Name+"-web-0" {
			out.Volumes = append(out.Volumes, v.Name)
		}
	}
	return out
}

func resolved(tables *setplanv1.Tables, pod *setplanv1.Pod) podShape {
	var out podShape
	label := func(name, value string) {
		if out.Labels == nil {
			out.Labels = map[string]string{}
		}
		out.Labels[name] = value
	}
	if at := pod.GetLabelSetIndex(); at > 0 {
		for name, value := range tables.GetLabelSets()[at].GetLabels() {
			label(name, value)
		}
	}
	if at := pod.GetRevisionNameIndex(); at > 0 {
		label(labelRevision, tables.GetRevisionNames()[at])
	}
	if pod.GetPodNameLabel() {
		label(labelPodName, pod.GetName())
	}
	if at := pod.GetOwnerSetIndex(); at > 0 {
		for _, r := range tables.GetOwnerSets()[at].GetOwners() {
			out.Owners = append(out.Owners, fmt.Sprint(r.GetUid(), r.GetController()))
		}
	}
	if at := pod.GetVolumeSetIndex(); at > 0 {
		out.Volumes = tables.GetVolumeSets()[at].GetVolumes()
	}
	return out
}

// TestOrder: by number, then by name, whether or not the numbers lie close together.
func TestOrder(t *testing.T) {
	for name, want := range map[string][]string{
		"none":          nil,
		"close":         {"web-0", "web-1", "web-2", "web-10", "web-11"},
		"gaps":          {"web-3", "web-5", "web-8"},
		"far":           {"web-7", "web-100000"},
		"same number":   {"web-01", "web-1", "web-2"},
		"beyond number": {"web-18446744073709551614", "web-18446744073709551615", "web-99999999999999999999"},
	} {
		var objects []metav1.Object
		for _, pod := range want {
			objects = append([]metav1.Object{&corev1.Pod{ObjectMeta: metaOf(pod, "")}}, objects...)
		}
		caches := filledCaches(t, append(objects, webSet(t, "set"))...)
		snapshot, err := NewSource(StatefulSets(), caches, nil, time.Now).Snapshot(context.Background(), webKey)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, pod := range snapshot.GetPods() {
			got = append(got, pod.GetName())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

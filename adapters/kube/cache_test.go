package kube

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"

	"google.golang.org/protobuf/testing/protocmp"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestObserved checks when the caches have shown a write.
func TestObserved(t *testing.T) {
	terminating := &corev1.Pod{ObjectMeta: metaOf("going", "")}
	now := metav1.Now()
	terminating.DeletionTimestamp = &now
	replica := &corev1.Pod{ObjectMeta: metaOf("web-3", "set")}
	replica.DeletionTimestamp = &now
	newest := &corev1.Pod{ObjectMeta: metaOf("newest", "")}
	newest.ResourceVersion = "20"
	tests := []struct {
		name   string
		reason string
		write  adapters.Write
		want   bool
	}{
		{"older than the cache", "the cache is past it, whatever happened to the object", adapters.Write{Kind: kindPod, Name: "deleted-again", ResourceVersion: "20"}, true},
		{"longer number", "versions are numbers, not text", adapters.Write{Kind: kindPod, Name: "x", ResourceVersion: "9"}, true},
		{"newer than the cache", "not shown", adapters.Write{Kind: kindPod, Name: "x", ResourceVersion: "21"}, false},
		{"no number, not shown", "versions of an aggregated API may be anything", adapters.Write{Kind: kindPod, Name: "newest", ResourceVersion: "abc"}, false},
		{"another kind", "each kind has its own cache", adapters.Write{Kind: kindClaim, Name: "x", ResourceVersion: "5"}, false},
		{"set, shown", "the status we wrote", adapters.Write{Kind: "StatefulSet", Name: "web", ResourceVersion: "7"}, true},
		{"set, not shown", "the status we wrote", adapters.Write{Kind: "StatefulSet", Name: "web", ResourceVersion: "8"}, false},
		{"deleted, gone", "shown", adapters.Write{Kind: kindPod, Name: "gone", UID: "u", Deleted: true}, true},
		{"deleted, terminating", "shown: the planner sees a terminating pod", adapters.Write{Kind: kindPod, Name: "going", UID: "uid-going", Deleted: true}, true},
		{"deleted, terminating replica", "the same, where the pod is cached as a replica", adapters.Write{Kind: kindPod, Name: "web-3", UID: "uid-web-3", Deleted: true}, true},
		{"deleted, still there", "not shown", adapters.Write{Kind: kindPod, Name: "newest", UID: "uid-newest", Deleted: true}, false},
		{"deleted, another one", "its successor exists already", adapters.Write{Kind: kindPod, Name: "newest", UID: "older", Deleted: true}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			caches := filledCaches(t, webSet(t, "set"), terminating, replica, newest)
			got := NewSource(StatefulSets(), caches, nil, time.Now).Observed(context.Background(), webKey, test.write)
			if got != test.want {
				t.Errorf("%s: got %v", test.reason, got)
			}
		})
	}
}

// TestTransforms: what a snapshot and the guard need is kept, however often the transform runs; the rest is dropped.
func TestTransforms(t *testing.T) {
	at := metav1.NewTime(time.Unix(1_700_000_000, 0))
	later := metav1.NewTime(at.Add(time.Minute))
	spec := metav1.NewFieldsV1(`{"f:metadata":{},"f:spec":{"f:containers":{}}}`)
	pod := &corev1.Pod{
		ObjectMeta: metaOf("web-0", "set"),
		Spec: corev1.PodSpec{
			Containers: []corev1.Container{{Image: "big"}},
			Volumes:    []corev1.Volume{claimVolume("data", "data-web-0"), {Name: "tmp"}},
		},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Message: "long", Conditions: []corev1.PodCondition{
			{Type: corev1.PodScheduled}, {Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: at, Message: "long"},
		}},
	}
	pod.Labels, pod.Annotations, pod.CreationTimestamp = map[string]string{"a": "b"}, map[string]string{"long": "text"}, at
	pod.ManagedFields = []metav1.ManagedFieldsEntry{
		{Manager: "editor", Time: &later, FieldsV1: spec},
		{Manager: "kubelet", Time: &at, Subresource: "status", FieldsV1: spec},
		{Manager: "creator", Time: &at, FieldsV1: spec},
	}
	once, _ := lightPod(StatefulSets())(pod)
	light := once.(*cachedPod)
	meta := metaOf("web-0", "set")
	meta.CreationTimestamp = at
	if diff := cmp.Diff(meta, light.ObjectMeta); diff != "" || light.creator != "creator" || light.ordinal != 0 {
		t.Errorf("pod by %s, ordinal %d:\n%s", light.creator, light.ordinal, diff)
	}
	message := &setplanv1.Pod{Name: "web-0", Uid: "uid-web-0", ResourceVersion: "5", Phase: setplanv1.PodPhase_POD_PHASE_RUNNING,
		Ready: true, ReadyChangedUnixMs: at.UnixMilli(), CreatedUnixMs: at.UnixMilli()}
	if diff := cmp.Diff(message, light.message.Load(), protocmp.Transform()); diff != "" {
		t.Errorf("pod:\n%s", diff)
	}
	if _, shared := snapshot.Pod(pod); light.shared != shared || light.shared.Base() != "web" {
		t.Error("the pod does not share all that it could with others")
	}
	if twice, _ := lightPod(StatefulSets())(once); twice != once {
		t.Errorf("a pod, transformed twice, is %v", twice)
	}

	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metaOf("c", ""), Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound}}
	claim.Spec.VolumeName, claim.Labels = "v", map[string]string{"a": "b"}
	onceClaim, _ := lightClaim(claim)
	if diff := cmp.Diff(metaOf("c", ""), onceClaim.(*cachedClaim).ObjectMeta); diff != "" {
		t.Errorf("claim:\n%s", diff)
	}
	if twice, _ := lightClaim(onceClaim); twice != onceClaim {
		t.Errorf("a claim, transformed twice, is %v", twice)
	}

	tombstone := cache.DeletedFinalStateUnknown{Key: "default/web-0"}
	for _, transform := range []cache.TransformFunc{lightSet(StatefulSets()), lightPod(StatefulSets()), lightClaim, lightRevision} {
		if got, err := transform(tombstone); err != nil || got != any(tombstone) {
			t.Errorf("a tombstone became %v, %v", got, err)
		}
	}
}

// TestRevisionBytes: a revision's data is the same, byte for byte, as in the API server's JSON, whichever encoding the API
// server answers in, and however the data was written.
func TestRevisionBytes(t *testing.T) {
	for name, row := range map[string]struct{ stored, want string }{
		"of a controller":        {`{"spec":{"template":{"$patch":"replace","a":1.0,"b":"\u003c"}}}`, `{"spec":{"template":{"$patch":"replace","a":1.0,"b":"\u003c"}}}`},
		"with spaces":            {"{ \"b\": 1.0,\n\t\"a\" : [ ] }", `{"b":1.0,"a":[]}`},
		"for no web page":        {`{"a":"<b>&\"</b>"}`, `{"a":"\u003cb\u003e\u0026\"\u003c/b\u003e"}`},
		"line separators":        {"{\"a\":\"\u2028\u2029\"}", `{"a":"\u2028\u2029"}`},
		"a key twice":            {`{"b":1,"a":2,"b":3}`, `{"b":1,"a":2,"b":3}`},
		"a large number":         {`{"a":12345678901234567890.10}`, `{"a":12345678901234567890.10}`},
		"no text of any charset": {"{\"a\":\"\xff\"}", "{\"a\":\"\xff\"}"},
		"nothing":                {"", ""},
	} {
		revision := &appsv1.ControllerRevision{ObjectMeta: metaOf("web-1f", "set")}
		if row.stored != "" {
			revision.Data.Raw = []byte(row.stored)
		}
		for _, media := range []string{runtime.ContentTypeJSON, runtime.ContentTypeProtobuf} {
			info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), media)
			wire, err := runtime.Encode(scheme.Codecs.EncoderForVersion(info.Serializer, appsv1.SchemeGroupVersion), revision)
			if err != nil {
				t.Fatal(name, err)
			}
			decoded, err := runtime.Decode(scheme.Codecs.UniversalDeserializer(), wire)
			if err != nil {
				t.Fatal(name, err)
			}
			light, _ := lightRevision(decoded)
			again, _ := lightRevision(light)
			if got := light.(*appsv1.ControllerRevision).Data.Raw; string(got) != row.want {
				t.Errorf("%s, %s: got %s, want %s", name, media, got, row.want)
			}
			if got := again.(*appsv1.ControllerRevision).Data.Raw; string(got) != row.want {
				t.Errorf("%s, %s, twice: got %s, want %s", name, media, got, row.want)
			}
		}
	}
	odd := &appsv1.ControllerRevision{Data: runtime.RawExtension{Raw: []byte(`{"a":`)}}
	if light, err := lightRevision(odd); err != nil || string(light.(*appsv1.ControllerRevision).Data.Raw) != `{"a":` {
		t.Errorf("no JSON: %v, %v", light, err)
	}
}

// TestWake checks which sets a change wakes. The cache has the sets web, a-web and db; db selects app=db.
func TestWake(t *testing.T) {
	named := func(name, app string) *unstructured.Unstructured {
		return setOf(t, `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"namespace":"default","name":"`+name+`","uid":"`+name+`"},
			"spec":{"selector":{"matchLabels":{"app":"`+app+`"}}}}`)
	}
	daemon := controllerRef("x")
	daemon.Kind = "DaemonSet"
	foreignGroup := controllerRef("x")
	foreignGroup.APIVersion = "apps.example.com/v1"
	owned := func(name string, owner metav1.OwnerReference) metav1.ObjectMeta {
		meta := metaOf(name, "")
		meta.OwnerReferences = []metav1.OwnerReference{owner}
		return meta
	}
	orphanDB := metaOf("x", "")
	orphanDB.Labels = map[string]string{"app": "db"}
	tests := []struct {
		name   string
		reason string
		object metav1.Object
		want   []string
	}{
		{"set", "itself, also when it is gone", named("gone", ""), []string{"gone"}},
		{"our pod", "its controller", &corev1.Pod{ObjectMeta: metaOf("renamed", "web")}, []string{"web"}},
		{"orphan pod", "the set of its name may adopt it, or waits for it", &corev1.Pod{ObjectMeta: metaOf("web-0", "")}, []string{"web"}},
		{"foreign pod with our name", "the set waits for it", &corev1.Pod{ObjectMeta: owned("web-0", daemon)}, []string{"web"}},
		{"pod of another group's StatefulSet", "not ours, though the kind is spelled the same", &corev1.Pod{ObjectMeta: owned("x", foreignGroup)}, nil},
		{"pod of nobody we know", "no set", &corev1.Pod{ObjectMeta: metaOf("other-0", "")}, nil},
		{"claim", "each set that the name may belong to", &corev1.PersistentVolumeClaim{ObjectMeta: metaOf("data-a-web-0", "")}, []string{"a-web", "web"}},
		{"claim without ordinal", "no set's", &corev1.PersistentVolumeClaim{ObjectMeta: metaOf("data-web", "")}, nil},
		{"our revision", "its controller", &appsv1.ControllerRevision{ObjectMeta: metaOf("x", "web")}, []string{"web"}},
		{"foreign revision with our name", "it takes the name", &appsv1.ControllerRevision{ObjectMeta: owned("a-web-1f", daemon)}, []string{"a-web"}},
		{"orphan revision", "the sets that select it", &appsv1.ControllerRevision{ObjectMeta: orphanDB}, []string{"db"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			caches := filledCaches(t, named("web", "web"), named("a-web", "web"), named("db", "db"))
			var woken []string
			w := &wake{kind: StatefulSets(), scope: caches.of("default"), queue: func(key adapters.Key, _ Change) { woken = append(woken, key.Name) }}
			switch object := test.object.(type) {
			case *unstructured.Unstructured:
				w.set(object, Change{})
			case *corev1.Pod:
				w.pod(object, Change{})
			case *corev1.PersistentVolumeClaim:
				w.claim(object, Change{})
			case *appsv1.ControllerRevision:
				w.revision(object, Change{})
			}
			slices.Sort(woken)
			if diff := cmp.Diff(test.want, slices.Compact(woken)); diff != "" {
				t.Errorf("%s:\n%s", test.reason, diff)
			}
		})
	}
}

// TestHandlerTellsBothVersions: a pod that changes its owner wakes both sets.
func TestHandlerTellsBothVersions(t *testing.T) {
	var seen []types.UID
	h := handler(kindPod, func(object metav1.Object, _ Change) { seen = append(seen, object.GetUID()) })
	pod := func(uid string) *corev1.Pod { return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: types.UID(uid)}} }
	h.OnUpdate(pod("old"), pod("new"))
	h.OnDelete(cache.DeletedFinalStateUnknown{Obj: pod("missed")})
	if diff := cmp.Diff([]types.UID{"old", "new", "missed"}, seen); diff != "" {
		t.Error(diff)
	}
}

// TestStrangers: foreign pods are cached only by name; pods that may concern a set stay whole.
func TestStrangers(t *testing.T) {
	owned := func(name, kind, version string) *corev1.Pod {
		meta := metaOf(name, "uid")
		meta.OwnerReferences[0].Kind, meta.OwnerReferences[0].APIVersion = kind, version
		meta.Labels = map[string]string{"app": "web"}
		return &corev1.Pod{ObjectMeta: meta}
	}
	orphan := func(name string) *corev1.Pod { return &corev1.Pod{ObjectMeta: metaOf(name, "")} }
	for _, test := range []struct {
		reason   string
		pod      *corev1.Pod
		stranger bool
	}{
		{"a set's", owned("web-0", "StatefulSet", "apps/v1"), false},
		{"a set's, by whatever name", owned("renamed", "StatefulSet", "apps/v1"), false},
		{"in another version", owned("renamed", "StatefulSet", "apps/v1beta2"), false},
		{"it stands where a set wants a pod", owned("web-0", "ReplicaSet", "apps/v1"), false},
		{"a set may adopt it", orphan("web-0"), false},
		{"a Deployment's", owned("web-7d4b9c6f5d-x2x9z", "ReplicaSet", "apps/v1"), true},
		{"another kind of the same name", owned("renamed", "StatefulSet", "apps.example.com/v1"), true},
		{"nobody's, and no set can adopt it", orphan("debug"), true},
	} {
		light, _ := lightPod(StatefulSets())(test.pod)
		if _, stranger := light.(*stranger); stranger != test.stranger {
			t.Errorf("%s: %s is a %T", test.reason, test.pod.Name, light)
		}
	}
	light, _ := lightPod(StatefulSets())(owned("web-7d4b9c6f5d-x2x9z", "ReplicaSet", "apps/v1"))
	if diff := cmp.Diff(metaOf("web-7d4b9c6f5d-x2x9z", ""), light.(*stranger).ObjectMeta); diff != "" {
		t.Errorf("it costs more than a name:\n%s", diff)
	}
	newer, _ := lightPod(StatefulSets())(owned("web-7d4b9c6f5d-x2x9z", "ReplicaSet", "apps/v1"))
	newer.(*stranger).ResourceVersion = "6"
	if whole, _ := lightPod(StatefulSets())(owned("web-7d4b9c6f5d-x2x9z", "StatefulSet", "apps/v1")); !same(light, newer) || same(light, whole) || same(whole, light) {
		t.Error("a new version of a stranger must be no news, and a stranger that becomes a set's must be")
	}
}

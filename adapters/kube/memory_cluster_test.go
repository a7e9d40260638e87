package kube

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// crowd is a cluster that is not stored: each object is made when a watch asks for it, so that a watching process only holds
// its caches.
type crowd struct {
	sets     int // each with a revision and `replicas` pods and claims
	foreign  int // pods of Deployments
	replicas int
}

// serve starts an API server that streams the crowd's objects to each watch, and then nothing.
func (c crowd) serve(t testing.TB) *rest.Config {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/version" {
			fmt.Fprintf(w, `{"major":"1","minor":%q}`, typesMinor)
			return
		}
		query := r.URL.Query()
		if query.Get("sendInitialEvents") != "true" {
			http.Error(w, "only streamed lists", http.StatusNotFound)
			return
		}
		kind := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		media := runtime.ContentTypeJSON
		if strings.HasPrefix(r.Header.Get("Accept"), runtime.ContentTypeProtobuf) {
			media = runtime.ContentTypeProtobuf
		}
		w.Header().Set("Content-Type", media+";stream=watch")
		info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), media)
		objects := scheme.Codecs.EncoderForVersion(info.Serializer, schema.GroupVersions{appsv1.SchemeGroupVersion, corev1.SchemeGroupVersion})
		frames := info.StreamSerializer.NewFrameWriter(w)
		send := func(event string, object runtime.Object) {
			raw, err := runtime.Encode(objects, object)
			if err == nil {
				err = info.StreamSerializer.Serializer.Encode(&metav1.WatchEvent{Type: event, Object: runtime.RawExtension{Raw: raw}}, frames)
			}
			if err != nil {
				t.Error(err)
			}
		}
		for object := range c.objects(kind) {
			send("ADDED", object)
		}
		end := metav1.ObjectMeta{ResourceVersion: "123456789", Annotations: map[string]string{metav1.InitialEventsAnnotationKey: "true"}}
		send("BOOKMARK", map[string]runtime.Object{
			"statefulsets": &appsv1.StatefulSet{ObjectMeta: end}, "controllerrevisions": &appsv1.ControllerRevision{ObjectMeta: end},
			"pods": &corev1.Pod{ObjectMeta: end}, "persistentvolumeclaims": &corev1.PersistentVolumeClaim{ObjectMeta: end},
		}[kind])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	return &rest.Config{Host: server.URL, QPS: -1}
}

func (c crowd) objects(kind string) iter.Seq[runtime.Object] {
	return func(yield func(runtime.Object) bool) {
		if kind == "pods" {
			for n := range c.foreign {
				if !yield(foreignPod(n)) {
					return
				}
			}
		}
		for n := range c.sets {
			name := fmt.Sprintf("web-%05d-db", n)
			switch kind {
			case "statefulsets":
				if !yield(crowdSet(name)) {
					return
				}
			case "controllerrevisions":
				if !yield(crowdRevision(name)) {
					return
				}
			default:
				for i := range c.replicas {
					pod, claim := crowdReplica(name, i)
					if kind == "pods" && !yield(pod) || kind == "persistentvolumeclaims" && !yield(claim) {
						return
					}
				}
			}
		}
	}
}

// crowdMeta is metadata as the API server stores it, with managed fields.
func crowdMeta(name, manager string, owner *metav1.OwnerReference, object map[string]any) metav1.ObjectMeta {
	at := metav1.NewTime(time.Unix(1_750_000_000, 0))
	fields := func(of string, object any) *metav1.FieldsV1 {
		f := &metav1.FieldsV1{}
		f.SetRawString(ownedFields(of, object))
		return f
	}
	meta := metav1.ObjectMeta{Namespace: "tenant", Name: name, UID: uidOf(name), ResourceVersion: "123456789", Generation: 3, CreationTimestamp: at,
		Labels: map[string]string{"app.kubernetes.io/name": "db", "app.kubernetes.io/instance": name, "team": "storage"},
		ManagedFields: []metav1.ManagedFieldsEntry{
			{Manager: manager, Operation: "Update", APIVersion: "v1", Time: &at, FieldsType: "FieldsV1", FieldsV1: fields(fmt.Sprint(manager, slices.Sorted(maps.Keys(object))), object)},
			{Manager: "kubelet", Operation: "Update", APIVersion: "v1", Time: &at, FieldsType: "FieldsV1", Subresource: "status",
				FieldsV1: fields("status", map[string]any{"status": map[string]any{"conditions": map[string]any{"lastProbeTime": 1, "lastTransitionTime": 1, "status": 1, "type": 1}, "phase": 1, "podIPs": 1, "startTime": 1, "containerStatuses": 1, "hostIP": 1}})},
		}}
	if owner != nil {
		meta.OwnerReferences = []metav1.OwnerReference{*owner}
	}
	return meta
}

var spelled sync.Map // ownedFields' results, by their key

// ownedFields returns an object's fields as managed fields.
func ownedFields(of string, object any) string {
	if known, ok := spelled.Load(of); ok {
		return strings.Clone(known.(string))
	}
	raw, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		panic(err)
	}
	var spell func(any) any
	spell = func(v any) any {
		out := map[string]any{}
		switch v := v.(type) {
		case map[string]any:
			for key, value := range v {
				out["f:"+key] = spell(value)
			}
		case []any:
			for i, value := range v {
				out[fmt.Sprintf(`k:{"name":"%d"}`, i)] = spell(value)
			}
		}
		return out
	}
	text, err := json.Marshal(spell(value))
	if err != nil {
		panic(err)
	}
	spelled.Store(of, string(text))
	return string(text)
}

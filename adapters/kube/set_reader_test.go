package kube

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// TestSetReader: protobuf is only read from an API server of exactly our types' version. Whatever version it reports, a field
// that our types lack reaches the planner, also in pods and revisions.
func TestSetReader(t *testing.T) {
	const later = `{"metadata":{"labels":{"app":"web"}},"spec":{"containers":null,"later":{"a":1}}}`
	const known = `{"metadata":{"labels":{"app":"web"}},"spec":{"containers":null}}`
	for _, test := range []struct {
		name, reason, version string
		newer                 bool
		template              string
		read                  []string
	}{
		{"same version", "nothing can be lost", `{"major":"1","minor":"37"}`, false, known, []string{"protobuf"}},
		{"same version, built by somebody", "the plus says nothing else", `{"major":"1","minor":"37+"}`, false, known, []string{"protobuf"}},
		{"newer", "it may have more fields", `{"major":"1","minor":"38"}`, true, later, []string{"json"}},
		{"older", "its JSON differs", `{"major":"1","minor":"36"}`, false, known, []string{"json"}},
		{"another major", "who knows", `{"major":"2","minor":"37"}`, false, known, []string{"json"}},
		{"no version", "who knows", ``, true, later, []string{"json"}},
		{"nonsense", "who knows", `<html>`, true, later, []string{"json"}},
		{"one of several", "an older one behind the same name reported its version", `{"major":"1","minor":"37"}`, true, later, []string{"protobuf", "json"}},
	} {
		for _, streams := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, streams %t", test.name, streams), func(t *testing.T) {
				server := &setServer{t: t, version: test.version, newer: test.newer, streams: streams, template: test.template}
				caches, _ := server.watched(t)
				light := caches.of("").last("default", "web")
				if light == nil {
					t.Fatal("the set is not in the cache")
				}
				if diff := cmp.Diff(test.template, string(light.message.GetPodTemplate())); diff != "" {
					t.Errorf("%s: template (-served +cached)\n%s", test.reason, diff)
				}
				if diff := cmp.Diff(test.read, server.forms()); diff != "" {
					t.Errorf("%s: read as\n%s", test.reason, diff)
				}
			})
		}
	}
}

// TestSetReaderAsksAgain: after an upgrade of the API server the next watch uses JSON.
func TestSetReaderAsksAgain(t *testing.T) {
	server := &setServer{t: t, version: `{"major":"1","minor":"37"}`, streams: true, template: `{}`}
	_, endConnections := server.watched(t)
	server.mu.Lock()
	server.version, server.newer, server.template = `{"major":"1","minor":"38"}`, true, `{"later":1}`
	server.mu.Unlock()
	endConnections()
	for deadline := time.Now().Add(time.Minute); !slices.Contains(server.forms(), "json"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("read as %v", server.forms())
		}
	}
}

// setServer is an API server with one set.
type setServer struct {
	t       *testing.T
	streams bool // it streams lists as watches

	mu       sync.Mutex
	version  string
	newer    bool   // the set has a field that our types lack
	template string // of the set as JSON
	read     []string
}

// watched returns caches that read from the server, and a function that ends all connections.
func (s *setServer) watched(t *testing.T) (*Caches, func()) {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	clients, err := NewClients(&rest.Config{Host: server.URL, QPS: -1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	caches := NewCaches(StatefulSets(), clients, nil)
	if err := caches.Start(ctx, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	return caches, server.CloseClientConnections
}

// forms are the encodings in which sets were requested, in order, each once.
func (s *setServer) forms() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Compact(slices.Clone(s.read))
}

func (s *setServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kind := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	if kind == "version" {
		if s.version == "" {
			w.WriteHeader(http.StatusForbidden)
		}
		_, _ = w.Write([]byte(s.version))
		return
	}
	media := runtime.ContentTypeJSON
	if strings.HasPrefix(r.Header.Get("Accept"), runtime.ContentTypeProtobuf) {
		media = runtime.ContentTypeProtobuf
	}
	if kind == "statefulsets" {
		s.read = append(s.read, media[strings.LastIndexAny(media, "./")+1:])
	}
	query := r.URL.Query()
	switch {
	case query.Get("watch") == "":
		s.list(w, kind, media)
	case query.Get("sendInitialEvents") == "true" && !s.streams:
		http.Error(w, "no streamed lists", http.StatusNotFound)
	default:
		s.stream(w, kind, media, query.Get("sendInitialEvents") == "true")
		s.mu.Unlock()
		<-r.Context().Done()
		s.mu.Lock()
	}
}

// set is the set as a newer or an equal API server sends it.
func (s *setServer) set(media string) []byte {
	set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "u", ResourceVersion: "5"},
		Spec: appsv1.StatefulSetSpec{Selector: &metav1.LabelSelector{}, Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}}}}}
	switch {
	case media == runtime.ContentTypeJSON:
		return []byte(`{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"namespace":"default","name":"web","uid":"u","resourceVersion":"5"},
			"spec":{"selector":{},"template":` + s.template + `},"status":{"replicas":0,"availableReplicas":0}}`)
	case s.newer:
		return withLaterField(s.t, set, inSpec, inTemplate, inPodSpec)
	}
	return served(s.t, set, media)
}

func (s *setServer) list(w http.ResponseWriter, kind, media string) {
	w.Header().Set("Content-Type", media)
	version := metav1.ListMeta{ResourceVersion: "9"}
	if kind == "statefulsets" && media == runtime.ContentTypeJSON {
		fmt.Fprintf(w, `{"apiVersion":"apps/v1","kind":"StatefulSetList","metadata":{"resourceVersion":"9"},"items":[%s]}`, s.set(media))
		return
	}
	sets := &appsv1.StatefulSetList{ListMeta: version}
	if kind == "statefulsets" {
		var envelope runtime.Unknown
		if err := envelope.Unmarshal(s.set(media)[4:]); err != nil {
			s.t.Error(err)
		}
		_, _ = w.Write(withItem(s.t, encoded(s.t, media, sets), envelope.Raw))
		return
	}
	_, _ = w.Write(encoded(s.t, media, map[string]runtime.Object{"controllerrevisions": &appsv1.ControllerRevisionList{ListMeta: version},
		"pods": &corev1.PodList{ListMeta: version}, "persistentvolumeclaims": &corev1.PersistentVolumeClaimList{ListMeta: version},
		"storageclasses": &storagev1.StorageClassList{ListMeta: version}}[kind]))
}

func (s *setServer) stream(w http.ResponseWriter, kind, media string, initial bool) {
	w.Header().Set("Content-Type", media+";stream=watch")
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), media)
	frames := info.StreamSerializer.NewFrameWriter(w)
	send := func(event string, raw []byte) {
		if err := info.StreamSerializer.Serializer.Encode(&metav1.WatchEvent{Type: event, Object: runtime.RawExtension{Raw: raw}}, frames); err != nil {
			s.t.Error(err)
		}
	}
	if initial {
		if kind == "statefulsets" {
			send("ADDED", s.set(media))
		}
		end := metav1.ObjectMeta{ResourceVersion: "9", Annotations: map[string]string{metav1.InitialEventsAnnotationKey: "true"}}
		send("BOOKMARK", encoded(s.t, media, map[string]runtime.Object{
			"statefulsets": &appsv1.StatefulSet{ObjectMeta: end}, "controllerrevisions": &appsv1.ControllerRevision{ObjectMeta: end},
			"pods": &corev1.Pod{ObjectMeta: end}, "persistentvolumeclaims": &corev1.PersistentVolumeClaim{ObjectMeta: end},
			"storageclasses": &storagev1.StorageClass{ObjectMeta: end}}[kind]))
	}
	w.(http.Flusher).Flush()
}

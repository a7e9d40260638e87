package kube

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/setplan/setplan/adapters"
)

// The identity labels of a pod.
const (
	labelPodName  = appsv1.StatefulSetPodNameLabel
	labelPodIndex = appsv1.PodIndexLabel
	labelRevision = appsv1.ControllerRevisionHashLabelKey
)

var webKey = adapters.Key{Namespace: "default", Name: "web"}

// filledCaches are caches without informers.
func filledCaches(t *testing.T, objects ...metav1.Object) *Caches {
	t.Helper()
	store := func(indexers cache.Indexers) kindCache {
		return kindCache{
			Indexer:   cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers),
			hasSynced: func() bool { return true },
		}
	}
	scope := &scopeCache{
		sets:      store(setIndexers()),
		pods:      store(podIndexers()),
		claims:    store(claimIndexers()),
		revisions: store(revisionIndexers()),
	}
	for _, object := range objects {
		add(t, scope, object)
	}
	return &Caches{kind: StatefulSets(), scopes: map[string]*scopeCache{"": scope}}
}

// add puts an object into its cache as an informer would, transformed.
func add(t *testing.T, scope *scopeCache, object metav1.Object) {
	t.Helper()
	var store kindCache
	var transform func(any) (any, error)
	switch object.(type) {
	case *unstructured.Unstructured:
		store, transform = scope.sets, lightSet(StatefulSets())
	case *corev1.Pod:
		store, transform = scope.pods, lightPod(StatefulSets())
	case *corev1.PersistentVolumeClaim:
		store, transform = scope.claims, lightClaim
	case *appsv1.ControllerRevision:
		store, transform = scope.revisions, lightRevision
	default:
		t.Fatalf("no cache for %T", object)
	}
	light, err := transform(object)
	if err == nil {
		err = store.Update(light)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// setOf decodes a set as the dynamic client does.
func setOf(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	set := &unstructured.Unstructured{}
	if err := set.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return set
}

func webSet(t *testing.T, uid string) *unstructured.Unstructured {
	t.Helper()
	return setOf(t, `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"namespace":"default","name":"web","uid":"`+uid+`",
		"resourceVersion":"7","generation":3},"spec":{"selector":{"matchLabels":{"app":"web"}},"template":{},
		"volumeClaimTemplates":[{"metadata":{"name":"data"}}]}}`)
}

func metaOf(name, controllerUID string) metav1.ObjectMeta {
	meta := metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-" + name), ResourceVersion: "5"}
	if controllerUID != "" {
		meta.OwnerReferences = []metav1.OwnerReference{controllerRef(controllerUID)}
	}
	return meta
}

func controllerRef(uid string) metav1.OwnerReference {
	yes := true
	return metav1.OwnerReference{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", UID: types.UID(uid), Controller: &yes, BlockOwnerDeletion: &yes}
}

// apiServer gives scripted answers and records the requests.
type apiServer struct {
	mu       sync.Mutex
	answers  map[string]answer // by "METHOD path"
	requests []request
}

type answer struct {
	code int
	body string
}

type request struct {
	Line        string // method, path and query
	ContentType string
	Body        string
}

func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	line := r.Method + " " + r.URL.Path
	s.mu.Lock()
	defer s.mu.Unlock()
	noted := request{Line: line, ContentType: r.Header.Get("Content-Type"), Body: string(body)}
	if r.URL.RawQuery != "" {
		noted.Line += "?" + r.URL.RawQuery
	}
	s.requests = append(s.requests, noted)
	reply, ok := s.answers[line]
	if !ok {
		reply = statusAnswer(http.StatusNotImplemented, "NotImplemented", "the test has no answer for "+line)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(reply.code)
	_, _ = io.WriteString(w, reply.body)
}

// lines are the requests without their bodies.
func (s *apiServer) lines() []string {
	var lines []string
	for _, r := range s.requests {
		lines = append(lines, strings.TrimSuffix(r.Line, "?fieldManager="+Manager))
	}
	return lines
}

func newAPIServer(t *testing.T, answers map[string]answer) (*apiServer, *API) {
	t.Helper()
	server := &apiServer{answers: answers}
	http := httptest.NewServer(server)
	t.Cleanup(http.Close)
	api, err := NewAPI(&rest.Config{Host: http.URL, QPS: -1})
	if err != nil {
		t.Fatal(err)
	}
	return server, api
}

// statusAnswer is an error as the API server words it.
func statusAnswer(code int, reason metav1.StatusReason, message string, causes ...metav1.StatusCause) answer {
	body, _ := json.Marshal(metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   metav1.StatusFailure, Code: int32(code), Reason: reason, Message: message,
		Details: &metav1.StatusDetails{Causes: causes},
	})
	return answer{code, string(body)}
}

// objectAnswer is an object's metadata.
func objectAnswer(name, uid, version string, owners ...metav1.OwnerReference) answer {
	body, _ := json.Marshal(metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Name: name, UID: types.UID(uid), ResourceVersion: version, OwnerReferences: owners,
	}})
	return answer{http.StatusOK, string(body)}
}

// storedConditions are the conditions that every set has stored, at any resource version.
type storedConditions []any

func (s storedConditions) Conditions(adapters.Key, string) ([]any, error) { return s, nil }

func (s storedConditions) Selector(adapters.Key) string { return "app=web" }

func (s storedConditions) Whole(adapters.Key, string) *appsv1.StatefulSet { return nil }

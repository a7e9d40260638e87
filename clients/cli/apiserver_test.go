package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"sigs.k8s.io/yaml"
)

// apiServer lists the objects of a file, in one namespace or several, and answers patches of dry runs. Anything else it refuses, and notes.
type apiServer struct {
	*httptest.Server
	objects map[string][]map[string]any // by resource
	fails   map[string]int              // by resource: the code that it is answered with

	mu       sync.Mutex
	requests []string // method and path
	writes   []string // what was to be stored
}

// serveObjects serves the objects of a file, and copies of them in more namespaces.
func serveObjects(t *testing.T, file string, more ...string) *apiServer {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &apiServer{objects: map[string][]map[string]any{}}
	for _, namespace := range append([]string{"default"}, more...) {
		var list struct{ Items []map[string]any }
		if err := yaml.Unmarshal([]byte(strings.ReplaceAll(string(text), "namespace: default", "namespace: "+namespace)), &list); err != nil {
			t.Fatal(err)
		}
		for _, item := range list.Items {
			resource := map[string]string{"StatefulSet": "statefulsets", "Pod": "pods", "PersistentVolumeClaim": "persistentvolumeclaims",
				"ControllerRevision": "controllerrevisions"}[item["kind"].(string)]
			s.objects[resource] = append(s.objects[resource], item)
		}
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// ServeHTTP implements http.Handler.
func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r.Method+" "+r.URL.Path)
	w.Header().Set("Content-Type", "application/json")
	parts := strings.Split(r.URL.Path, "/")
	switch code := s.fails[parts[len(parts)-1]]; {
	case code != 0:
		failure(w, code, map[int]string{http.StatusForbidden: "Forbidden"}[code])
	case r.Method == http.MethodGet && r.URL.Query().Get("sendInitialEvents") != "": // the client lists in its place
		failure(w, http.StatusUnprocessableEntity, "Invalid")
	case r.Method == http.MethodGet && r.URL.Query().Get("watch") != "": // nothing changes
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		s.mu.Unlock()
		<-r.Context().Done()
		s.mu.Lock()
	case r.Method == http.MethodGet:
		namespace, resource := "", parts[len(parts)-1]
		if i := slices.Index(parts, "namespaces"); i >= 0 {
			namespace = parts[i+1]
		}
		items := slices.DeleteFunc(slices.Clone(s.objects[resource]), func(item map[string]any) bool {
			return namespace != "" && item["metadata"].(map[string]any)["namespace"] != namespace
		})
		kind := map[string]string{"pods": "PodList", "persistentvolumeclaims": "PersistentVolumeClaimList", "controllerrevisions": "ControllerRevisionList",
			"statefulsets": "StatefulSetList", "storageclasses": "StorageClassList"}[resource]
		version := "v1"
		if strings.HasPrefix(r.URL.Path, "/apis/") {
			version = parts[2] + "/" + parts[3]
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": version, "kind": kind, "metadata": map[string]any{"resourceVersion": "100"}, "items": items})
	case r.Method == http.MethodPatch && r.URL.Query().Get("dryRun") == "All":
		_, _ = w.Write(s.patched(r.Body))
	default:
		s.writes = append(s.writes, r.Method+" "+r.URL.String())
		w.WriteHeader(http.StatusForbidden)
	}
}

func failure(w http.ResponseWriter, code int, reason string) {
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": reason, "code": code, "message": "no " + reason})
}

// patched is the first set after a JSON patch.
func (s *apiServer) patched(body io.Reader) []byte {
	text, _ := io.ReadAll(body)
	set := maps.Clone(s.objects["statefulsets"][0])
	now, _ := json.Marshal(set)
	operations, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return []byte(err.Error())
	}
	after, err := operations.Apply(now)
	if err != nil {
		return []byte(err.Error())
	}
	return []byte(strings.Replace(string(after), `"generation":2`, `"generation":3`, 1))
}

// TestForecastWritesNothing: from a cluster a rollback is forecast as from a file, and the only write is a dry run.
func TestForecastWritesNothing(t *testing.T) {
	s := serveObjects(t, "testdata/forecast/rolled.yaml")
	got := run(t, "forecast web --to-revision 1 -n default --at "+at+" --server "+s.URL)
	if want := run(t, "forecast web --to-revision 1"+rolled); got != want {
		t.Errorf("from a cluster:\n%s\nfrom a file:\n%s", got, want)
	}
	if len(s.writes) > 0 || !slices.Contains(s.requests, "PATCH /apis/apps/v1/namespaces/default/statefulsets/web") {
		t.Errorf("requests %v; writes %v", s.requests, s.writes)
	}
}

// TestUpgradeReadsByNamespace: of a cluster, one namespace is read after another, and nothing is written.
func TestUpgradeReadsByNamespace(t *testing.T) {
	s := serveObjects(t, "testdata/forecast/rolled.yaml", "second", "third")
	old := serveOther(t, asItIs)
	r := runWith("", strings.Fields("forecast -A --at "+at+" --server "+s.URL+" --old-planner-address "+old)...)
	if r.err != nil || !strings.Contains(r.out, "3 compared, 0 with more disruptions, 0 different otherwise, 0 not compared") {
		t.Errorf("%v\n%s%s", r.err, r.out, r.errors)
	}
	read := map[string]int{}
	for _, request := range s.requests {
		if strings.HasSuffix(request, "/pods") {
			read[request]++
		}
	}
	want := map[string]int{"GET /api/v1/namespaces/default/pods": 1, "GET /api/v1/namespaces/second/pods": 1, "GET /api/v1/namespaces/third/pods": 1}
	if !maps.Equal(read, want) || len(s.writes) > 0 {
		t.Errorf("pods are read by %v, want %v; writes %v", read, want, s.writes)
	}
	none := serveObjects(t, "testdata/forecast/rolled.yaml")
	none.objects = nil
	for line, want := range map[string]string{"": "no apps/v1 StatefulSets found in any namespace", " -l a=b": "no StatefulSet in any namespace has labels that match a=b"} {
		r := runWith("", strings.Fields("forecast -A --server "+none.URL+" --old-planner-address "+old+line)...)
		if r.err == nil || !strings.Contains(r.err.Error(), want) {
			t.Errorf("%s: %v", line, r.err)
		}
	}
}

// TestClassesNobodyMayRead: a forecast does without storage classes if it may not read them or they are not served, and says so if something else is in the way.
func TestClassesNobodyMayRead(t *testing.T) {
	for code, want := range map[int]string{http.StatusForbidden: "", http.StatusNotFound: "", http.StatusInternalServerError: "list storage classes"} {
		s := serveObjects(t, "testdata/forecast/rolled.yaml")
		s.fails = map[string]int{"storageclasses": code}
		r := runWith("", strings.Fields("forecast web --to-revision 1 -n default --at "+at+" --server "+s.URL)...)
		if got := fmt.Sprint(r.err); (want == "") != (r.err == nil) || want != "" && !strings.Contains(got, want) {
			t.Errorf("%d: %s", code, got)
		}
	}
}

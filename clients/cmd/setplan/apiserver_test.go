package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

// apiServer answers lists and watches with the objects of the file. It can be away, refuse, and lose a set when a test wants.
// TestCommandLine in test/e2e runs the same commands on a real one.
type apiServer struct {
	t       *testing.T
	address string

	mu      sync.Mutex
	server  *http.Server
	objects map[string][]map[string]any // by resource
	refused string                      // a resource that nobody may read
	events  []event                     // all events so far; their numbers are the resource versions
	changed *sync.Cond                  // there is a new event, or a client has gone
}

type event struct {
	Type     string         `json:"type"`
	Object   map[string]any `json:"object"`
	resource string
}

// kinds are the file's kinds, which a watch needs, by resource.
var kinds = map[string]string{"statefulsets": "StatefulSet", "pods": "Pod", "persistentvolumeclaims": "PersistentVolumeClaim",
	"controllerrevisions": "ControllerRevision"}

// witnesses are the other kinds that why looks at; the server has those that a test adds.
var witnesses = map[string]string{"events": "Event", "nodes": "Node", "storageclasses": "StorageClass", "leases": "Lease"}

func newAPIServer(t *testing.T) *apiServer {
	t.Helper()
	s := &apiServer{t: t, address: "127.0.0.1:0", objects: map[string][]map[string]any{}}
	s.changed = sync.NewCond(&s.mu)
	text, err := os.ReadFile(stuck)
	if err != nil {
		t.Fatal(err)
	}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var list struct{ Items []map[string]any }
		if err := yaml.Unmarshal([]byte(document), &list); err != nil {
			t.Fatal(err)
		}
		for _, item := range list.Items {
			for resource, kind := range kinds {
				if item["kind"] == kind {
					s.objects[resource] = append(s.objects[resource], item)
				}
			}
		}
	}
	s.start()
	t.Cleanup(s.stop)
	return s
}

func (s *apiServer) url() string { return "http://" + s.address }

// start serves, after a stop at the same address.
func (s *apiServer) start() {
	s.t.Helper()
	listener := listen(s.t, s.address)
	s.address = listener.Addr().String()
	server := &http.Server{Handler: s}
	s.mu.Lock()
	s.server = server
	s.mu.Unlock()
	go func() { _ = server.Serve(listener) }()
}

// listen waits for a port that was ours: meanwhile another connection may use it.
func listen(t *testing.T, address string) net.Listener {
	t.Helper()
	for limit := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		listener, err := net.Listen("tcp", address)
		if err == nil {
			return listener
		}
		if time.Now().After(limit) {
			t.Fatal(err)
		}
	}
}

// stop ends all connections, also watches.
func (s *apiServer) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.server.Close()
}

func (s *apiServer) refuse(resource string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = resource
}

// take deletes an object and returns it.
func (s *apiServer) take(resource, name string) map[string]any {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.objects[resource], func(object map[string]any) bool { return metadata(object)["name"] == name })
	if at < 0 {
		s.t.Fatalf("there is no %s of %s", name, resource)
	}
	object := s.objects[resource][at]
	s.objects[resource] = slices.Delete(slices.Clone(s.objects[resource]), at, at+1)
	s.tell(event{"DELETED", object, resource})
	return object
}

// put adds an object.
func (s *apiServer) put(resource string, object map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[resource] = append(slices.Clone(s.objects[resource]), object)
	s.tell(event{"ADDED", object, resource})
}

func (s *apiServer) tell(e event) {
	e.Object = maps.Clone(e.Object)
	named := maps.Clone(metadata(e.Object))
	named["resourceVersion"] = strconv.Itoa(len(s.events) + 1)
	e.Object["metadata"] = named
	s.events = append(s.events, e)
	s.changed.Broadcast()
}

func metadata(object map[string]any) map[string]any {
	m, _ := object["metadata"].(map[string]any)
	return m
}

func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	resource, name := path.Base(r.URL.Path), ""
	if parent := path.Base(path.Dir(r.URL.Path)); witnesses[parent] != "" {
		resource, name = parent, resource
	}
	query := r.URL.Query()
	w.Header().Set("Content-Type", "application/json")
	s.mu.Lock()
	refused, version := s.refused == resource, strconv.Itoa(len(s.events))
	list := map[string]any{"kind": cmp.Or(kinds[resource], witnesses[resource]) + "List", "metadata": map[string]any{"resourceVersion": version}, "items": s.objects[resource],
		"apiVersion": strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(strings.Split(r.URL.Path, "/namespaces/")[0], "/"+resource), "/apis/"), "/api/")}
	at := slices.IndexFunc(s.objects[resource], func(object map[string]any) bool { return metadata(object)["name"] == name })
	var object map[string]any
	if at >= 0 {
		object = s.objects[resource][at]
	}
	s.mu.Unlock()
	switch {
	case refused:
		status(w, http.StatusForbidden, "Forbidden", resource+" is forbidden: User \"jane\" cannot list resource \""+resource+"\"")
	case name != "" && object == nil:
		status(w, http.StatusNotFound, "NotFound", resource+" "+name+" not found")
	case name != "":
		_ = json.NewEncoder(w).Encode(object)
	case query.Get("sendInitialEvents") != "":
		status(w, http.StatusUnprocessableEntity, "Invalid", "sendInitialEvents is forbidden: this server is too old for it")
	case query.Get("watch") != "":
		begin, _ := strconv.Atoi(query.Get("resourceVersion"))
		s.watch(w, r, resource, begin)
	default:
		_ = json.NewEncoder(w).Encode(list)
	}
}

func status(w http.ResponseWriter, code int, reason, message string) {
	w.WriteHeader(code)
	fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":%q,"code":%d,"message":%q}`, reason, code, message)
}

// watch sends a resource's events after a version, until the client is gone.
func (s *apiServer) watch(w http.ResponseWriter, r *http.Request, resource string, next int) {
	defer context.AfterFunc(r.Context(), s.changed.Broadcast)()
	flusher, _ := w.(http.Flusher)
	flusher.Flush()
	for {
		s.mu.Lock()
		for next == len(s.events) && r.Context().Err() == nil {
			s.changed.Wait()
		}
		coming := s.events[next:]
		s.mu.Unlock()
		if r.Context().Err() != nil {
			return
		}
		for _, e := range coming {
			if e.resource == resource {
				_ = json.NewEncoder(w).Encode(e)
			}
		}
		flusher.Flush()
		next += len(coming)
	}
}

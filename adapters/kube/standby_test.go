package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/setplan/setplan/adapters"
)

// TestStandby: ten thousand sets are created and deleted while a replica waits for the lease. It keeps none of their names.
// When it begins, it works on every existing set.
func TestStandby(t *testing.T) {
	const passing = 10_000
	a, err := New(Config{
		REST: comingAndGoing(t, passing), Planner: nil, Kind: StatefulSets(), Workers: 1, ObserveOnly: true,
		Registry: prometheus.NewRegistry(), Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	// The informer's last listener may be ahead of the others by the content of their buffers, so the test waits a little after
	// it.
	var gone atomic.Int64
	if _, err := a.caches.of("").sets.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(any) { gone.Add(1) }}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if err := a.caches.Start(ctx, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(2 * time.Minute); gone.Load() < passing; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d sets have gone", gone.Load(), passing)
		}
	}
	time.Sleep(100 * time.Millisecond)
	a.controller.pace.mu.Lock()
	kept := len(a.controller.pace.sets)
	a.controller.pace.mu.Unlock()
	if queued := a.controller.queue.Len(); kept > 0 || queued > 0 {
		t.Errorf("of %d deleted sets the waiting replica keeps %d, and %d are queued", passing, kept, queued)
	}

	a.controller.Wake(a.caches.keys)
	if queued := a.controller.queue.Len(); queued != 1 {
		t.Fatalf("%d sets are queued, want the one that exists", queued)
	}
	if key, _ := a.controller.queue.Get(); key != (adapters.Key{Namespace: "default", Name: "stays"}) {
		t.Errorf("it begins with %s", key)
	}
	// It waits again, and a set that it knew is gone when it begins again: it must be forgotten.
	a.controller.Rest()
	a.controller.Changed(adapters.Key{Namespace: "default", Name: "late"}, Change{})
	if keys := a.controller.pace.wake(); len(keys) != 1 || keys[0].Name != "stays" {
		t.Errorf("it still knows %v", keys)
	}
}

// comingAndGoing is an API server with one set that stays, and others that exist for a moment, one after the other.
func comingAndGoing(t *testing.T, passing int) *rest.Config {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Get("watch") == "" {
			items := []any{}
			list := map[string][2]string{"pods": {"v1", "PodList"}, "persistentvolumeclaims": {"v1", "PersistentVolumeClaimList"}, "storageclasses": {"storage.k8s.io/v1", "StorageClassList"},
				"controllerrevisions": {"apps/v1", "ControllerRevisionList"}, "statefulsets": {"apps/v1", "StatefulSetList"}}[kind]
			if kind == "statefulsets" {
				items = append(items, setNamed("stays", 1))
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": list[0], "kind": list[1], "metadata": map[string]any{"resourceVersion": "1"}, "items": items})
			return
		}
		if r.URL.Query().Get("sendInitialEvents") != "" {
			http.Error(w, "only lists", http.StatusNotFound)
			return
		}
		if kind == "statefulsets" && r.URL.Query().Get("resourceVersion") == "1" {
			events := json.NewEncoder(w)
			for n := range passing {
				for i, event := range []string{"ADDED", "DELETED"} {
					_ = events.Encode(map[string]any{"type": event, "object": setNamed(fmt.Sprint("web-", n), 2+2*n+i)})
				}
			}
		}
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	return &rest.Config{Host: server.URL, QPS: -1}
}

func setNamed(name string, version int) map[string]any {
	return map[string]any{"apiVersion": "apps/v1", "kind": "StatefulSet",
		"metadata": map[string]any{"namespace": "default", "name": name, "uid": name, "resourceVersion": fmt.Sprint(version)},
		"spec":     map[string]any{"selector": map[string]any{"matchLabels": map[string]any{"app": name}}, "template": map[string]any{}}}
}

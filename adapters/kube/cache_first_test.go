package kube

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"
)

// TestFirstListIsNew: whoever acted before has ended, and the first list has all that it did: no cache of the API server answers it. So it is for an API
// server that streams the first list, too, and for a kind of our own.
func TestFirstListIsNew(t *testing.T) {
	kinds := map[string][2]string{"pods": {"v1", "PodList"}, "persistentvolumeclaims": {"v1", "PersistentVolumeClaimList"}, "storageclasses": {"storage.k8s.io/v1", "StorageClassList"},
		"controllerrevisions": {"apps/v1", "ControllerRevisionList"}, "statefulsets": {"apps/v1", "StatefulSetList"}}
	for name, kind := range map[string]SetKind{"apps/v1": StatefulSets(), "own": ownKind()} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			first := map[string]string{} // by kind: the version that was asked for
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				query, resource := r.URL.Query(), r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
				streams := query.Get("sendInitialEvents") != ""
				if streams || query.Get("watch") == "" && query.Get("limit") != "1" {
					mu.Lock()
					first[resource] += query.Get("resourceVersion")
					mu.Unlock()
				}
				w.Header().Set("Content-Type", "application/json")
				switch {
				case streams:
					http.Error(w, "only lists", http.StatusNotFound)
				case query.Get("watch") == "":
					_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": kinds[resource][0], "kind": kinds[resource][1], "metadata": map[string]any{"resourceVersion": "7"}, "items": []any{}})
				default:
					w.(http.Flusher).Flush()
					<-r.Context().Done()
				}
			}))
			t.Cleanup(server.Close)
			t.Cleanup(server.CloseClientConnections)
			clients, err := NewClients(&rest.Config{Host: server.URL, QPS: -1})
			if err != nil {
				t.Fatal(err)
			}
			caches := NewCaches(kind, clients, nil)
			if err := caches.Start(t.Context(), slog.New(slog.DiscardHandler)); err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			defer mu.Unlock()
			for resource := range kinds {
				if version, asked := first[resource]; !asked || version != "" {
					t.Errorf("%s: asked %t, for version %q", resource, asked, version)
				}
			}
			if got := caches.versions(); got != (Versions{Sets: "7", Pods: "7"}) {
				t.Errorf("the caches are at %v", got)
			}
		})
	}
}

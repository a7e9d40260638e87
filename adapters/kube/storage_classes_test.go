package kube

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
)

// TestStartWaitsForClasses: an adapter that starts waits until it has read the storage classes, or may not, or has waited long enough; then it plans
// without them.
func TestStartWaitsForClasses(t *testing.T) {
	t.Parallel()
	const soon, late = 300 * time.Millisecond, time.Minute
	answersAfter := func(wait time.Duration) func(int64, http.ResponseWriter, *http.Request) bool {
		return func(_ int64, _ http.ResponseWriter, r *http.Request) bool {
			select {
			case <-time.After(wait):
			case <-r.Context().Done():
			}
			return false
		}
	}
	fails := func(requests int64, code int) func(int64, http.ResponseWriter, *http.Request) bool {
		return func(n int64, w http.ResponseWriter, _ *http.Request) bool {
			if n <= requests {
				http.Error(w, "no", code)
			}
			return n <= requests
		}
	}
	for reason, row := range map[string]struct {
		classes   func(n int64, w http.ResponseWriter, r *http.Request) (answered bool) // the n-th request for them
		patience  time.Duration
		read      bool
		atLeast   time.Duration
		thenReads bool // once it has started without
	}{
		"the list comes late":               {classes: answersAfter(soon), patience: late, read: true, atLeast: soon},
		"the first list fails":              {classes: fails(1, http.StatusInternalServerError), patience: late, read: true, atLeast: classesRetry},
		"it may not read them":              {classes: fails(1000, http.StatusForbidden), patience: late},
		"the API server has none":           {classes: fails(1000, http.StatusNotFound), patience: late},
		"the list comes after its patience": {classes: answersAfter(2 * soon), patience: soon, atLeast: soon, thenReads: true},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			sets := &setServer{t: t, version: `{"major":"1","minor":"37"}`, streams: true, template: `{}`}
			var requests atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !strings.HasSuffix(r.URL.Path, "/storageclasses") || !row.classes(requests.Add(1), w, r) {
					sets.ServeHTTP(w, r)
				}
			}))
			t.Cleanup(server.Close)
			t.Cleanup(server.CloseClientConnections)
			clients, err := NewClients(&rest.Config{Host: server.URL, QPS: -1})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			caches, began := NewCaches(StatefulSets(), clients, nil), time.Now()
			caches.classes.patience = row.patience
			if err := caches.Start(ctx, slog.New(slog.DiscardHandler)); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); caches.classes.hasSynced() != row.read || took < row.atLeast || !caches.HasSynced() {
				t.Errorf("after %s it has read them: %v; ready: %v", took, caches.classes.hasSynced(), caches.HasSynced())
			}
			for row.thenReads && !caches.classes.hasSynced() {
				if time.Sleep(10 * time.Millisecond); ctx.Err() != nil {
					t.Fatal("it never reads them")
				}
			}
		})
	}
}

// TestFixedClassesOfObjects: which storage classes a snapshot says let no volume grow, with a whole list of classes, with some of them, and with none.
func TestFixedClassesOfObjects(t *testing.T) {
	class := func(name string, expands *bool) *storagev1.StorageClass {
		return &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Provisioner: "driver", AllowVolumeExpansion: expands}
	}
	claims := []*corev1.PersistentVolumeClaim{}
	for i, name := range []string{"slow", "fast", "old", "gone"} {
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: metaOf("data-web-"+string(rune('0'+i)), "")}
		claim.Spec.StorageClassName = &name
		claims = append(claims, claim)
	}
	all := []*storagev1.StorageClass{class("slow", nil), class("fast", new(true)), class("old", new(false)), class("other", nil)}
	for reason, row := range map[string]struct {
		classes Listed[*storagev1.StorageClass]
		want    []string
	}{
		"all are listed, and one is not there": {Listed[*storagev1.StorageClass]{Items: all, Complete: true}, []string{"old", "slow"}},
		"some are known":                       {Listed[*storagev1.StorageClass]{Items: all[:2]}, []string{"slow"}},
		"none is known":                        {Listed[*storagev1.StorageClass]{}, nil},
	} {
		objects := &Objects{
			Sets:           Listed[*unstructured.Unstructured]{Items: []*unstructured.Unstructured{webSet(t, "set")}, Complete: true},
			Claims:         Listed[*corev1.PersistentVolumeClaim]{Items: claims, Complete: true},
			StorageClasses: row.classes,
		}
		source, err := NewObjectSource(StatefulSets(), objects, nil, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		got, err := source.Snapshot(context.Background(), webKey)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.GetFixedStorageClasses(), row.want) {
			t.Errorf("%s: %v, want %v", reason, got.GetFixedStorageClasses(), row.want)
		}
	}
}

package kube

import (
	"context"
	goflag "flag"
	"fmt"
	"log/slog"
	"runtime"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/setplan/setplan/adapters"
)

var memorySets = goflag.Int("memory-sets", 150, "sets of TestMemory, with three pods each; seven times as many pods are foreign")

// TestMemory prints what an object costs in the caches of this adapter and of the built-in controller, and checks the ratio:
// `make measure WHAT=memory` runs it with 5,000 sets and 50,000 pods.
func TestMemory(t *testing.T) {
	sets, replicas := *memorySets, 3
	// What the first use creates once for the whole process is no object's cost.
	oursHolds(t, crowd{sets: 1})
	builtInHolds(t, crowd{sets: 1})
	of := map[string]struct {
		crowd crowd
		count int
	}{
		"set, with its revision":  {crowd{sets: sets}, sets},
		"set's pod and its claim": {crowd{sets: sets, replicas: replicas}, sets * replicas},
		"foreign pod":             {crowd{sets: 1, foreign: 7 * sets}, 7 * sets},
	}
	bytes := func(load func(testing.TB, crowd) uint64, kind string) float64 {
		total := float64(load(t, of[kind].crowd))
		if kind == "set's pod and its claim" { // the sets beside them are measured by themselves
			total -= float64(load(t, crowd{sets: sets}))
		}
		return total / float64(of[kind].count)
	}
	// The largest allowed parts of the built-in controller's memory.
	for kind, most := range map[string]float64{"set, with its revision": 1, "set's pod and its claim": 0.5, "foreign pod": 0.1} {
		ours, builtIn := bytes(oursHolds, kind), bytes(builtInHolds, kind)
		t.Logf("%-24s %7.0f bytes, built-in %7.0f: %.2f (%d of them)", kind, ours, builtIn, ours/builtIn, of[kind].count)
		if ours > most*builtIn {
			t.Errorf("a %s costs %.0f bytes, more than %.2f of the built-in controller's %.0f", kind, ours, most, builtIn)
		}
	}
	whole := crowd{sets: sets, replicas: replicas, foreign: 7 * sets}
	ours, builtIn := oursHolds(t, whole), builtInHolds(t, whole)
	t.Logf("%-24s %7.1f MB,    built-in %7.1f: %.2f", fmt.Sprintf("%d sets, %d pods", sets, 10*sets), float64(ours)/1e6, float64(builtIn)/1e6, float64(ours)/float64(builtIn))
}

// oursHolds is the live heap of an adapter's caches, once each set has been planned.
func oursHolds(t testing.TB, c crowd) uint64 {
	clients, err := NewClients(c.serve(t))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	before := liveHeap()
	caches := NewCaches(StatefulSets(), clients, nil)
	if err := caches.Start(ctx, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	source := NewSource(StatefulSets(), caches, clients.API, time.Now)
	for _, object := range caches.of("").sets.List() {
		set, err := meta.Accessor(object)
		if err != nil {
			t.Fatal(err)
		}
		key := adapters.Key{Namespace: set.GetNamespace(), Name: set.GetName()}
		snapshot, err := source.Snapshot(ctx, key)
		if err != nil || len(snapshot.GetPods()) != c.replicas || len(snapshot.GetClaims()) != c.replicas || len(snapshot.GetRevisions()) != 1 {
			t.Fatalf("%s: %v, %d pods, %d claims", key, err, len(snapshot.GetPods()), len(snapshot.GetClaims()))
		}
	}
	held := liveHeap() - before
	if n := len(caches.of("").pods.ListKeys()); n != c.sets*c.replicas+c.foreign {
		t.Fatalf("%d pods in the cache", n)
	}
	runtime.KeepAlive(source)
	return held
}

// builtInHolds is the live heap of the built-in controller's informers: typed objects without managed fields.
func builtInHolds(t testing.TB, c crowd) uint64 {
	config := rest.CopyConfig(c.serve(t))
	config.ContentType = k8sruntime.ContentTypeProtobuf
	config.AcceptContentTypes = k8sruntime.ContentTypeProtobuf + "," + k8sruntime.ContentTypeJSON
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	before := liveHeap()
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTransform(func(object any) (any, error) {
		if accessor, err := meta.Accessor(object); err == nil {
			accessor.SetManagedFields(nil)
		}
		return object, nil
	}))
	pods := factory.Core().V1().Pods().Informer()
	if err := pods.AddIndexers(cache.Indexers{"podControllerUID": func(object any) ([]string, error) {
		accessor, err := meta.Accessor(object)
		if err != nil {
			return nil, err
		}
		if owner := metav1.GetControllerOfNoCopy(accessor); owner != nil {
			return []string{string(owner.UID)}, nil
		}
		return []string{"_podControllerUID_orphan"}, nil
	}}); err != nil {
		t.Fatal(err)
	}
	factory.Apps().V1().StatefulSets().Informer()
	factory.Apps().V1().ControllerRevisions().Informer()
	factory.Core().V1().PersistentVolumeClaims().Informer()
	factory.StartWithContext(ctx)
	factory.WaitForCacheSync(ctx.Done())
	held := liveHeap() - before
	if n := len(pods.GetIndexer().ListKeys()); n != c.sets*c.replicas+c.foreign {
		t.Fatalf("%d pods in the cache", n)
	}
	return held
}

// liveHeap is what is left after a collection. The second one frees what the first one finalized.
func liveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

package upstream

import (
	"context"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/controller/statefulset"
	"k8s.io/kubernetes/pkg/features"

	"github.com/setplan/setplan/test/oracle/world"
)

// Controller runs the whole controller over the world, as kube-controller-manager starts it, until it has nothing left to do:
// its own informers' handlers, queue and sync. Pass repeats the lines of sync, which is not exported; this proves that it
// repeats them correctly.
//
// It must be called in a bubble of testing/synctest: settle is synctest.Wait, and the clock is the bubble's. The requeue time
// is measured on that clock: when the controller reads the set again within horizon.
func Controller(w *world.World, settle func(), horizon time.Duration) Outcome {
	world.SetGate(w.Gate)
	time.Sleep(time.Until(w.Now))
	// Off: otherwise the second look would wait for caches to show the first one's writes.
	err := utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{string(features.StaleControllerConsistencyStatefulSet): false})
	if err != nil {
		panic(err)
	}
	a := newAPI(w)
	pods := informer{newIndexed(&corev1.Pod{})}
	claims := informer{newIndexed(&corev1.PersistentVolumeClaim{})}
	revisions := informer{newIndexed(&appsv1.ControllerRevision{})}
	sets := &setInformer{informer: informer{newIndexed(&appsv1.StatefulSet{})}}
	ctx, cancel := context.WithCancel(context.Background())
	controller := statefulset.NewStatefulSetController(ctx, podInformer{pods}, sets, claimInformer{claims}, revisionInformer{revisions}, a)
	fill(pods, w.Pods)
	fill(claims, w.Claims)
	fill(revisions, w.Revisions)
	fill(sets.informer, []*appsv1.StatefulSet{w.Set})

	done := make(chan struct{})
	go func() {
		defer close(done)
		controller.Run(ctx, 1)
	}()
	settle() // the workers wait
	begin := time.Now()
	sets.handler.OnAdd(w.Set, true)
	settle()
	out := Outcome{Writes: slices.Clone(a.writes), Conflicting: slices.Clone(a.conflicting)}
	time.Sleep(horizon)
	settle()
	if len(sets.reads) > 1 {
		out.Requeue = sets.reads[1].Sub(begin)
	}
	cancel()
	<-done
	return out
}

func newIndexed(kind runtime.Object) cache.SharedIndexInformer {
	return cache.NewSharedIndexInformer(nil, kind, 0, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
}

func fill[T any](to informer, objects []T) {
	for _, object := range objects {
		if err := to.GetIndexer().Add(object); err != nil {
			panic(err) // an object without a name
		}
	}
}

// informer counts as synced without being started: its store is filled by hand.
type informer struct{ cache.SharedIndexInformer }

func (informer) HasSynced() bool                       { return true }
func (i informer) Informer() cache.SharedIndexInformer { return i }

type podInformer struct{ informer }

func (i podInformer) Lister() corelisters.PodLister { return corelisters.NewPodLister(i.GetIndexer()) }

type claimInformer struct{ informer }

func (i claimInformer) Lister() corelisters.PersistentVolumeClaimLister {
	return corelisters.NewPersistentVolumeClaimLister(i.GetIndexer())
}

type revisionInformer struct{ informer }

func (i revisionInformer) Lister() appslisters.ControllerRevisionLister {
	return appslisters.NewControllerRevisionLister(i.GetIndexer())
}

// setInformer keeps the controller's handler, which queues the set, and records when sync reads the set.
type setInformer struct {
	informer
	handler cache.ResourceEventHandler
	reads   []time.Time
}

func (i *setInformer) Informer() cache.SharedIndexInformer { return i }

func (i *setInformer) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	i.handler = handler
	return nil, nil
}

func (i *setInformer) Lister() appslisters.StatefulSetLister {
	return readLister{StatefulSetLister: appslisters.NewStatefulSetLister(i.GetIndexer()), informer: i}
}

type readLister struct {
	appslisters.StatefulSetLister
	appslisters.StatefulSetNamespaceLister
	informer *setInformer
}

func (l readLister) StatefulSets(namespace string) appslisters.StatefulSetNamespaceLister {
	l.StatefulSetNamespaceLister = l.StatefulSetLister.StatefulSets(namespace)
	return l
}

func (l readLister) List(selector labels.Selector) ([]*appsv1.StatefulSet, error) {
	return l.StatefulSetNamespaceLister.List(selector)
}

func (l readLister) Get(name string) (*appsv1.StatefulSet, error) {
	l.informer.reads = append(l.informer.reads, time.Now())
	return l.StatefulSetNamespaceLister.Get(name)
}

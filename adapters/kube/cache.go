package kube

import (
	"context"
	"log/slog"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/setplan/setplan/adapters"
)

// kindCache is the part of an informer that a source needs. A test can make it without an informer.
type kindCache struct {
	cache.Indexer
	hasSynced func() bool
	informer  cache.SharedIndexInformer // nil in tests
}

// scopeCache is the cache of one namespace, or of all.
type scopeCache struct {
	sets, pods, claims, revisions kindCache
}

// Caches hold what the adapter watches.
type Caches struct {
	kind     SetKind
	scopes   map[string]*scopeCache           // by namespace; "" watches all
	classes  *storageClasses                  // nil in tests
	answered func(resource string, err error) // may be nil
	peek     func(*corev1.Pod)                // may be nil
}

// NewCaches makes informers for the namespaces; no namespaces means all. Nothing is watched before Start.
func NewCaches(kind SetKind, clients *Clients, namespaces []string) *Caches {
	if len(namespaces) == 0 {
		namespaces = []string{metav1.NamespaceAll}
	}
	caches := &Caches{kind: kind, scopes: map[string]*scopeCache{}, classes: newStorageClasses(clients)}
	for _, namespace := range namespaces {
		scope := &scopeCache{
			pods:      informed(caches.overheard("pods", watchTyped(clients.Core.RESTClient(), "pods", namespace)), &corev1.Pod{}, "Pod", podIndexers(), caches.peeked(lightPod(kind))),
			claims:    informed(caches.overheard("persistentvolumeclaims", watchTyped(clients.Core.RESTClient(), "persistentvolumeclaims", namespace)), &corev1.PersistentVolumeClaim{}, "PersistentVolumeClaim", claimIndexers(), lightClaim),
			revisions: informed(caches.overheard("controllerrevisions", watchTyped(clients.Apps.RESTClient(), "controllerrevisions", namespace)), &appsv1.ControllerRevision{}, "ControllerRevision", revisionIndexers(), lightRevision),
		}
		// Sets arrive as two types: see setReader.
		scope.sets = informed(caches.overheard(kind.Resource, watchSets(clients, kind, namespace)), nil, kind.Kind, setIndexers(), lightSetAfter(kind, scope.last))
		caches.scopes[namespace] = scope
	}
	return caches
}

// of returns the cache that covers a namespace, or nil.
func (c *Caches) of(namespace string) *scopeCache {
	if all := c.scopes[metav1.NamespaceAll]; all != nil {
		return all
	}
	return c.scopes[namespace]
}

// Start runs the informers until the context ends and returns once each has listed its kind. Every ten seconds it logs what
// it waits for: a missing permission looks exactly like a slow start. For storage classes it waits too, so that the first plan knows which let no volume
// grow, but neither without the right to read them nor for long once everything else is there: most sets do not need them.
func (c *Caches) Start(ctx context.Context, log *slog.Logger) error {
	for _, scope := range c.scopes {
		for _, kind := range scope.kinds() {
			go kind.informer.RunWithContext(ctx)
		}
	}
	if c.classes != nil {
		go c.classes.run(ctx, log)
	}
	patience := time.NewTicker(10 * time.Second)
	defer patience.Stop()
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	var enough <-chan time.Time
	for {
		missing := c.missing()
		if len(missing) == 0 {
			return nil
		}
		if enough == nil && slices.Equal(missing, []string{classesResource}) {
			enough = time.After(c.classes.patience)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-enough:
			log.Warn("continuing without storage classes: one that does not let volumes grow may be noticed only with the first claim")
			c.classes.passedOver.Store(true)
		case <-poll.C:
		case <-patience.C:
			log.Warn("waiting for the first lists; is a permission missing?", "kinds", missing)
		}
	}
}

// Peek sets a function that is called with each pod as it arrives, before the fields that no snapshot needs are dropped. The
// function must not keep the pod. Peek must be called before Start.
func (c *Caches) Peek(look func(*corev1.Pod)) { c.peek = look }

func (c *Caches) peeked(light cache.TransformFunc) cache.TransformFunc {
	return func(object any) (any, error) {
		if pod, whole := object.(*corev1.Pod); whole && c.peek != nil {
			c.peek(pod)
		}
		return light(object)
	}
}

// HasSynced reports whether every kind has been listed that is waited for.
func (c *Caches) HasSynced() bool { return len(c.missing()) == 0 }

func (c *Caches) missing() []string {
	var missing []string
	for _, scope := range c.scopes {
		for name, kind := range scope.kinds() {
			if !kind.hasSynced() {
				missing = append(missing, name)
			}
		}
	}
	if c.classes.awaited() {
		missing = append(missing, classesResource)
	}
	return missing
}

func (s *scopeCache) kinds() map[string]kindCache {
	return map[string]kindCache{"sets": s.sets, "pods": s.pods, "claims": s.claims, "revisions": s.revisions}
}

func informed(listWatch cache.ListerWatcher, example runtime.Object, description string, indexers cache.Indexers, transform cache.TransformFunc) kindCache {
	informer := cache.NewSharedIndexInformerWithOptions(listWatch, example, cache.SharedIndexInformerOptions{
		Indexers:          indexers,
		ObjectDescription: description,
	})
	if transform != nil {
		if err := informer.SetTransform(transform); err != nil {
			panic(err) // possible only on a running informer
		}
	}
	return kindCache{Indexer: informer.GetIndexer(), hasSynced: informer.HasSynced, informer: informer}
}

func watchTyped(client rest.Interface, resource, namespace string) cache.ListerWatcher {
	return cache.NewFilteredListWatchFromClient(client, resource, namespace, sinceNow)
}

// watchSets reads the built-in kind as protobuf if that loses nothing. Other kinds exist as JSON only.
func watchSets(clients *Clients, kind SetKind, namespace string) cache.ListerWatcher {
	sets := clients.Dynamic.Resource(kind.GVR()).Namespace(namespace)
	text := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			sinceNow(&options)
			return sets.List(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			return sets.Watch(ctx, options)
		},
	}
	if kind != StatefulSets() {
		return cache.ToListWatcherWithWatchListSemantics(text, clients.Dynamic)
	}
	reader := &setReader{
		binary: cache.ToListerWatcherWithContext(watchTyped(clients.Sets, kind.Resource, namespace)),
		text:   text,
		minor:  clients.API.minor,
		lossy:  clients.lossy,
	}
	return cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{ListWithContextFunc: reader.list, WatchFuncWithContext: reader.watch}, clients.Dynamic)
}

// versions are those that the caches of sets and pods have reached. Versions of a kind have one order across namespaces.
func (c *Caches) versions() (reached Versions) {
	newest := func(is *string, of kindCache) {
		if version := of.informer.LastSyncResourceVersion(); *is == "" || atLeast(version, *is) {
			*is = version
		}
	}
	for _, scope := range c.scopes {
		newest(&reached.Sets, scope.sets)
		newest(&reached.Pods, scope.pods)
	}
	return reached
}

// keys lists the sets in the caches.
func (c *Caches) keys() (keys []adapters.Key) {
	for _, scope := range c.scopes {
		for _, object := range scope.sets.List() {
			if set, is := object.(*cachedSet); is {
				keys = append(keys, adapters.Key{Namespace: set.GetNamespace(), Name: set.GetName()})
			}
		}
	}
	return keys
}

// sinceNow has the first list answered from the API server's store. An informer would allow an answer from a cache of the API server, which may lack the
// last writes.
func sinceNow(options *metav1.ListOptions) {
	if options.ResourceVersion == "0" {
		options.ResourceVersion = ""
	}
}

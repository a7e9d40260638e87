package kube

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// Listen sets a function that is called with the API server's answer to each list and watch, by resource; nil means success.
// Informers retry by themselves, and nothing else shows that: a cache that hears nothing looks like a quiet cluster. Call it
// before Start. Several goroutines call answered.
func (c *Caches) Listen(answered func(resource string, err error)) { c.answered = answered }

// overheard passes requests on, and reports how they ended.
func (c *Caches) overheard(resource string, from cache.ListerWatcher) cache.ListerWatcher {
	inner := cache.ToListerWatcherWithContext(from)
	tell := func(err error) {
		if c.answered != nil {
			c.answered(resource, err)
		}
	}
	return cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			list, err := inner.ListWithContext(ctx, options)
			tell(err)
			return list, err
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			events, err := inner.WatchWithContext(ctx, options)
			tell(err)
			return events, err
		},
	}, from)
}

package kube

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// Listen tells how the API server answers each list and each watch, by resource; nil is an answer. The informers ask again
// by themselves, and nothing else shows that they do: a cache that hears nothing looks like a cluster where nothing
// happens. Call it before Start. answered is called by several goroutines.
func (c *Caches) Listen(answered func(resource string, err error)) { c.answered = answered }

// overheard passes requests on, and tells how they ended.
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

package kube

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/snapshot"
)

// storageClasses tell which classes let no volume grow. Not every adapter has the right to read them: where they are not known, the API server's refusal
// of the first claim tells.
type storageClasses struct {
	kindCache
	list       func(context.Context) error // asks for one of them
	patience   time.Duration               // see classesPatience
	passedOver atomic.Bool                 // nothing waits for the first list any more
}

const (
	classesResource = "storageclasses"
	// classesAgain is how long an adapter that may not read the classes waits before it tries again.
	classesAgain = 10 * time.Minute
	// classesRetry is how long it waits after another failure.
	classesRetry = time.Second
	// classesPatience is how long an adapter that starts waits for the classes alone.
	classesPatience = 10 * time.Second
)

func newStorageClasses(clients *Clients) *storageClasses {
	return &storageClasses{
		patience:  classesPatience,
		kindCache: informed(watchTyped(clients.Storage.RESTClient(), classesResource, metav1.NamespaceAll), &storagev1.StorageClass{}, "StorageClass", cache.Indexers{}, lightClass),
		list: func(ctx context.Context) error {
			_, err := clients.Storage.StorageClasses().List(ctx, metav1.ListOptions{Limit: 1})
			return err
		},
	}
}

// lightClass drops what no snapshot needs.
func lightClass(object any) (any, error) {
	class, whole := object.(*storagev1.StorageClass)
	if !whole {
		return object, nil
	}
	return &storagev1.StorageClass{
		ObjectMeta:           metav1.ObjectMeta{Name: class.Name, UID: class.UID, ResourceVersion: class.ResourceVersion},
		AllowVolumeExpansion: class.AllowVolumeExpansion,
	}, nil
}

// run watches the classes once the adapter can, until the context ends. An informer that may not would try for ever, and say so each time.
func (c *storageClasses) run(ctx context.Context, log *slog.Logger) {
	for told := false; ; told = true {
		err := c.list(ctx)
		if err == nil {
			c.informer.RunWithContext(ctx)
			return
		}
		if !told {
			log.Info("storage classes cannot be read; one that does not let volumes grow is noticed with the first claim", "error", err)
		}
		again := classesRetry
		if apierrors.IsForbidden(err) || apierrors.IsNotFound(err) { // an API server can do without them
			c.passedOver.Store(true)
			again = classesAgain
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(again):
		}
	}
}

// awaited reports whether the first plan waits for the first list.
func (c *storageClasses) awaited() bool { return c != nil && !c.passedOver.Load() && !c.hasSynced() }

// isFixed returns what tells whether a class lets no volume grow; nil where nobody knows. Of a class that is not there it says nothing: the cache may
// be late, or the adapter may have lost the right to read classes. The API server's refusal tells.
func (c *storageClasses) isFixed() func(class string) bool {
	if c == nil {
		return nil
	}
	return func(name string) bool {
		object, _, err := c.GetByKey(name)
		class, known := object.(*storagev1.StorageClass)
		return err == nil && known && !snapshot.Expands(class)
	}
}

// watchClasses queues every set when a class comes, goes, or is changed in what it says of growth: that is rare, and any set may have waited for it.
func (c *Caches) watchClasses(queue func(adapters.Key, Change)) error {
	all := func() {
		for _, scope := range c.scopes {
			for _, name := range scope.sets.ListKeys() {
				if namespace, name, err := cache.SplitMetaNamespaceKey(name); err == nil {
					queue(adapters.Key{Namespace: namespace, Name: name}, Change{})
				}
			}
		}
	}
	_, err := c.classes.informer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(_ any, first bool) {
			if !first {
				all()
			}
		},
		UpdateFunc: func(old, current any) {
			before, _ := old.(*storagev1.StorageClass)
			after, _ := current.(*storagev1.StorageClass)
			if before != nil && after != nil && snapshot.Expands(before) != snapshot.Expands(after) {
				all()
			}
		},
		DeleteFunc: func(any) { all() },
	})
	return err
}

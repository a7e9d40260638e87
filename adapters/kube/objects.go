package kube

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"

	"github.com/setplan/setplan/adapters"
)

// Objects are objects of a cluster, read from its API or from a file.
type Objects struct {
	Sets      Listed[*unstructured.Unstructured]
	Pods      Listed[*corev1.Pod]
	Claims    Listed[*corev1.PersistentVolumeClaim]
	Revisions Listed[*appsv1.ControllerRevision]

	StorageClasses Listed[*storagev1.StorageClass]
}

// Listed are the objects of one kind.
type Listed[T metav1.Object] struct {
	Items []T
	// Complete says that nothing is missing. Only then does the absence of an object count.
	Complete bool
	// Version is the resource version of the list; empty if unknown.
	Version string
}

// NewObjectSource makes a source over objects that do not change. It makes snapshots of them as of a watched cluster. The
// API is asked for the defaults of other kinds than the built-in one alone, and may be nil: then those of a set that is at rest are known.
// LiveSet must not be called: nothing can be applied to a copy.
func NewObjectSource(kind SetKind, objects *Objects, api *API, clock adapters.Clock) (*Source, error) {
	scope, classes := &scopeCache{}, &storageClasses{}
	for _, fill := range []func() error{
		func() (err error) { scope.sets, err = filled(objects.Sets, setIndexers(), lightSet(kind)); return err },
		func() (err error) { scope.pods, err = filled(objects.Pods, podIndexers(), lightPod(kind)); return err },
		func() (err error) {
			scope.claims, err = filled(objects.Claims, claimIndexers(), lightClaim)
			return err
		},
		func() (err error) {
			scope.revisions, err = filled(objects.Revisions, revisionIndexers(), lightRevision)
			return err
		},
		func() (err error) {
			classes.kindCache, err = filled(objects.StorageClasses, cache.Indexers{}, lightClass)
			return err
		},
	} {
		if err := fill(); err != nil {
			return nil, err
		}
	}
	caches := &Caches{kind: kind, scopes: map[string]*scopeCache{metav1.NamespaceAll: scope}, classes: classes}
	return NewSource(kind, caches, api, clock), nil
}

func filled[T metav1.Object](list Listed[T], indexers cache.Indexers, transform cache.TransformFunc) (kindCache, error) {
	store := cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers)
	items := make([]any, len(list.Items))
	for i, item := range list.Items {
		light, err := transform(item)
		if err != nil {
			return kindCache{}, err
		}
		items[i] = light
	}
	if err := store.Replace(items, list.Version); err != nil {
		return kindCache{}, fmt.Errorf("index of what was read: %w", err)
	}
	return kindCache{Indexer: store, hasSynced: func() bool { return list.Complete }}, nil
}

package kube

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
)

// Names of the indexes. Together they answer the snapshot's rules of membership without a walk over the namespace.
const (
	byController = "controller"  // uid of the controller
	byOrphan     = "orphan"      // namespace, of what nobody controls
	byBaseName   = "base-name"   // namespace and name without "-<digits>"
	byNamePrefix = "name-prefix" // namespace and each head of the name that ends before a dash
)

func podIndexers() cache.Indexers {
	return cache.Indexers{
		cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
		byController:         indexOf(controllerUID),
		byBaseName:           indexOf(baseName),
	}
}

func claimIndexers() cache.Indexers {
	return cache.Indexers{byBaseName: indexOf(baseName)}
}

func revisionIndexers() cache.Indexers {
	return cache.Indexers{
		byController: indexOf(controllerUID),
		byOrphan:     indexOf(orphanNamespace),
		byNamePrefix: indexOf(namePrefixes),
	}
}

func setIndexers() cache.Indexers {
	return cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
}

// indexOf makes an index function of one that works on metadata.
func indexOf(values func(metav1.Object) []string) cache.IndexFunc {
	return func(object any) ([]string, error) {
		accessor, err := meta.Accessor(object)
		if err != nil {
			return nil, fmt.Errorf("index: %w", err)
		}
		return values(accessor), nil
	}
}

func controllerUID(object metav1.Object) []string {
	if owner := metav1.GetControllerOfNoCopy(object); owner != nil {
		return []string{string(owner.UID)}
	}
	return nil
}

func orphanNamespace(object metav1.Object) []string {
	if metav1.GetControllerOfNoCopy(object) == nil {
		return []string{object.GetNamespace()}
	}
	return nil
}

func baseName(object metav1.Object) []string {
	if base, _, ok := splitOrdinal(object.GetName()); ok {
		return []string{inNamespace(object.GetNamespace(), base)}
	}
	return nil
}

func namePrefixes(object metav1.Object) []string {
	heads := headsAtDashes(object.GetName())
	for i, head := range heads {
		heads[i] = inNamespace(object.GetNamespace(), head)
	}
	return heads
}

func inNamespace(namespace, name string) string { return namespace + "/" + name }

// union collects the objects under several index values, each once, in no order.
func union[T metav1.Object](indexer cache.Indexer, lookups ...[2]string) ([]T, error) {
	var list []T
	seen := map[types.UID]bool{}
	for _, lookup := range lookups {
		objects, err := indexer.ByIndex(lookup[0], lookup[1])
		if err != nil {
			return nil, fmt.Errorf("index %s: %w", lookup[0], err)
		}
		for _, object := range objects {
			typed, ok := object.(T)
			if ok && !seen[typed.GetUID()] {
				seen[typed.GetUID()] = true
				list = append(list, typed)
			}
		}
	}
	return list, nil
}

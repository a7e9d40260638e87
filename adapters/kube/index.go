package kube

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/setplan/setplan/adapters/snapshot"
)

// Names of the indexes. With them the rules of what is in a snapshot need no walk over the namespace.
const (
	bySet        = "set"         // namespace and name of the controller; namespace and name without "-<digits>"
	byController = "controller"  // uid of the controller
	byOrphan     = "orphan"      // namespace, of objects without a controller
	byBaseName   = "base-name"   // namespace and name without "-<digits>"
	byNamePrefix = "name-prefix" // namespace and each head of the name that ends before a dash
	byClaimBase  = "claim-base"  // of sets: namespace and each name of their claims, without "-<ordinal>"
)

func podIndexers() cache.Indexers {
	return cache.Indexers{
		bySet: indexOf(setNames),
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
	return cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc, byClaimBase: claimBases}
}

// indexOf makes an index function from one that works on metadata.
func indexOf(values func(metav1.Object) []string) cache.IndexFunc {
	return func(object any) ([]string, error) {
		accessor, err := meta.Accessor(object)
		if err != nil {
			return nil, fmt.Errorf("index: %w", err)
		}
		return values(accessor), nil
	}
}

// setNames puts both reasons why a pod is in a set's snapshot into one index: nearly every pod has both, and one lookup costs half
// of two.
func setNames(object metav1.Object) []string {
	names := baseName(object)
	if owner := metav1.GetControllerOfNoCopy(object); owner != nil {
		controller := inNamespace(object.GetNamespace(), owner.Name)
		if len(names) == 0 || names[0] != controller {
			names = append(names, controller)
		}
	}
	return names
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
	if base, _, ok := snapshot.SplitOrdinal(object.GetName()); ok {
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

package kube

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// SetKind is the kind of set that an adapter runs. Anything with the shape of an apps/v1 StatefulSet will do.
type SetKind struct {
	schema.GroupVersionKind
	// Resource is the plural in the API's paths.
	Resource string
}

// StatefulSets is the built-in kind.
func StatefulSets() SetKind {
	return SetKind{
		GroupVersionKind: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "StatefulSet"},
		Resource:         "statefulsets",
	}
}

// GVR is the kind's resource in the API.
func (k SetKind) GVR() schema.GroupVersionResource {
	return k.GroupVersion().WithResource(k.Resource)
}

// APIVersion is the version as in owner references.
func (k SetKind) APIVersion() string { return k.GroupVersion().String() }

package kube

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
)

// SetKind is the kind of set that an adapter runs. Anything with the shape of an apps/v1 StatefulSet will do.
type SetKind struct {
	schema.GroupVersionKind
	// Resource is the plural in the API's paths.
	Resource string
}

// statefulSets is the resource of a kind for which nobody says another one.
const statefulSets = "statefulsets"

// StatefulSets is the built-in kind.
func StatefulSets() SetKind {
	return SetKind{
		GroupVersionKind: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "StatefulSet"},
		Resource:         statefulSets,
	}
}

// GVR is the kind's resource in the API.
func (k SetKind) GVR() schema.GroupVersionResource {
	return k.GroupVersion().WithResource(k.Resource)
}

// Name is the resource with its group, as kubectl takes it.
func (k SetKind) Name() string { return k.GVR().GroupResource().String() }

// APIVersion is the version as in owner references.
func (k SetKind) APIVersion() string { return k.GroupVersion().String() }

// ParseResources reads a list of kinds: each a group and version, and then the resource where that is not "statefulsets". So
// "apps/v1", "example.com/v1", "databases" are two.
func ParseResources(words []string) ([]schema.GroupVersionResource, error) {
	var all []schema.GroupVersionResource
	named := true // the last one has its resource
	for _, word := range words {
		version, err := schema.ParseGroupVersion(word)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%q is neither GROUP/VERSION nor a resource", word)
		case version.Group == "" && named:
			return nil, fmt.Errorf("%q must be GROUP/VERSION or a resource after one", word)
		case version.Group == "":
			all[len(all)-1].Resource, named = word, true
		default:
			all, named = append(all, version.WithResource(statefulSets)), false
		}
	}
	for i, kind := range all {
		switch {
		case kind.Group == "apps" && kind != StatefulSets().GVR():
			return nil, fmt.Errorf("%s in %s cannot be run; of the built-in kinds only apps/v1 can", kind.Resource, kind.GroupVersion())
		case slices.ContainsFunc(all[:i], func(other schema.GroupVersionResource) bool { return other.GroupResource() == kind.GroupResource() }):
			return nil, fmt.Errorf("%s is listed twice", kind.GroupResource())
		}
	}
	return all, nil
}

// Kinds asks the API server what kinds resources have.
func Kinds(config *rest.Config, resources []schema.GroupVersionResource) ([]SetKind, error) {
	kinds := make([]SetKind, len(resources))
	for i, resource := range resources {
		if resource == StatefulSets().GVR() {
			kinds[i] = StatefulSets()
			continue
		}
		found, err := kindOf(config, resource)
		if err != nil {
			return nil, err
		}
		kinds[i] = found
	}
	return kinds, nil
}

func kindOf(config *rest.Config, resource schema.GroupVersionResource) (SetKind, error) {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return SetKind{}, err
	}
	list, err := client.ServerResourcesForGroupVersion(resource.GroupVersion().String())
	if err != nil {
		return SetKind{}, fmt.Errorf("looking for %s in %s: %w; is its CustomResourceDefinition installed?", resource.Resource, resource.GroupVersion(), err)
	}
	found := SetKind{Resource: resource.Resource}
	status := false
	for _, r := range list.APIResources {
		name, sub, _ := strings.Cut(r.Name, "/")
		switch {
		case name != resource.Resource:
		case sub == "status":
			status = true
		case sub == "" && r.Namespaced:
			found.GroupVersionKind = resource.GroupVersion().WithKind(r.Kind)
		}
	}
	switch {
	case found.Kind == "":
		return found, fmt.Errorf("the API server serves no namespaced resource %s in %s", resource.Resource, resource.GroupVersion())
	case !status:
		return found, fmt.Errorf("%s in %s have no status subresource", resource.Resource, resource.GroupVersion())
	}
	return found, nil
}

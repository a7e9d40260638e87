package cli

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli/convert"
)

// ownKind is the kind that runs beside the built-in controller.
var ownKind = kube.SetKind{GroupVersionKind: convert.Own.GroupVersionKind, Resource: convert.Own.GVR().Resource}

// kindNames are the words that kubectl accepts for the built-in kind, before the slash; ownNames are those for our own.
var (
	kindNames = []string{"statefulset", "statefulsets", "sts", "statefulset.apps", "statefulsets.apps", "statefulset.v1.apps", "statefulsets.v1.apps"}
	ownNames  = []string{"ssts", "statefulset.apps.setplan.io", "statefulsets.apps.setplan.io", "statefulset.v1beta1.apps.setplan.io",
		"statefulsets.v1beta1.apps.setplan.io"}
)

// kindCalled is the kind that a word before the slash means; none is apps/v1. The API server knows the kinds that this program does not.
func (o *options) kindCalled(word string) (kube.SetKind, error) {
	word = strings.ToLower(word)
	switch {
	case word == "" || slices.Contains(kindNames, word):
		return kube.StatefulSets(), nil
	case slices.Contains(ownNames, word):
		return ownKind, nil
	case o.file != "":
		return kube.SetKind{}, fmt.Errorf("%q: from a file, only sets of %s (sts) and %s (ssts) can be read", word, kube.StatefulSets().APIVersion(), ownKind.APIVersion())
	}
	mapper, err := o.kube.ToRESTMapper()
	if err != nil {
		return kube.SetKind{}, err
	}
	whole, found := schema.ParseResourceArg(word)
	resource, err := mapper.ResourceFor(found.WithVersion(""))
	if err != nil && whole != nil {
		resource, err = mapper.ResourceFor(*whole)
	}
	if err != nil {
		return kube.SetKind{}, apiError(err)
	}
	if builtIn(resource.Group) && resource != kube.StatefulSets().GVR() {
		return kube.SetKind{}, fmt.Errorf("%s is %w", resource.GroupResource(), errNoSet)
	}
	kind, err := mapper.KindFor(resource)
	return kube.SetKind{GroupVersionKind: kind, Resource: resource.Resource}, err
}

// kindOf is the kind of a set, with the resource that an API server has it under.
func (o *options) kindOf(set *unstructured.Unstructured) (kube.SetKind, error) {
	gvk := set.GroupVersionKind()
	switch gvk {
	case kube.StatefulSets().GroupVersionKind:
		return kube.StatefulSets(), nil
	case ownKind.GroupVersionKind:
		return ownKind, nil
	}
	mapper, err := o.kube.ToRESTMapper()
	if err != nil {
		return kube.SetKind{}, err
	}
	mapping, err := mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if err != nil {
		return kube.SetKind{}, apiError(err)
	}
	return kube.SetKind{GroupVersionKind: gvk, Resource: mapping.Resource.Resource}, nil
}

// builtIn reports whether the API server brings a group along.
func builtIn(group string) bool {
	return !strings.Contains(group, ".") || strings.HasSuffix(group, ".k8s.io")
}

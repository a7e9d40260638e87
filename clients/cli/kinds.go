package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/resource"

	"github.com/setplan/setplan/adapters/kube"
)

// anySet is a set of any kind as an API server has it, with the resource that it is found under.
type anySet struct {
	*unstructured.Unstructured
	resource schema.GroupVersionResource
}

// someSetsOfAnyKind says of the arguments what is missing.
func someSetsOfAnyKind(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("required resource not specified: %s takes the names of sets, such as sts/web", c.CommandPath())
	}
	return nil
}

// anySets reads the sets that arguments name. The API server knows the kinds and their short names.
func (o *options) anySets(ctx context.Context, args []string) ([]anySet, error) {
	namespace, err := o.namespace()
	if err != nil {
		return nil, err
	}
	names := make([]string, len(args))
	for i, arg := range args {
		if names[i], err = typed(arg); err != nil {
			return nil, err
		}
	}
	infos, err := resource.NewBuilder(o.kube).Unstructured().NamespaceParam(namespace).DefaultNamespace().
		ResourceTypeOrNameArgs(true, names...).Latest().Flatten().Do().Infos()
	if err != nil {
		return nil, apiError(err)
	}
	sets := make([]anySet, 0, len(infos))
	for _, info := range infos {
		set := anySet{info.Object.(*unstructured.Unstructured), info.Mapping.Resource}
		if err := set.check(); err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	return sets, ctx.Err()
}

// setsThrough is anySets, with clients of the cluster that they are from.
func (o *options) setsThrough(ctx context.Context, args []string) ([]anySet, *kube.Clients, error) {
	sets, err := o.anySets(ctx, args)
	if err != nil {
		return nil, nil, err
	}
	clients, err := o.clients()
	return sets, clients, err
}

// typed is an argument with the kind before the name: without one it is apps/v1's, as everywhere in this program.
func typed(arg string) (string, error) {
	kind, name, is := strings.Cut(arg, "/")
	switch {
	case !is && arg != "":
		return kube.StatefulSets().GVR().GroupResource().String() + "/" + arg, nil
	case name == "" || kind == "" || strings.Contains(name, "/"):
		return "", fmt.Errorf("%q is not the name of a set; write web, sts/web or statefulsets.apps.example.com/web", arg)
	}
	return arg, nil
}

// errNoSet is of an object that is no StatefulSet of any kind.
var errNoSet = errors.New("not a StatefulSet, nor of a kind that has its spec")

// check refuses what only looks like a set. Of the built-in kinds only StatefulSet keeps its history as sets do; others carry its spec.
func (s anySet) check() error {
	_, template, _ := unstructured.NestedMap(s.Object, "spec", "template")
	_, selector, _ := unstructured.NestedMap(s.Object, "spec", "selector")
	if builtIn(s.resource.Group) && s.resource.GroupResource() != kube.StatefulSets().GVR().GroupResource() || !template || !selector {
		return fmt.Errorf("%s %q is %w", s.resource.GroupResource(), s.GetName(), errNoSet)
	}
	return nil
}

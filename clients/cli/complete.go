package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli/world"
)

// completeSets offers the names of sets that match the flags so far, of the kind that was begun with, such as ssts/; without one, of apps/v1.
// A shell waits for it, so it gives up soon.
func (o *options) completeSets(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(c.Context(), 3*time.Second)
	defer cancel()
	prefix, word := "", ""
	if kind, _, typed := strings.Cut(begun, "/"); typed {
		prefix, word = kind+"/", kind
	}
	kind, err := o.kindCalled(word)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	keys, err := o.setsThere(ctx, kind)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, key := range keys {
		if name := prefix + key.Name; strings.HasPrefix(name, begun) && !contains(args, key.Name) {
			names = append(names, name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// contains reports whether an argument already names a set.
func contains(args []string, name string) bool {
	return slices.ContainsFunc(args, func(arg string) bool { return arg[strings.LastIndex(arg, "/")+1:] == name })
}

// setsThere lists the sets of a kind in the namespace that the flags lead to.
func (o *options) setsThere(ctx context.Context, kind kube.SetKind) ([]adapters.Key, error) {
	namespace, err := o.namespace()
	if err != nil {
		return nil, err
	}
	if o.file != "" {
		w, err := world.ReadFile(o.file, o.config.Streams.In, kind)
		if err != nil {
			return nil, err
		}
		return w.Keys(namespace), nil
	}
	clients, err := o.clients()
	if err != nil {
		return nil, err
	}
	keys, err := world.NewCluster(clients, kind).Keys(ctx, namespace)
	if err != nil {
		return nil, apiError(err)
	}
	return keys, nil
}

// completeOutput offers the values of --output.
func (o *options) completeOutput(c *cobra.Command) {
	err := c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(
		[]string{outputWide, outputName, outputJSON, outputYAML}, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // possible only for an unknown flag
	}
}

package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/world"
)

// completeSets offers the names of sets that match the flags so far. A shell waits for it, so it gives up soon.
func (o *options) completeSets(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(c.Context(), 3*time.Second)
	defer cancel()
	keys, err := o.setsThere(ctx)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	prefix := ""
	if kind, _, typed := strings.Cut(begun, "/"); typed {
		prefix = kind + "/"
	}
	var names []string
	for _, key := range keys {
		if name := prefix + key.Name; strings.HasPrefix(name, begun) && !contains(args, key.Name) {
			names = append(names, name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeAnySets offers the names of the sets of the kind that was begun with, such as ssts/; without one, of apps/v1.
func (o *options) completeAnySets(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	kind, _, typed := strings.Cut(begun, "/")
	if !typed {
		return o.completeSets(c, args, begun)
	}
	ctx, cancel := context.WithTimeout(c.Context(), 3*time.Second)
	defer cancel()
	sets, err := o.setsOf(ctx, kind)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, set := range sets {
		if name := kind + "/" + set.GetName(); strings.HasPrefix(name, begun) && !slices.Contains(args, name) {
			names = append(names, name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// contains reports whether an argument already names a set.
func contains(args []string, name string) bool {
	for _, arg := range args {
		if named, err := setName(arg); err == nil && named == name {
			return true
		}
	}
	return false
}

func (o *options) setsThere(ctx context.Context) ([]adapters.Key, error) {
	namespace, err := o.namespace()
	if err != nil {
		return nil, err
	}
	if o.file != "" {
		w, err := world.ReadFile(o.file, o.config.Streams.In)
		if err != nil {
			return nil, err
		}
		return w.Keys(namespace), nil
	}
	clients, err := o.clients()
	if err != nil {
		return nil, err
	}
	keys, err := world.NewCluster(clients).Keys(ctx, namespace)
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

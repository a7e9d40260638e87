package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/setplan/setplan/clients/cli/convert"
)

func convertCommand(o *options, program string) *cobra.Command {
	to := ""
	c := &cobra.Command{
		Use:   "convert SET",
		Short: "Show how to move a set to another kind without a restart",
		Long: `Shows how to move a set from apps/v1 to apps.setplan.io/v1beta1, which Setplan runs beside the built-in controller, and back, or to
either from the StatefulSets of apps.kruise.io and apps.pingcap.com. It shows problems, the most dangerous first, and then the
commands in order. It writes nothing.

Read the preflight, resolve every finding that says stop, then run the commands one after another. No pod restarts, and no claim or
revision is lost, even if you are interrupted between two commands.

-o yaml prints only the new manifest, -o json everything.`,
		Example: `  setplan convert sts/web

  # back
  setplan convert ssts/web

  # the manifest alone
  setplan convert sts/web -o yaml`,
		Args:              oneSet,
		ValidArgsFunction: o.completeSets,
		RunE:              func(c *cobra.Command, args []string) error { return o.runConvert(c.Context(), args[0], to, program) },
	}
	c.Flags().StringVar(&to, "to", "", "the kind to move to: apps.setplan.io/v1beta1 or apps/v1; empty is apps/v1 for a set of apps.setplan.io, else apps.setplan.io/v1beta1")
	c.Flags().StringVarP(&o.output, "output", "o", "", "yaml for the manifest, json for everything; empty is text for people")
	return c
}

func (o *options) runConvert(ctx context.Context, arg, to, program string) error {
	switch o.output {
	case "", outputJSON, outputYAML:
	default:
		return fmt.Errorf("--output is %q, must be %s or %s", o.output, outputJSON, outputYAML)
	}
	sets, clients, err := o.setsThrough(ctx, []string{arg})
	if err != nil {
		return err
	}
	c := &convert.Case{Set: sets[0].Unstructured, Now: time.Now(), Program: program}
	if c.Cluster, err = o.clusterFlags(); err != nil {
		return err
	}
	if c.From, err = convert.KindOf(c.Set.GroupVersionKind()); err != nil {
		return err
	}
	if c.To, err = convert.Target(c.From, to); err != nil {
		return err
	}
	if err := convert.Read(ctx, clients.Dynamic, c); err != nil {
		return apiError(err)
	}
	return o.printConversion(convert.Make(c))
}

func (o *options) printConversion(r *convert.Result) error {
	switch o.output {
	case outputJSON:
		return o.printValue(r)
	case outputYAML:
		if n := r.Stops(); n > 0 {
			o.note("the preflight says stop (%d); run this without -o yaml to read it", n)
		}
		return o.printValue(r.Manifest)
	default:
		return convert.Text(o.text(), r)
	}
}

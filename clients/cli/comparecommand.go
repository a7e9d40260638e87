package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/compare"
	"github.com/setplan/setplan/clients/cli/world"
)

func compareCommand(o *options) *cobra.Command {
	var length, grace time.Duration
	c := &cobra.Command{
		Use:   "compare [SET...]",
		Short: "Watch sets that another controller runs, and report what the planner would have done differently",
		Long: `Watches sets that another controller runs, such as the one of Kubernetes, and asks the planner about them whenever something
changes. At the end it reports what the other controller did and the planner would not have done, and what the planner
would have done and the other controller did not. It writes nothing.

It reports only what happens while it runs, because a cluster keeps no record of earlier states. It ends after --for, or with Ctrl-C, and then
reports what it has seen so far. Sets that are created later are not watched.

The exit code is 0 if nothing differs, 2 if something does, and 1 if some set could not be compared.`,
		Example: `  # an hour beside the controller that runs the sets now
  setplan compare -A

  # the same for our own kind, whoever runs its sets
  setplan compare -A ssts/

  # one set, during a rollout
  setplan compare web --for 10m

  # for a program
  setplan compare -l team=data --for 1h -o json`,
		ValidArgsFunction: o.completeSets,
		RunE:              func(c *cobra.Command, args []string) error { return o.runCompare(c.Context(), args, length, grace) },
	}
	flags := c.Flags()
	flags.BoolVarP(&o.allNamespaces, "all-namespaces", "A", false, "include the sets of all namespaces")
	flags.StringVarP(&o.selector, "selector", "l", "", "include only sets whose labels match, such as app=web,tier!=cache")
	flags.DurationVar(&length, "for", time.Hour, "how long to watch from now on, such as 10m")
	flags.DurationVar(&grace, "grace", 10*time.Second, "how far apart the two may take the same action")
	flags.StringVarP(&o.output, "output", "o", "", "json or yaml; empty is text for people")
	o.completeOutput(c)
	return c
}

// differing is the result of compare if the controllers differ.
type differing struct{ sets int }

func (d *differing) Error() string {
	return fmt.Sprintf("the planner would have done something differently: sets %d", d.sets)
}

func (o *options) runCompare(ctx context.Context, args []string, length, grace time.Duration) error {
	switch {
	case o.output != "" && !o.machine():
		return fmt.Errorf("--output is %q, must be %s or %s", o.output, outputJSON, outputYAML)
	case length <= 0 || grace <= 0:
		return errors.New("--for and --grace must be positive")
	}
	p, err := o.newPlanner()
	if err != nil {
		return err
	}
	defer p.close()
	c, err := o.newComparison(ctx, args, p, grace)
	if err != nil {
		return err
	}
	within, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	if err := c.run(within, length); err != nil {
		return err
	}
	report := c.report()
	if o.machine() {
		err = o.printValue(report)
	} else {
		err = compare.Text(o.text(), o.style(), report)
	}
	switch {
	case err != nil:
		return err
	case report.Compared() < len(report.Sets):
		return errNotCompared
	case report.Differ() > 0:
		return &differing{report.Differ()}
	}
	return nil
}

// newComparison chooses the sets and asks the planner for its release, so that what is wrong is known at once.
func (o *options) newComparison(ctx context.Context, args []string, p *planner, grace time.Duration) (*comparison, error) {
	q, err := o.question(args)
	if err != nil {
		return nil, err
	}
	namespace, err := o.namespace()
	if err != nil {
		return nil, err
	}
	version, err := p.version(ctx)
	if err != nil {
		return nil, err
	}
	clients, err := o.clients()
	if err != nil {
		return nil, err
	}
	w, err := world.NewCluster(clients, q.kind).ReadSets(ctx, namespace)
	if err != nil {
		return nil, apiError(err)
	}
	keys, err := o.chosen(w, namespace, q.sought)
	if err != nil {
		return nil, o.orElsewhere(ctx, q.sought, err)
	}
	c := &comparison{options: o, kind: q.kind, namespace: namespace, keys: keys, planner: p, version: version, behavior: q.behavior,
		grace: grace, events: clients.Core, sets: map[adapters.Key]*comparedSet{}, due: map[adapters.Key]bool{}, traces: map[string]compare.Trace{}}
	for _, key := range keys {
		if err := (anySet{w.Set(key), q.kind.GVR()}).check(); err != nil {
			return nil, err
		}
		c.sets[key] = &comparedSet{Set: compare.NewSet(key.String(), grace)}
		c.due[key] = true
	}
	return c, nil
}

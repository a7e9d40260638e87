package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/show"
)

func planCommand(o *options) *cobra.Command {
	c := &cobra.Command{
		Use:   "plan [SET...]",
		Short: "Show the next actions of sets, in order, and what is held back",
		Long: `Shows what the planner would do to sets now: the next actions, stage by stage and in order, each with its cause, and what is
held back. The actions under one dash run one after another; dashes run in parallel.

-o wide adds ids, preconditions and checksums of what is created. -o json and -o yaml print the Plan message of one set,
with complete manifests, including any plain-text secrets in the set's template.`,
		Example: `  # the sets of the namespace
  setplan plan

  # one set, with ids and preconditions
  setplan plan sts/web -o wide

  # without a cluster, as of a given time
  kubectl get sts,pods,pvc,controllerrevisions,storageclasses -o yaml > web.yaml
  setplan plan web -f web.yaml --at 2026-01-31T12:00:00Z

  # ask a server instead of the planner in this program
  setplan plan web --planner-address planner.example:7450 --planner-ca-file ca.pem`,
		ValidArgsFunction: o.completeSets,
		RunE:              func(c *cobra.Command, args []string) error { return o.runPlan(c.Context(), args) },
	}
	o.registerReading(c.Flags())
	o.registerOutput(c.Flags())
	o.completeOutput(c)
	return c
}

func (o *options) runPlan(ctx context.Context, args []string) error {
	if err := o.checkOutput(); err != nil {
		return err
	}
	s, err := o.open(ctx, args)
	if err != nil {
		return err
	}
	if o.machine() {
		if err := onlyOne(s.keys, o.output); err != nil {
			return err
		}
	}
	return s.each(ctx, func(key adapters.Key, answer exchange) error {
		if o.machine() {
			return o.printMessage(answer.plan)
		}
		if o.output == outputName {
			return o.printName(s.kind, key, answer.plan.GetConverged())
		}
		return show.Plan(o.text(), o.style(), key.String(), answer.plan, show.Updates(answer.request.GetSnapshot(), answer.plan), s.at)
	})
}

package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/why"
)

func whyCommand(o *options, program string) *cobra.Command {
	var exitCode bool
	c := &cobra.Command{
		Use:   "why [SET...]",
		Short: "Explain what sets wait for, since when, and what would help",
		Long: `Explains what sets wait for, root cause first. Each reason comes with evidence from the cluster (states of containers, nodes
and claims, warnings) and with a remedy. A word in capitals in a command is for you to fill in.

The exit code is 0 if there is an answer, and 1 if there is none. With --exit-code it is 2 if a set needs manual action,
that is, if a reason has the severity "attention".`,
		Example: `  # why does web not make progress?
  setplan why web

  # without a cluster; events and nodes are used if they are in the file
  kubectl get sts,pods,pvc,controllerrevisions,storageclasses,events,nodes -o yaml | setplan why web -f -

  # for a program
  setplan why web -o json

  # the names of the sets that are not in the desired state
  setplan why -o name

  # does a set of this team need attention?
  setplan why -A -l team=data --exit-code`,
		ValidArgsFunction: o.completeSets,
		RunE:              func(c *cobra.Command, args []string) error { return o.runWhy(c.Context(), args, program, exitCode) },
	}
	o.registerReading(c.Flags())
	c.Flags().BoolVar(&exitCode, "exit-code", false, "exit with 2 if a set needs manual action")
	o.registerOutput(c.Flags())
	o.completeOutput(c)
	return c
}

func (o *options) runWhy(ctx context.Context, args []string, program string, exitCode bool) error {
	if err := o.checkOutput(); err != nil {
		return err
	}
	s, err := o.open(ctx, args)
	if err != nil {
		return err
	}
	reports, waiting := []*why.Report{}, &needed{}
	err = s.each(ctx, func(key adapters.Key, answer exchange) error {
		if s.cluster != nil {
			s.cluster.Witness(ctx, s.world, key)
		}
		report := why.Explain(&why.Case{World: s.world, Key: key, Snapshot: answer.request.GetSnapshot(), Plan: answer.plan,
			Dated: s.cluster != nil || o.at != "", Flags: o.givenFlags(), Program: program, PlanAt: s.earlier(ctx, answer.request)})
		if report.NeedsSomebody() {
			waiting.sets = append(waiting.sets, key)
		}
		if o.output == outputName {
			return o.printName(s.kind, key, report.Converged && !report.Waits())
		}
		reports = append(reports, report)
		return nil
	})
	s.notes(o)
	if err != nil {
		return err
	}
	if err := o.printReports(reports); err != nil {
		return err
	}
	if exitCode && len(waiting.sets) > 0 {
		return waiting
	}
	return nil
}

func (o *options) printReports(reports []*why.Report) error {
	if o.machine() {
		return o.printValue(reports)
	}
	for _, report := range reports {
		if err := why.Text(o.text(), o.style(), report); err != nil {
			return err
		}
	}
	return nil
}

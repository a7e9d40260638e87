package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/setplan/setplan/clients/cli/show"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// forecastOptions are the flags of forecast alone.
type forecastOptions struct {
	manifest    string // -f
	back        bool   // --to-revision was given
	toRevision  int64
	pessimistic bool
	exitCode    bool
	oldPlanner  string // --old-planner-address
	recording   string
}

func forecastCommand(o *options) *cobra.Command {
	f := &forecastOptions{}
	c := &cobra.Command{
		Use:   "forecast [SET...]",
		Short: "Show what a rollout would do, before it starts",
		Long: `Runs the rollout of a set to its end without writing anything: which pods restart and in which order, how many are unavailable
at once at most, which claims are created, changed and deleted, what cannot be undone, and whether the rollout ends or gets stuck, and on what.

-f names the manifest of the set after the change. The API server sets defaults and validates it as for "kubectl replace", in a dry run
that stores nothing; a manifest without spec.replicas keeps the live number. --to-revision forecasts "setplan rollout undo
--to-revision"; 0 is the previous revision. Without either, the forecast continues from the current state.

A forecast does not see inside nodes: it assumes how long pods take to become ready and to stop, and lists these assumptions. It assumes that
pods that are not ready stay unready, and that a revision stays broken if none of its pods has ever been ready; so does one that differs from it only in labels.

The exit code is 0 if there is an answer, and 1 if there is none. With --exit-code it is 2 if pods or containers restart,
3 if the rollout does not end, and 4 if undrained claims are deleted.

With --old-planner-address, the command shows whether an upgrade of Setplan would restart anything: it sends each request to two planners, the old one and
that of --planner-address, and shows where their forecasts differ. The exit code is 5 if the new one deletes pods or claims, or restarts containers, that the
old one leaves alone. "embedded" is the planner in this program. The other --planner flags apply to both. Sets are chosen by name, by selector, or all, as
for plan; with --recording they are the entries of a recording.`,
		Example: `  # what would this change do?
  setplan forecast -f web.yaml

  # what is still to come of the rollout that runs?
  setplan forecast web

  # what would a rollback do?
  setplan forecast web --to-revision=3

  # in CI: fail if the change restarts anything, blocks or deletes data
  setplan forecast -f web.yaml --exit-code

  # in CI: fail if this release restarts what the planner of the cluster leaves
  setplan forecast -A --old-planner-address planner.example:7450 --planner-ca-file ca.pem

  # the same, with a recording
  setplan forecast --recording web.rec --old-planner-address localhost:7450

  # without a cluster
  kubectl get sts,pods,pvc,controllerrevisions,storageclasses -o yaml > now.yaml
  setplan forecast -f web.yaml --objects now.yaml`,
		ValidArgsFunction: o.completeSets,
		RunE: func(c *cobra.Command, args []string) error {
			f.back = c.Flags().Changed("to-revision")
			if f.oldPlanner != "" {
				return o.runUpgrade(c.Context(), args, f)
			}
			return o.runForecast(c.Context(), args, f)
		},
	}
	flags := c.Flags()
	flags.VarP(oneFile{&f.manifest}, "filename", "f", "the manifest of the set after the change; - is standard input")
	flags.Int64Var(&f.toRevision, "to-revision", 0, "the revision to go back to, as for rollout undo; 0 is the previous one")
	flags.Var(oneFile{&o.file}, "objects", "read the cluster's objects from this file, the output of kubectl get, instead of a cluster")
	flags.StringVar(&o.at, "at", "", "the time to start at, such as 2026-01-31T12:00:00Z; empty is now")
	flags.BoolVar(&f.pessimistic, "pessimistic", false, "also try every order in which pods can become ready and stop, for sets of up to 5 pods")
	flags.BoolVar(&f.exitCode, "exit-code", false, "exit with 2, 3 or 4 if pods or containers restart, the rollout does not end, or data is deleted")
	flags.StringVar(&f.oldPlanner, "old-planner-address", "", "compare the forecasts of the planner at this address, or embedded, with those of --planner-address")
	flags.Var(oneFile{&f.recording}, "recording", "with --old-planner-address: forecast from the entries of this recording, made by setplan record; - is standard input")
	flags.BoolVarP(&o.allNamespaces, "all-namespaces", "A", false, "with --old-planner-address: include the sets of all namespaces")
	flags.StringVarP(&o.selector, "selector", "l", "", "with --old-planner-address: include only sets whose labels match, such as app=web,tier!=cache")
	flags.StringVarP(&o.output, "output", "o", "", "wide, json or yaml; empty is text for people")
	o.completeOutput(c)
	return c
}

// errOneSet is for a forecast of nothing in particular.
var errOneSet = errors.New("forecast takes the name of one set, such as sts/web, or -f with its manifest")

func (o *options) runForecast(ctx context.Context, args []string, f *forecastOptions) error {
	if err := o.checkOutput(); err != nil {
		return err
	}
	switch {
	case o.allNamespaces || o.selector != "" || f.recording != "":
		return errors.New("--all-namespaces, --selector and --recording compare two planners: add --old-planner-address")
	case len(args) > 1:
		return errOneSet
	case f.back && f.manifest != "":
		return errors.New("give either -f or --to-revision, not both")
	case f.toRevision < 0:
		return fmt.Errorf("unable to find specified revision %v in history", f.toRevision)
	}
	edit, err := o.readEdit(f.manifest, args)
	if err != nil {
		return err
	}
	switch {
	case edit != nil:
		args = []string{edit.argument}
	case len(args) == 0:
		return errOneSet
	}
	s, err := o.open(ctx, args)
	if err != nil {
		return err
	}
	defer s.planner.close()
	if err := onlyOne(s.keys, o.output); err != nil {
		return err
	}
	switch {
	case edit != nil:
		err = s.take(ctx, o, edit)
	case f.back:
		err = s.goBack(ctx, o, f.toRevision)
	}
	if err != nil {
		return err
	}
	key := s.keys[0]
	answer, err := s.asker.ask(ctx, key)
	if err != nil {
		return err
	}
	steps, result, err := s.planner.forecast(ctx, &setplanv1.ForecastRequest{Start: answer.request, Pessimistic: f.pessimistic})
	if err != nil {
		return err
	}
	if err := o.printForecast(key.String(), steps, result); err != nil {
		return err
	}
	if code := show.ForecastCode(result); f.exitCode && code != 0 {
		return &foreseen{key, code}
	}
	return nil
}

func (o *options) printForecast(name string, steps []*setplanv1.ForecastStep, result *setplanv1.ForecastResult) error {
	if o.machine() {
		return o.printMessage(result)
	}
	return show.Forecast(o.text(), o.style(), name, steps, result)
}

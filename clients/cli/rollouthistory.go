package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/setplan/setplan/clients/cli/rollout"
)

func rolloutHistoryCommand(o *options) *cobra.Command {
	var number int64
	c := &cobra.Command{
		Use:   "history SET...",
		Short: "View rollout history",
		Long: `Lists the revisions of a set, as kubectl rollout history does, or with --revision shows the pod template of one. The cause is the value
of the set's annotation kubernetes.io/change-cause when the revision was created.`,
		Example: `  setplan rollout history ssts/web

  # what undo --to-revision=3 would go back to
  setplan rollout history ssts/web --revision=3`,
		Args:              someSetsOfAnyKind,
		ValidArgsFunction: o.completeSets,
		RunE:              func(c *cobra.Command, args []string) error { return o.runRolloutHistory(c.Context(), args, number) },
	}
	c.Flags().Int64Var(&number, "revision", 0, "show the pod template of this revision")
	return c
}

func (o *options) runRolloutHistory(ctx context.Context, args []string, number int64) error {
	if number < 0 {
		return fmt.Errorf("revision must be a positive integer: %v", number)
	}
	sets, clients, err := o.setsThrough(ctx, args)
	if err != nil {
		return err
	}
	for _, set := range sets {
		history, err := rollout.History(ctx, clients.Apps, set.Unstructured)
		if err != nil {
			return apiError(err)
		}
		said, err := historyText(history, number)
		if err != nil {
			return err
		}
		if err := o.printed(set, said); err != nil {
			return err
		}
	}
	return nil
}

// historyText returns what follows the name of a set.
func historyText(history []*appsv1.ControllerRevision, number int64) (string, error) {
	if number == 0 || len(history) == 0 {
		return "\n" + rollout.Table(history), nil
	}
	revision, err := rollout.Find(history, number)
	if err != nil {
		return "", errors.New("unable to find the specified revision")
	}
	template, err := rollout.Template(revision)
	if err != nil {
		return "", err
	}
	text, err := rollout.Describe(template)
	return fmt.Sprintf("with revision #%d\n%s", number, text), err
}

// printed prints the name of a set and a text about it, as kubectl does.
func (o *options) printed(set anySet, said string) error {
	return (&printers.NamePrinter{Operation: said}).PrintObj(set.Unstructured, o.text())
}

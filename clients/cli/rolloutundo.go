package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli/rollout"
)

// undoing holds the flags of rollout undo.
type undoing struct {
	to     int64
	dryRun string
}

func rolloutUndoCommand(o *options) *cobra.Command {
	u := undoing{}
	c := &cobra.Command{
		Use:   "undo SET...",
		Short: "Undo a previous rollout",
		Long: `Writes the pod template of an earlier revision into the set, as kubectl rollout undo does: of the previous one, or of the one that
--to-revision names. It changes nothing else in the set. A paused set stays paused until rollout resume.`,
		Example: `  setplan rollout undo ssts/web

  # go back to revision 3, after a look at it
  setplan rollout undo ssts/web --to-revision=3 --dry-run=client
  setplan rollout undo ssts/web --to-revision=3`,
		Args:              someSetsOfAnyKind,
		ValidArgsFunction: o.completeSets,
		RunE:              func(c *cobra.Command, args []string) error { return o.runRolloutUndo(c.Context(), args, u) },
	}
	c.Flags().Int64Var(&u.to, "to-revision", 0, "the revision to go back to; 0 is the previous one")
	c.Flags().StringVar(&u.dryRun, "dry-run", dryRunNone, `"client" shows the template and sends nothing, "server" lets the API server validate it without storing it, "none" writes`)

	return c
}

// The values of --dry-run.
const (
	dryRunNone   = "none"
	dryRunClient = "client"
	dryRunServer = "server"
)

// afterDryRun is what kubectl appends to the line of a dry run.
var afterDryRun = map[string]string{dryRunNone: "", dryRunClient: " (dry run)", dryRunServer: " (server dry run)"}

func (o *options) runRolloutUndo(ctx context.Context, args []string, u undoing) error {
	switch _, known := afterDryRun[u.dryRun]; {
	case !known:
		return fmt.Errorf("--dry-run is %q, must be none, server or client", u.dryRun)
	case u.to < 0:
		return fmt.Errorf("unable to find specified revision %v in history", u.to)
	}
	sets, clients, err := o.setsThrough(ctx, args)
	if err != nil {
		return err
	}
	for _, set := range sets {
		if _, applied := set.GetAnnotations()[corev1.LastAppliedConfigAnnotation]; applied {
			fmt.Fprintf(o.config.Streams.ErrOut, "Warning: resource %s/%s was previously managed with 'kubectl apply'. Rolling back will not update the %s annotation, "+
				"which may cause unexpected behavior on future 'kubectl apply' operations. Consider using 'kubectl apply' with your previous configuration file instead.\n",
				set.resource.Resource, set.GetName(), corev1.LastAppliedConfigAnnotation)
		}
		said, err := undo(ctx, clients, set, u)
		if err != nil {
			return err
		}
		if err := o.printed(set, said+afterDryRun[u.dryRun]); err != nil {
			return err
		}
	}
	return nil
}

// undo goes back to a revision and says so.
func undo(ctx context.Context, clients *kube.Clients, set anySet, u undoing) (string, error) {
	history, err := rollout.History(ctx, clients.Apps, set.Unstructured)
	if err != nil {
		return "", apiError(err)
	}
	back, err := rollout.Back(set.Unstructured, history, u.to)
	switch {
	case err != nil:
		return "", err
	case u.dryRun == dryRunClient:
		return rollout.Describe(back.Template)
	case back.There:
		return fmt.Sprintf("skipped rollback (current template already matches revision %d)", u.to), nil
	}
	options := metav1.PatchOptions{FieldManager: rolloutManager}
	if u.dryRun == dryRunServer {
		options.DryRun = []string{metav1.DryRunAll}
	}
	if _, err := set.patch(ctx, clients, back.Patch, options); err != nil {
		return "", fmt.Errorf("failed restoring revision %d: %w", u.to, err)
	}
	return "rolled back", nil
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli/rollout"
)

// rolloutManager is the name under which managed fields show what these commands have written.
const rolloutManager = "setplan-rollout"

// change is a subcommand that patches a set. make returns needed = false if the set is already as wanted.
type change struct {
	done, already string
	make          func(set *unstructured.Unstructured) (patch rollout.Patch, needed bool, err error)
}

func rolloutRestartCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "restart SET...",
		Short: "Restart a resource",
		Long: `Restarts the pods of a set as kubectl rollout restart does: it sets the annotation kubectl.kubernetes.io/restartedAt in the pod
template. Under OnDelete nothing happens until you delete pods, and a paused set waits for rollout resume.`,
		Example:           `  setplan rollout restart ssts/web`,
		Args:              someSetsOfAnyKind,
		ValidArgsFunction: o.completeSets,
		RunE: func(c *cobra.Command, args []string) error {
			return o.runChange(c.Context(), args, change{done: "restarted", make: func(set *unstructured.Unstructured) (rollout.Patch, bool, error) {
				patch, needed, err := rollout.Restart(set, time.Now())
				if err == nil && !needed {
					err = fmt.Errorf("failed to create patch for %v: if restart has already been triggered within the past second, please wait before attempting to trigger another", set.GetName())
				}
				return patch, needed, err
			}})
		},
	}
}

// pauseModes are the values of setplan.io/pause.
var pauseModes = []string{"Updates", "HealOnly", "All"}

func rolloutPauseCommand(o *options) *cobra.Command {
	mode := pauseModes[0]
	c := &cobra.Command{
		Use:   "pause SET...",
		Short: "Mark the provided resource as paused",
		Long: `Pauses a rollout: it sets the annotation setplan.io/pause of the set, or the field spec.pause if that is in use, to --mode. Updates holds
back updates, HealOnly also scale-downs, and All every write to pods and claims. rollout resume removes both.

kubectl rollout pause refuses StatefulSets, and the built-in controller ignores the annotation, so only sets that Setplan runs are
paused.`,
		Example: `  setplan rollout pause ssts/web

  # nothing is done to pods and claims
  setplan rollout pause ssts/web --mode All`,
		Args:              someSetsOfAnyKind,
		ValidArgsFunction: o.completeSets,
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains(pauseModes, mode) {
				return fmt.Errorf("--mode is %q, must be Updates, HealOnly or All", mode)
			}
			return o.runChange(c.Context(), args, change{"paused", "already paused", func(set *unstructured.Unstructured) (rollout.Patch, bool, error) {
				return rollout.Pause(set, mode)
			}})
		},
	}
	c.Flags().StringVar(&mode, "mode", mode, "what to hold back: Updates, HealOnly or All")
	return c
}

func rolloutResumeCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:               "resume SET...",
		Short:             "Resume a paused resource",
		Long:              "Resumes a paused rollout: it removes the annotation setplan.io/pause and the field spec.pause of the set, whatever their mode.",
		Example:           `  setplan rollout resume ssts/web`,
		Args:              someSetsOfAnyKind,
		ValidArgsFunction: o.completeSets,
		RunE: func(c *cobra.Command, args []string) error {
			return o.runChange(c.Context(), args, change{"resumed", "already resumed", rollout.Resume})
		},
	}
}

// runChange patches each set, and goes on with the others if one fails, as kubectl does.
func (o *options) runChange(ctx context.Context, args []string, to change) error {
	sets, clients, err := o.setsThrough(ctx, args)
	if err != nil {
		return err
	}
	var failed []error
	for _, set := range sets {
		said, err := to.apply(ctx, clients, set)
		if err == nil {
			err = o.printed(set, said)
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

func (c change) apply(ctx context.Context, clients *kube.Clients, set anySet) (string, error) {
	patch, needed, err := c.make(set.Unstructured)
	switch {
	case err != nil:
		return "", err
	case !needed:
		return c.already, nil
	}
	if _, err := set.patch(ctx, clients, patch, metav1.PatchOptions{FieldManager: rolloutManager}); err != nil {
		return "", fmt.Errorf("failed to patch: %w", err)
	}
	return c.done, nil
}

// patch returns the set as the API server stores it, or in a dry run would store it.
func (s anySet) patch(ctx context.Context, clients *kube.Clients, patch rollout.Patch, options metav1.PatchOptions) (*unstructured.Unstructured, error) {
	stored, err := clients.Dynamic.Resource(s.resource).Namespace(s.GetNamespace()).Patch(ctx, s.GetName(), patch.Type, patch.Data, options)
	return stored, apiError(err)
}

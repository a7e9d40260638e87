package cli

import "github.com/spf13/cobra"

// rolloutLong says what a set is for all subcommands, and which of them write.
const rolloutLong = `Does for StatefulSets of every kind what kubectl rollout does for apps/v1, with its words and exit codes.

A set is web or sts/web for apps/v1, ssts/web for apps.setplan.io, and statefulsets.apps.example.com/web for any other kind
that has the spec of a StatefulSet.

status and history only read. undo and restart write the pod template of the set; pause and resume write its annotation
setplan.io/pause or its field spec.pause.`

func rolloutCommand(o *options) *cobra.Command {
	c := &cobra.Command{
		Use:   "rollout",
		Short: "Follow, list, undo, restart, pause and resume rollouts of sets of any kind",
		Long:  rolloutLong,
		Example: `  # wait for the rollout of a set of apps.setplan.io, and go back if that fails
  setplan rollout status ssts/web --timeout 10m || setplan rollout undo ssts/web`,
	}
	c.AddCommand(rolloutStatusCommand(o), rolloutHistoryCommand(o), rolloutUndoCommand(o), rolloutRestartCommand(o), rolloutPauseCommand(o), rolloutResumeCommand(o))
	return c
}

package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/tape"
)

func recordCommand(o *options) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "record SET... -f FILE",
		Short: "Add what a set looks like now, and its plan, to a file",
		Long: `Adds to a file what the planner is asked about sets of the cluster now, and what it answers. setplan replay asks the
same again, on any machine and with any later release.

The file holds the sets' pod templates as they are, with every secret that stands in them as plain text, such as the
values of environment variables. It is made readable for its owner only; treat it as you treat the sets.`,
		Example: `  # once now, and once more when it is stuck
  setplan record web -f web.rec

  setplan replay -f web.rec`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: o.completeSets,
		RunE:              func(c *cobra.Command, args []string) error { return o.runRecord(c.Context(), file, args) },
	}
	c.Flags().StringVarP(&file, "filename", "f", "", "the recording; made if there is none, else added to")
	return c
}

func (o *options) runRecord(ctx context.Context, file string, args []string) error {
	if file == "" {
		return errors.New("record into which file? Give -f FILE")
	}
	s, err := o.open(ctx, args)
	if err != nil {
		return err
	}
	info, err := s.planner.info(ctx)
	if err != nil {
		return fmt.Errorf("the planner's version: %w", err)
	}
	return s.each(ctx, func(key adapters.Key, answer exchange) error {
		entry, err := tape.NewEntry(key.String(), s.planner.where, info.GetVersion(), answer.request, answer.plan)
		if err != nil {
			return err
		}
		if err := tape.Append(file, entry); err != nil {
			return err
		}
		_, err = fmt.Fprintf(o.config.Streams.Out, "recorded %s as of %s in %s\n", key, entry.Time.Format(timeFormat), file)
		return err
	})
}

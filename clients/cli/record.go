package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/tape"
	"github.com/setplan/setplan/clients/cli/world"
)

func recordCommand(o *options) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "record SET... -f FILE",
		Short: "Append the state of a set and its plan to a file",
		Long: `Appends to a file the current request for each set and the plan that the planner returns. setplan replay sends the
same requests again, on any machine and with any later release.

The file holds the sets' pod templates unchanged, including secrets in plain text, such as values of environment variables.
It is created with mode 0600, and a file that others may read is refused. Protect it as you protect the sets. A file that is
not a recording, or whose last line is incomplete, is refused.`,
		Example: `  # once now, and again when it is stuck
  setplan record web -f web.rec

  setplan replay -f web.rec`,
		Args:              someSets,
		ValidArgsFunction: o.completeSets,
		RunE:              func(c *cobra.Command, args []string) error { return o.runRecord(c.Context(), file, args) },
	}
	c.Flags().VarP(oneFile{&file}, "filename", "f", "the recording to append to; created if it does not exist")
	return c
}

func (o *options) runRecord(ctx context.Context, file string, args []string) error {
	switch file {
	case "":
		return errors.New("record needs a file: -f FILE")
	case world.Stdin:
		return errors.New("record needs a file, and cannot write to -")
	}
	s, err := o.open(ctx, args)
	if err != nil {
		return err
	}
	version, err := s.planner.version(ctx)
	if err != nil {
		return err
	}
	return s.each(ctx, func(key adapters.Key, answer exchange) error {
		entry, err := tape.NewEntry(key.String(), s.planner.where, version, answer.request, answer.plan)
		if err != nil {
			return err
		}
		if err := tape.Append(file, entry); err != nil {
			return err
		}
		_, err = fmt.Fprintf(o.text(), "recorded %s as of %s in %s\n", key, entry.Time.Format(timeFormat), file)
		return err
	})
}

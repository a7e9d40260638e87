package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/pmezard/go-difflib/difflib"
	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/clients/cli/printable"
	"github.com/setplan/setplan/clients/cli/show"
	"github.com/setplan/setplan/clients/cli/tape"
	"github.com/setplan/setplan/clients/cli/world"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// timeFormat shows milliseconds, too: two entries of a recording may be that close.
const timeFormat = "2006-01-02T15:04:05.000Z07:00"

func replayCommand(o *options) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "replay -f FILE",
		Short: "Send the requests of a recording again, and compare the plans",
		Long: `Sends every request of a recording to the planner again and reports whether the plan is the same, byte for byte. If not, it
prints the difference, with - for the recorded plan and + for the new one, and exits with 1. A file with a damaged line is
refused as a whole, with the number of that line.

The time and the rules are those of the recording; --behavior has no effect.`,
		Example: `  setplan replay -f web.rec

  # with the planner of another release
  setplan replay -f web.rec --planner-address planner.example:7450 --planner-ca-file ca.pem`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.runReplay(c.Context(), file) },
	}
	c.Flags().VarP(oneFile{&file}, "filename", "f", "the recording; - is standard input")
	return c
}

func (o *options) runReplay(ctx context.Context, file string) error {
	entries, err := o.recording(file)
	if err != nil {
		return err
	}
	p, err := o.newPlanner()
	if err != nil {
		return err
	}
	defer p.close()
	differ := 0
	for _, entry := range entries {
		verdict, same, err := replay(ctx, p, entry)
		if err != nil {
			return fmt.Errorf("%s as of %s: %w", entry.Set, entry.Time.Format(timeFormat), err)
		}
		if !same {
			differ++
		}
		fmt.Fprintf(o.text(), "%s as of %s, planned by %s: %s\n", printable.Line(entry.Set), entry.Time.Format(timeFormat),
			printable.Line(entry.Version), verdict)
	}
	if differ > 0 {
		return fmt.Errorf("different plans: %d of %d", differ, len(entries))
	}
	return nil
}

func (o *options) recording(file string) ([]*tape.Entry, error) {
	if file == "" {
		return nil, errors.New("replay needs a recording: -f FILE")
	}
	from, done, err := o.opened(file)
	if err != nil {
		return nil, err
	}
	defer done()
	entries, err := tape.Read(from)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%s holds no entries", file)
	}
	return entries, nil
}

// opened opens a recording, or standard input.
func (o *options) opened(file string) (from io.Reader, done func(), err error) {
	if file == world.Stdin {
		return o.config.Streams.In, func() {}, nil
	}
	opened, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	return opened, func() { _ = opened.Close() }, nil
}

// replay reports whether a planner gives the same answer as then.
func replay(ctx context.Context, p *planner, entry *tape.Entry) (verdict string, same bool, err error) {
	request, then, err := entry.Messages()
	if err != nil {
		return "", false, err
	}
	response, err := p.Plan(ctx, request)
	if err != nil {
		return "", false, err
	}
	now := response.GetPlan()
	encoded, err := tape.Encode(now)
	switch {
	case err != nil:
		return "", false, err
	case bytes.Equal(encoded, entry.Plan):
		return "the plan is the same, byte for byte", true, nil
	case proto.Equal(then, now):
		return "the plan is the same; its bytes differ because the encoder does", true, nil
	}
	return difference(entry, then, now)
}

// difference compares the plans as text, ids and checksums included.
func difference(entry *tape.Entry, then, now *setplanv1.Plan) (string, bool, error) {
	text, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{
		A: lines(entry.Set, then, entry.Time), FromFile: "recorded",
		B: lines(entry.Set, now, entry.Time), ToFile: "now", Context: 1,
	})
	if text == "" {
		text = "(in a field that this text does not show; compare with plan -o json)\n"
	}
	return "the plan DIFFERS\n" + strings.TrimSuffix(text, "\n"), false, err
}

func lines(set string, plan *setplanv1.Plan, at time.Time) []string {
	b := &strings.Builder{}
	_ = show.Plan(b, show.Style{Wide: true}, set, plan, nil, at) // a strings.Builder cannot fail
	return difflib.SplitLines(b.String())
}

// Package servers measures real setplan-servers, with the memory limit that we ship, that plan for fifty clusters
// at once: adapters with the Go client, each over TLS with its own certificate. It fails if an adapter that floods the server
// makes quiet ones wait more than twice as long as one that floods another server of the machine, or makes the server exceed its
// memory, if two or three servers behind one name do not share the calls evenly, also after one was killed and is back, or if an
// adapter gets no answer meanwhile.
package servers

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// The adapters.
const (
	quiet  = 10
	normal = 39
	all    = quiet + normal + 1 // and one that may flood
)

// The bounds.
const (
	maxRatio  = 2
	maxSpread = 0.2
)

// options are the command line.
type options struct {
	*testbed.Choice
	server  string
	howLong time.Duration
	// again is the time after a server's return within which the adapters must have found it.
	again time.Duration
}

// Command is what measures that.
func Command() *testbed.Command {
	o := &options{}
	return &testbed.Command{
		Name: "scale-server", OnlyUsage: "regular `expression`: the scenarios to run",
		Register: func(set *flag.FlagSet) {
			set.DurationVar(&o.howLong, "for", 20*time.Second, "how long each measurement lasts")
			set.DurationVar(&o.again, "again", 75*time.Second, "how long after a server has come back all adapters must ask it")
		},
		Measure: func(ctx context.Context, choice *testbed.Choice) error {
			o.Choice, o.server = choice, filepath.Join(choice.Bin, "setplan-server")
			return run(ctx, o)
		},
	}
}

func run(ctx context.Context, o *options) (err error) {
	folder, err := os.MkdirTemp("", "setplan-scale-server-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	files, err := issue(folder)
	if err != nil {
		return err
	}
	var missed []error
	for _, s := range scenarios {
		if !o.Picks(s.name) || ctx.Err() != nil {
			continue
		}
		fmt.Printf("%s: %s\n", s.name, s.what)
		if err := s.measure(ctx, o, files); err != nil {
			missed = append(missed, fmt.Errorf("%s: %w", s.name, err))
		}
	}
	return errors.Join(append(missed, ctx.Err())...)
}

// scenario is one measurement.
type scenario struct {
	name, what string
	measure    func(context.Context, *options, *identities) error
}

var scenarios = []scenario{
	{"flood-small", "one adapter keeps 100 calls under way, each about a set of 3 pods",
		func(ctx context.Context, o *options, ids *identities) error {
			return besideFlood(ctx, o, ids, "flood-small", 3)
		}},
	{"flood-large", "one adapter keeps 100 calls under way, each about a set of 1,000 pods",
		func(ctx context.Context, o *options, ids *identities) error {
			return besideFlood(ctx, o, ids, "flood-large", 1000)
		}},
	{"servers-1", "all adapters ask one server, one call after another",
		func(ctx context.Context, o *options, ids *identities) error { return behindOneName(ctx, o, ids, 1) }},
	{"servers-2", "two servers behind one name; one is killed and comes back, and then again under another address",
		func(ctx context.Context, o *options, ids *identities) error { return behindOneName(ctx, o, ids, 2) }},
	{"servers-3", "the same with three",
		func(ctx context.Context, o *options, ids *identities) error { return behindOneName(ctx, o, ids, 3) }},
}

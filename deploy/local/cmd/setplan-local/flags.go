package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/setplan/setplan/deploy/local/internal/cluster"
)

// usageError is a command line that makes no sense.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// options are the flags of a command on one instance.
type options struct {
	*flag.FlagSet
	name string
	dir  string
}

func newOptions(command string) *options {
	o := &options{FlagSet: flag.NewFlagSet(command, flag.ContinueOnError)}
	o.SetOutput(os.Stderr)
	o.StringVar(&o.name, "name", "", "the instance's `name`")
	o.StringVar(&o.dir, "dir", "", "the `folder` of all instances (default .local in the repository)")
	return o
}

// parse takes flags and operands in any order, and wants a certain number of
// operands.
func (o *options) parse(args []string, operands int) ([]string, error) {
	var found []string
	for {
		if err := o.FlagSet.Parse(args); err != nil {
			return nil, usageOf(err)
		}
		if o.NArg() == 0 {
			break
		}
		found = append(found, o.Arg(0))
		args = o.Args()[1:]
	}
	if len(found) != operands {
		return nil, usagef("got %d operands (%q), want %d", len(found), found, operands)
	}
	if o.dir == "" {
		dir, err := defaultStateDir()
		if err != nil {
			return nil, err
		}
		o.dir = dir
	}
	return found, nil
}

func usageOf(err error) error {
	if err == flag.ErrHelp {
		return err
	}
	return usageError{err}
}

// instance loads the instance that --name asks for.
func (o *options) instance() (*cluster.Instance, error) {
	if o.name == "" {
		return nil, usagef("--name is missing")
	}
	return cluster.Load(o.dir, o.name)
}

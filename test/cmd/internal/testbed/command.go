package testbed

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
)

// Command is something to measure: its flags -runs and -only, its end by an interrupt, and its exit code.
type Command struct {
	Name string
	Runs int // the default of -runs; 0: there is no such flag
	// RunsUsage and OnlyUsage are the help of the two flags.
	RunsUsage, OnlyUsage string
	// Register adds flags; nil: there are no others.
	Register func(*flag.FlagSet)
	// Measure does the command's work until the context ends.
	Measure func(context.Context, *Choice) error
}

// Choice is what the command line chooses.
type Choice struct {
	Bin  string // the folder of this program, and of the programs that it runs
	Runs int

	only *regexp.Regexp
}

// Picks reports whether the measurement with this name is chosen.
func (c *Choice) Picks(name string) bool { return c.only.MatchString(name) }

// Main runs the command and ends the process if it fails.
func (c *Command) Main(args []string) {
	choice, err := c.parse(args)
	if err != nil {
		os.Exit(2) // the flag package has printed why
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	executable, err := os.Executable()
	if err == nil {
		choice.Bin = filepath.Dir(executable)
		err = c.Measure(ctx, choice)
	}
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", c.Name, err)
		os.Exit(1)
	}
}

func (c *Command) parse(args []string) (*Choice, error) {
	choice := &Choice{}
	set := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	if c.Runs > 0 {
		set.IntVar(&choice.Runs, "runs", c.Runs, c.RunsUsage)
	}
	only := set.String("only", "", c.OnlyUsage)
	if c.Register != nil {
		c.Register(set)
	}
	if err := set.Parse(args); err != nil {
		return nil, err
	}
	var err error
	if choice.only, err = regexp.Compile(*only); err != nil || choice.Runs < min(c.Runs, 1) || set.NArg() > 0 {
		set.Usage()
		return nil, errors.New("odd command line")
	}
	return choice, nil
}

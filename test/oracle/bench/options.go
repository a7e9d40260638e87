package main

import (
	"errors"
	"flag"
	"regexp"
)

// options are the command line.
type options struct {
	turns  int
	only   *regexp.Regexp
	server string
}

func parse(args []string) (options, error) {
	o := options{}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.IntVar(&o.turns, "turns", 15, "turns of each side; at least 10 make a median worth quoting")
	only := flags.String("only", "", "regular expression; measure only what has a name that matches, such as remote-steady/1000")
	flags.StringVar(&o.server, "server", "", "the setplan-server to start for the throughput; empty: leave that out")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	var err error
	if o.only, err = regexp.Compile(*only); err != nil {
		return o, err
	}
	if flags.NArg() > 0 || o.turns < 1 {
		return o, errors.New("no arguments are taken, and there must be a turn")
	}
	return o, nil
}

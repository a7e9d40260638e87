// Command setplan-compare measures the adapter and the server against the StatefulSet controller of Kubernetes: both do the
// same work, one after the other, on one real control plane. `make compare` builds what it needs and runs it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/setplan/setplan/adapters/kube/cmd/internal/testbed"
)

// instance is the name of the control plane, under .local in the repository.
const instance = "compare"

// options are the command line.
type options struct {
	runs  int
	only  *regexp.Regexp
	check bool
}

func main() {
	o, err := parse(os.Args[1:])
	if err != nil {
		os.Exit(2) // the flag package has said why
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "setplan-compare:", err)
		os.Exit(1)
	}
}

func parse(args []string) (*options, error) {
	o := &options{}
	set := flag.NewFlagSet("setplan-compare", flag.ContinueOnError)
	set.IntVar(&o.runs, "runs", 3, "how often each side does each scenario; the report has medians")
	only := set.String("only", "", "regular `expression`: the scenarios to run")
	set.BoolVar(&o.check, "check", false, "fail where we cost more than the built-in controller")
	if err := set.Parse(args); err != nil {
		return nil, err
	}
	var err error
	if o.only, err = regexp.Compile(*only); err != nil || o.runs < 1 || set.NArg() > 0 {
		set.Usage()
		return nil, errors.New("odd command line")
	}
	return o, nil
}

// run measures, reports and stops everything that it has started.
func run(ctx context.Context, o *options) (err error) {
	executable, err := os.Executable()
	if err != nil {
		return err
	}
	up, err := testbed.Up(ctx, filepath.Dir(executable), instance, "--audit")
	if err != nil {
		return err
	}
	plane := &controlPlane{up}
	defer func() {
		if downErr := plane.Down(err == nil); err == nil {
			err = downErr
		}
	}()
	sides := []*side{ours(plane), embedded(plane), builtin(plane)}
	for _, s := range sides {
		fmt.Printf("%-8s %s\n", s.name, strings.Join(s.settings, " "))
	}
	results := results{}
	for _, scenario := range scenarios {
		if !o.only.MatchString(scenario.name) {
			continue
		}
		fmt.Printf("\n%s: %s\n", scenario.name, scenario.what)
		for round := range o.runs {
			// Each round begins with another side, so that none is always the first after a pause.
			for i := range sides {
				s := sides[(round+i)%len(sides)]
				began := time.Now()
				cost, err := measure(ctx, plane, s, scenario)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", scenario.name, s.name, err)
				}
				results.add(scenario.name, s.name, cost)
				fmt.Printf("  %d/%d %-8s %s (%.0f s with preparation and cleaning up)\n", round+1, o.runs, s.name, cost, time.Since(began).Seconds())
			}
		}
	}
	return results.report(os.Stdout, o.check)
}

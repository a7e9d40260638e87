// Command setplan-conformance tests an adapter from outside, in whatever language it is written: it starts the adapter by a command line,
// between a real API server and a planner that answers as each case wants, and checks what the adapter sends against proto/SPEC.md.
// Without -kubeconfig it starts a control plane of its own, for which `make build build-local` makes the programs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
	"github.com/setplan/setplan/test/outside"
)

// options are the command line.
type options struct {
	command, kubeconfig, only, folder, json, junit string
	exceptions                                     []outside.Exception
}

func main() {
	o := &options{}
	flag.StringVar(&o.command, "adapter-command", "", "`command` line that starts the adapter; {kubeconfig}, {planner} and {ca} are replaced. It has to run sets of "+
		"apps/v1 in all namespaces, without waiting for a lease")
	flag.StringVar(&o.kubeconfig, "kubeconfig", "", "`file`: a cluster on whose sets nothing else works; empty: a local control plane")
	flag.StringVar(&o.only, "only", "", "regular `expression`: the cases to run, as RULE/name; empty: all")
	flag.StringVar(&o.folder, "folder", "", "`folder` for the adapter's files and log; empty: a temporary one, which is left if something fails")
	flag.StringVar(&o.json, "json", "", "`file` for the report as JSON")
	flag.StringVar(&o.junit, "junit", "", "`file` for the report as JUnit's XML")
	flag.Func("except", "`CASE=REASON`: a case as RULE/name, or a rule, that the adapter does not pass, and why; may be given several times", func(text string) error {
		name, reason, ok := strings.Cut(text, "=")
		if !ok || strings.TrimSpace(reason) == "" {
			return errors.New("it has to be CASE=REASON")
		}
		o.exceptions = append(o.exceptions, outside.Exception{Case: name, Reason: reason})
		return nil
	})
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	failed, err := run(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "setplan-conformance:", err)
	}
	if err != nil || failed > 0 {
		stop()
		os.Exit(1)
	}
}

// run returns how many cases have failed.
func run(ctx context.Context, o *options) (failed int, err error) {
	if o.command == "" || flag.NArg() > 0 {
		return 0, errors.New("-adapter-command is needed, and no other arguments are")
	}
	only, err := regexp.Compile(o.only)
	if err != nil {
		return 0, err
	}
	if o.only == "" {
		only = nil
	}
	if o.folder == "" {
		if o.folder, err = os.MkdirTemp("", "setplan-conformance-"); err != nil {
			return 0, err
		}
		defer func() {
			if failed == 0 && err == nil {
				_ = os.RemoveAll(o.folder) // only if there is nothing to look at
			}
		}()
	}
	config, down, err := cluster(ctx, o.kubeconfig)
	if err != nil {
		return 0, err
	}
	defer down()
	results, err := outside.Run(ctx, outside.Options{Config: config, Command: o.command, Folder: o.folder, Only: only, Exceptions: o.exceptions,
		Told: func(r outside.Result) { outside.Text(os.Stdout, r) }})
	excepted := 0
	for i := range results {
		if !results[i].Passed() {
			failed++
		}
		if results[i].Excepted != "" {
			excepted++
		}
	}
	fmt.Printf("CONFORMANCE cases=%d failed=%d excepted=%d\n", len(results), failed, excepted)
	if failed > 0 {
		fmt.Println("the adapter's log:", filepath.Join(o.folder, "adapter.log"))
	}
	return failed, errors.Join(err,
		to(o.json, func(w io.Writer) error { return outside.JSON(w, results) }),
		to(o.junit, func(w io.Writer) error { return outside.JUnit(w, results) }))
}

// to writes a file, if one is wanted.
func to(path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// cluster is the cluster of a kubeconfig, or a local control plane without any controller.
func cluster(ctx context.Context, kubeconfig string) (*rest.Config, func(), error) {
	if kubeconfig != "" {
		config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
		return config, func() {}, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	plane, err := testbed.Up(ctx, filepath.Dir(self), "conformance-outside")
	if err != nil {
		return nil, nil, err
	}
	down := func() { _ = plane.Down(false) } // it is only an instance of ours
	for _, component := range []string{"kwok", "scheduler", "controller-manager"} {
		if _, err := plane.Local(ctx, "stop", component); err != nil {
			down()
			return nil, nil, err
		}
	}
	return plane.Config(), down, nil
}

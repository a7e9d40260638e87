package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
)

func main() {
	o, err := parse(os.Args[1:])
	if err == nil {
		err = run(os.Stdout, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, o options) error {
	fmt.Fprintf(out, "%d processors, %s; medians of %d turns\n", runtime.NumCPU(), runtime.Version(), o.turns)
	for _, c := range contests() {
		if !o.only.MatchString(c.String()) {
			continue
		}
		if err := c.run(out, o); err != nil {
			return fmt.Errorf("%s: %w", c, err)
		}
	}
	if o.server == "" {
		return nil
	}
	fmt.Fprintln(out)
	return throughput(out, o)
}

// run measures one contest and prints it.
func (c contest) run(out io.Writer, o options) error {
	s, err := c.prepare()
	if err != nil {
		return err
	}
	defer s.end()
	r := result{name: c.name, size: c.size}
	if r.ours, r.upstream, err = compare(o.turns, s.ours, s.upstream); err == nil {
		r.print(out)
	}
	return err
}

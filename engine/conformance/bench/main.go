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
	var results []result
	for _, s := range scenarios {
		for _, pods := range sizes {
			for _, measure := range []func(options, scenario, int) (result, bool, error){engineResult, remoteResult} {
				r, picked, err := measure(o, s, pods)
				if err != nil {
					return err
				}
				if picked {
					r.print(out)
					results = append(results, r)
				}
			}
		}
	}
	return nil
}

func engineResult(o options, s scenario, pods int) (r result, picked bool, err error) {
	r = result{name: s.name, size: pods}
	if !o.picks(r) {
		return r, false, nil
	}
	w, plan, err := s.work("web", pods)
	if err != nil {
		return r, false, err
	}
	r.ours, r.upstream, err = compare(o.turns, w.decide(w.plans(plan)), w.upstream())
	return r, true, err
}

func remoteResult(o options, s scenario, pods int) (r result, picked bool, err error) {
	r = result{name: "remote-" + s.name, size: pods}
	if !o.picks(r) {
		return r, false, nil
	}
	w, plan, err := s.work("web", pods)
	if err != nil {
		return r, false, err
	}
	way, err := connect(w)
	if err != nil {
		return r, false, err
	}
	defer func() { _ = way.close() }()
	if err := way.check(w, plan); err != nil {
		return r, false, err
	}
	call := way.call(w, w.plans(plan))
	if o.profile != "" {
		return r, false, printShares(os.Stdout, o.profile, fmt.Sprintf("%s/%d", r.name, pods), call)
	}
	r.ours, r.upstream, err = compare(o.turns, call, w.upstream())
	return r, true, err
}

func (o options) picks(r result) bool { return o.only.MatchString(fmt.Sprintf("%s/%d", r.name, r.size)) }

package compare

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// errMore is the error of a failed -check.
var errMore = errors.New("more than the built-in controller")

// measures are what must not exceed the built-in controller's: one number per run, of which the median counts.
var measures = []struct {
	name string
	unit string
	of   func([]cost) float64
}{
	{"wall", "s", inMedian(func(c cost) float64 { return c.wall.Seconds() })},
	{"writes", "", inMedian(func(c cost) float64 { return float64(c.requests.Writes()) })},
	{"cpu", "s", inMedian(func(c cost) float64 { return c.cpu.Seconds() })},
	{"rss", "MB", inMedian(func(c cost) float64 { return float64(c.rss) / (1 << 20) })},
	{"apiserver", "s", inMedian(func(c cost) float64 { return c.server.Seconds() })},
	{"rollout-p50", "s", ofRollouts(50)},
	{"rollout-p95", "s", ofRollouts(95)},
}

// results are the costs of every run, by scenario and side.
type results map[string]map[string][]cost

func (r results) add(scenario, side string, c cost) {
	if r[scenario] == nil {
		r[scenario] = map[string][]cost{}
	}
	r[scenario][side] = append(r[scenario][side], c)
}

// report prints medians: a table, the requests, and lines for programs. With check it fails if we need more.
func (r results) report(out io.Writer, check bool) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nSCENARIO\tMEASURE\tOURS\tEMBEDDED\tBUILTIN\tOURS/BUILTIN\tEMBEDDED/BUILTIN")
	var lines []string
	var over []error
	r.each(func(scenario string, of map[string][]cost) {
		for _, m := range measures {
			ours, embedded, builtin := m.of(of["ours"]), m.of(of["embedded"]), m.of(of["builtin"])
			ratio := ours / builtin
			fmt.Fprintf(table, "%s\t%s\t%.2f %s\t%.2f %s\t%.2f %s\t%.2f\t%.2f\n", scenario, m.name, ours, m.unit, embedded, m.unit, builtin, m.unit, ratio, embedded/builtin)
			lines = append(lines, fmt.Sprintf("COMPARE %s %s ours=%.2f builtin=%.2f ratio=%.2f embedded=%.2f", scenario, m.name, ours, builtin, ratio, embedded/builtin))
			if ratio > 1 {
				over = append(over, fmt.Errorf("%s, %s: %.2f times, %w", scenario, m.name, ratio, errMore))
			}
		}
	})
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out, "\nRequests of the last run:")
	r.each(func(scenario string, of map[string][]cost) {
		for _, side := range []string{"ours", "builtin"} {
			runs := of[side]
			fmt.Fprintf(out, "  %s, %s: %s\n", scenario, side, runs[len(runs)-1].requests)
		}
	})
	fmt.Fprintf(out, "\n%s\n", strings.Join(lines, "\n"))
	if check {
		return errors.Join(over...)
	}
	return nil
}

// each visits the scenarios that were run, in their order.
func (r results) each(visit func(scenario string, of map[string][]cost)) {
	for _, s := range scenarios {
		if of := r[s.name]; of != nil {
			visit(s.name, of)
		}
	}
}

// inMedian returns the median over runs.
func inMedian(of func(cost) float64) func([]cost) float64 {
	return func(runs []cost) float64 {
		var values []float64
		for _, c := range runs {
			values = append(values, of(c))
		}
		return testbed.Median(values)
	}
}

// ofRollouts is a percentile over the sets of all runs: the shortest time within which this share of them is done.
func ofRollouts(percent int) func([]cost) float64 {
	return func(runs []cost) float64 {
		var all []float64
		for _, c := range runs {
			for _, took := range c.rollouts {
				all = append(all, took.Seconds())
			}
		}
		return testbed.Percentile(all, percent)
	}
}

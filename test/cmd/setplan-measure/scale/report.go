package scale

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// goal is the largest wanted ratio of our cost to the built-in controller's, in every measure.
const goal = 0.7

// errMore is the error of a failed -check.
var errMore = errors.New("of the built-in controller's")

// key is a measure of a scenario, and the number of sets.
type key struct {
	sets              int
	scenario, measure string
}

// results are the values of every run by side, in the order in which they came.
type results struct {
	mu     sync.Mutex
	order  []key
	values map[key]map[string][]float64
}

func (r *results) add(k key, side string, value float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.values == nil {
		r.values = map[key]map[string][]float64{}
	}
	if r.values[k] == nil {
		r.values[k] = map[string][]float64{}
		r.order = append(r.order, k)
	}
	r.values[k][side] = append(r.values[k][side], value)
}

// row is the medians of one measure.
type row struct{ ours, builtin, embedded float64 }

func (r *results) row(k key) row {
	of := r.values[k]
	return row{testbed.Median(of["ours"]), testbed.Median(of["builtin"]), testbed.Median(of["embedded"])}
}

// most is the largest number of sets.
func (r *results) most() (sets int) {
	for _, k := range r.order {
		sets = max(sets, k.sets)
	}
	return sets
}

// report prints medians with all sets, as a table and as lines for programs, and their growth. With check it fails if ours is
// above the goal.
func (r *results) report(out io.Writer, check bool) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nSCENARIO\tMEASURE\tOURS\tEMBEDDED\tBUILTIN\tOURS/BUILTIN\tEMBEDDED/BUILTIN")
	var lines []string
	var over []error
	all := slices.DeleteFunc(slices.Clone(r.order), func(k key) bool { return k.sets != r.most() })
	for _, k := range all {
		m := r.row(k)
		ours, embedded := ratio(m.ours, m.builtin), ratio(m.embedded, m.builtin)
		fmt.Fprintf(table, "%s\t%s\t%.2f\t%.2f\t%.2f\t%s\t%s\n", k.scenario, k.measure, m.ours, m.embedded, m.builtin, ours, embedded)
		lines = append(lines, fmt.Sprintf("SCALE %s %s ours=%.2f builtin=%.2f ratio=%s embedded=%s", k.scenario, k.measure, m.ours, m.builtin, ours, embedded))
		if m.ours > goal*m.builtin {
			over = append(over, fmt.Errorf("%s, %s: %s %w", k.scenario, k.measure, ours, errMore))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%s\n", strings.Join(append(lines, r.growth()...), "\n"))
	if check {
		return errors.Join(over...)
	}
	return nil
}

// ratio is a dash if b is zero: processor time is counted in hundredths of a second.
func ratio(a, b float64) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", a/b)
}

// growth describes how a measure grows with the number of sets, if it was also measured with fewer: 1 is linear.
func (r *results) growth() (lines []string) {
	for _, k := range r.order {
		large := key{r.most(), k.scenario, k.measure}
		if k == large || r.values[large] == nil {
			continue
		}
		a, b := r.row(k), r.row(large)
		lines = append(lines, fmt.Sprintf("SCALE growth-%s %s sets=%d..%d ours=%.2f builtin=%.2f embedded=%.2f", k.scenario, k.measure, k.sets, large.sets,
			testbed.Exponent(k.sets, large.sets, a.ours, b.ours), testbed.Exponent(k.sets, large.sets, a.builtin, b.builtin),
			testbed.Exponent(k.sets, large.sets, a.embedded, b.embedded)))
	}
	return lines
}

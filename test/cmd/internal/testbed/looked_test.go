package testbed

import (
	"strings"
	"testing"
)

const page = `# TYPE setplan_adapter_sets gauge
setplan_adapter_sets{state="converged"} 3
setplan_adapter_sets{state="progressing"} 1
# TYPE workqueue_depth gauge
workqueue_depth{name="statefulset"} 0
workqueue_depth{name="other"} 7
# TYPE workqueue_unfinished_work_seconds gauge
workqueue_unfinished_work_seconds{name="statefulset"} 0
# TYPE workqueue_work_duration_seconds histogram
workqueue_work_duration_seconds_bucket{name="statefulset",le="+Inf"} 5
workqueue_work_duration_seconds_sum{name="statefulset"} 0.25
workqueue_work_duration_seconds_count{name="statefulset"} 5
workqueue_work_duration_seconds_bucket{name="other",le="+Inf"} 50
workqueue_work_duration_seconds_sum{name="other"} 0.25
workqueue_work_duration_seconds_count{name="other"} 50
`

// TestMetrics: gauges are added up, histograms by their counts, and queues only if they are the queue of sets.
func TestMetrics(t *testing.T) {
	for name, row := range map[string]struct {
		page         string
		sets, worked float64
		idle         bool
	}{
		"at rest":    {page, 4, 5, true},
		"one waits":  {strings.Replace(page, `depth{name="statefulset"} 0`, `depth{name="statefulset"} 1`, 1), 4, 5, false},
		"one works":  {strings.Replace(page, `seconds{name="statefulset"} 0`, `seconds{name="statefulset"} 0.5`, 1), 4, 5, false},
		"no queue":   {page[:strings.Index(page, "# TYPE workqueue_depth")], 4, 0, false},
		"empty page": {"", 0, 0, false},
	} {
		m, err := parseMetrics(strings.NewReader(row.page))
		if err != nil {
			t.Fatal(name, err)
		}
		if sets, worked := m.sum("setplan_adapter_sets"), m.sum("workqueue_work_duration_seconds"); sets != row.sets || worked != row.worked || m.idle() != row.idle {
			t.Errorf("%s: %g sets, %g worked on, idle %t", name, sets, worked, m.idle())
		}
	}
}

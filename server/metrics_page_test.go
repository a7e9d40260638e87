package server

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
)

// TestMetricsPage: docs/metrics.md names exactly the metrics that a server has and an embedded planner lacks, with their labels.
func TestMetricsPage(t *testing.T) {
	registry := prometheus.NewRegistry()
	a := newAdmission(plainInflightBytes, newAdmissionMetrics(registry))
	a.watch(registry, func() int { return 0 })
	newDoorkeeper(nil, nil, a, registry)
	(&certificates{}).watchExpiry(registry)
	descriptions := make(chan *prometheus.Desc, 100)
	registry.Describe(descriptions)
	close(descriptions)
	var registered, written []string
	for d := range descriptions {
		m := regexp.MustCompile(`fqName: "(\w+)".*variableLabels: \{([\w,]*)\}`).FindStringSubmatch(d.String())
		registered = append(registered, m[1]+" "+m[2])
	}
	page, err := os.ReadFile("../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `(setplan_server_\\w+)` \\| (?:none|`([\\w, ]+)`) \\|").FindAllStringSubmatch(string(page), -1) {
		written = append(written, row[1]+" "+strings.ReplaceAll(row[2], " ", ""))
	}
	slices.Sort(registered)
	slices.Sort(written)
	if diff := cmp.Diff(registered, written); diff != "" {
		t.Errorf("- registered, + on the page:\n%s", diff)
	}
}

package main

import (
	"io"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/plannerflags"
)

// TestMetricsPage: docs/metrics.md names exactly the metrics that an adapter with its planner registers, with their labels.
func TestMetricsPage(t *testing.T) {
	registry := prometheus.NewRegistry()
	kube.RegisterClientMetrics(registry)
	kube.NewReaderMetrics(registry)
	watchExpiry(&plannerflags.Flags{}, registry)
	watchVerification(registry)
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	if _, err := kube.New(kube.Config{REST: &rest.Config{}, Planner: embeddedPlanner(registry, log), Kind: kube.StatefulSets(), Registry: registry, Log: log}); err != nil {
		t.Fatal(err)
	}
	descriptions := make(chan *prometheus.Desc, 1000)
	registry.Describe(descriptions)
	close(descriptions)
	var registered []string
	for d := range descriptions {
		m := regexp.MustCompile(`fqName: "(\w+)".*variableLabels: \{([\w,]*)\}`).FindStringSubmatch(d.String())
		if m == nil {
			t.Fatalf("a description in an unknown form: %s", d)
		}
		registered = append(registered, strings.TrimSpace(m[1]+" "+m[2]))
	}
	page, err := os.ReadFile("../../../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	var written []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| ([^|]*) \\|").FindAllStringSubmatch(string(page), -1) {
		if strings.HasPrefix(row[1], "setplan_server_") {
			continue // of a separate server process, whose tests check them
		}
		labels := strings.NewReplacer("`", "", ", ", ",", "none", "").Replace(row[2])
		written = append(written, strings.TrimSpace(row[1]+" "+labels))
	}
	slices.Sort(registered)
	slices.Sort(written)
	if diff := cmp.Diff(registered, written); diff != "" {
		t.Errorf("- registered, + on the page:\n%s", diff)
	}
}

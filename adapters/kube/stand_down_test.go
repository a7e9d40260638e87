package kube

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestStoodDown: an adapter that has given up the lease reports nothing of sets any more: it does not see what another process
// does.
func TestStoodDown(t *testing.T) {
	registry := prometheus.NewRegistry()
	waits := NewWaits(registry, time.Now)
	a := &Adapter{metrics: NewMetrics(registry), setMetrics: NewSetMetrics(registry), waits: waits, plans: NewPlans(waits)}
	told := func() string {
		for series := range gathered(t, registry) {
			if strings.HasPrefix(series, "setplan_adapter_sets ") || strings.HasPrefix(series, "setplan_adapter_blocks ") || strings.HasPrefix(series, "statefulset_controller_") {
				return series
			}
		}
		answer := httptest.NewRecorder()
		a.plans.ServeHTTP(answer, httptest.NewRequest("GET", "/plans", nil))
		return strings.TrimSpace(answer.Body.String())
	}
	for range 2 { // a later term begins with nothing
		for _, observer := range []adapters.Observer{a.metrics, a.setMetrics, a.plans} {
			observer.Planned(webKey, &setplanv1.Snapshot{Set: &setplanv1.StatefulSet{}}, &setplanv1.Plan{Blocks: []*setplanv1.Block{{Code: setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY}}})
		}
		waits.begin(webKey, waitBackOff, time.Minute)
		if got := gathered(t, registry)["setplan_adapter_sets progressing"]; got != 1 {
			t.Errorf("%g sets in the term", got)
		}
		a.standDown()
		if got := told(); got != "[]" {
			t.Errorf("reported after the term: %s", got)
		}
	}
}

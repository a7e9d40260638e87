package kube

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestSetMetrics: a set's series equal upstream's, follow the set, and end with it.
func TestSetMetrics(t *testing.T) {
	registry := prometheus.NewRegistry()
	m := NewSetMetrics(registry)
	replicas := int32(7)
	set := &setplanv1.StatefulSet{Replicas: &replicas, PodManagementPolicy: "Parallel", Status: &setplanv1.StatefulSetStatus{AvailableReplicas: new(int32(5))}}
	limit := func(value *setplanv1.IntOrPercent) {
		set.UpdateStrategy = &setplanv1.UpdateStrategy{RollingUpdate: &setplanv1.RollingUpdate{MaxUnavailable: value}}
	}
	percent := func(p string) *setplanv1.IntOrPercent {
		return &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Percent{Percent: p}}
	}
	writes := func(status *setplanv1.StatefulSetStatus) *setplanv1.Plan {
		return &setplanv1.Plan{Stages: []*setplanv1.Stage{{Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{{
			Operation: &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: status}},
		}}}}}}}
	}
	const most, missing = "statefulset_controller_statefulset_max_unavailable", "statefulset_controller_statefulset_unavailable_replicas"
	series := func(name, policy string) string { return name + " " + policy + " web default" } // label values by label name
	for _, step := range []struct {
		reason string
		change func()
		plan   *setplanv1.Plan
		want   map[string]float64
	}{
		{"by default one", func() {}, &setplanv1.Plan{}, map[string]float64{series(most, "Parallel"): 1, series(missing, "Parallel"): 2}},
		{"the plan found another number", func() {}, writes(&setplanv1.StatefulSetStatus{AvailableReplicas: new(int32(6))}), map[string]float64{series(most, "Parallel"): 1, series(missing, "Parallel"): 1}},
		{"the plan found none", func() {}, writes(&setplanv1.StatefulSetStatus{AvailableReplicas: new(int32(0))}), map[string]float64{series(most, "Parallel"): 1, series(missing, "Parallel"): 7}},
		{"the plan leaves the number as it is", func() {}, writes(&setplanv1.StatefulSetStatus{Replicas: new(int32(6))}), map[string]float64{series(most, "Parallel"): 1, series(missing, "Parallel"): 2}},
		{"rounded down", func() { limit(percent("50%")) }, &setplanv1.Plan{}, map[string]float64{series(most, "Parallel"): 3, series(missing, "Parallel"): 2}},
		{"at least one", func() { limit(percent("1%")) }, &setplanv1.Plan{}, map[string]float64{series(most, "Parallel"): 1, series(missing, "Parallel"): 2}},
		{"scaled down, but the pods are not gone yet", func() { replicas = 3 }, &setplanv1.Plan{}, map[string]float64{series(most, "Parallel"): 1, series(missing, "Parallel"): 0}},
		{"recreated", func() { set.PodManagementPolicy = "OrderedReady" }, &setplanv1.Plan{},
			map[string]float64{series(most, "OrderedReady"): 1, series(missing, "OrderedReady"): 0}},
	} {
		step.change()
		m.Planned(webKey, &setplanv1.Snapshot{Set: set}, step.plan)
		if diff := cmp.Diff(step.want, gathered(t, registry)); diff != "" {
			t.Errorf("%s:\n%s", step.reason, diff)
		}
	}
	m.Forgotten(webKey)
	m.Held(webKey, adapters.ReasonGate, adapters.Unseen{Write: adapters.Write{Kind: kindClaim, Name: "www-web-0"}})
	m.Held(webKey, adapters.ReasonFence, nil)
	if diff := cmp.Diff(map[string]float64{"statefulset_controller_stale_sync_skips_total  persistentvolumeclaims": 1}, gathered(t, registry)); diff != "" {
		t.Errorf("the set is gone:\n%s", diff)
	}
}

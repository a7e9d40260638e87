package kube

import (
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestNoLabelOfAPlanner: a planner that lies makes no series of its own, which would stay for ever.
func TestNoLabelOfAPlanner(t *testing.T) {
	registry := prometheus.NewRegistry()
	m := NewMetrics(registry)
	series := func() (n int) {
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, family := range families {
			n += len(family.GetMetric())
		}
		return n
	}
	answers := func(code int) {
		m.Planned(webKey, nil, &setplanv1.Plan{Blocks: []*setplanv1.Block{{Code: setplanv1.BlockCode(code)}}})
		m.Held(webKey, adapters.ReasonPlannerRefused, grpcstatus.Error(codes.Code(code), "no"))
	}
	answers(1000)
	before := series()
	for code := 1001; code < 1100; code++ {
		answers(code)
	}
	if now := series(); now != before {
		t.Errorf("%d series have become %d", before, now)
	}
}

// TestLongSubjects: what is kept of a plan for each set is short.
func TestLongSubjects(t *testing.T) {
	p := NewPlans()
	p.Planned(webKey, nil, &setplanv1.Plan{Blocks: []*setplanv1.Block{{Subject: &setplanv1.Target{Kind: "Pod", Name: strings.Repeat("x", 1<<20)}}}})
	if n := len(p.plans[webKey].Blocks[0].Subject); n > mostText {
		t.Errorf("a subject of %d bytes is kept", n)
	}
}

package server

import (
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// planMetrics count what plans say. Labels are enums of the contract, never names of sets: a fleet of any size makes a fixed
// number of series.
type planMetrics struct {
	plans    *prometheus.CounterVec
	actions  *prometheus.CounterVec
	blocks   *prometheus.CounterVec
	duration prometheus.Histogram
	pods     prometheus.Histogram

	forecasts *prometheus.CounterVec
}

// newPlanMetrics registers the metrics. With a nil registerer nobody sees them.
func newPlanMetrics(registerer prometheus.Registerer) *planMetrics {
	factory := promauto.With(registerer)
	return &planMetrics{
		plans: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "setplan_plans_total",
			Help: "Plans made, by result: actions (something to do), blocked (nothing to do yet), converged (nothing to do).",
		}, []string{"result"}),
		actions: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "setplan_plan_actions_total",
			Help: "Actions in plans, by operation.",
		}, []string{"operation"}),
		blocks: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "setplan_plan_blocks_total",
			Help: "Blocks in plans, by code.",
		}, []string{"code"}),
		duration: factory.NewHistogram(prometheus.HistogramOpts{
			Name:    "setplan_plan_duration_seconds",
			Help:    "Time that the engine took for a plan, without decoding and encoding.",
			Buckets: prometheus.ExponentialBuckets(10e-6, 4, 10), // 10 µs to 2.6 s
		}),
		pods: factory.NewHistogram(prometheus.HistogramOpts{
			Name:    "setplan_snapshot_pods",
			Help:    "Pods per snapshot.",
			Buckets: prometheus.ExponentialBuckets(1, 4, 8), // 1 to 16384
		}),
		forecasts: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "setplan_forecasts_total",
			Help: "Forecasts that came to an end, by verdict: converged, blocked (for ever), undecided.",
		}, []string{"verdict"}),
	}
}

func (m *planMetrics) observe(snapshot *model.Snapshot, plan *setplanv1.Plan, actions int, took time.Duration) {
	m.duration.Observe(took.Seconds())
	m.pods.Observe(float64(len(snapshot.Pods)))
	switch {
	case actions > 0:
		m.plans.WithLabelValues("actions").Inc()
	case plan.GetConverged():
		m.plans.WithLabelValues("converged").Inc()
	default:
		m.plans.WithLabelValues("blocked").Inc()
	}
	for _, stage := range plan.GetStages() {
		for _, step := range stage.GetSteps() {
			for _, action := range step.GetActions() {
				m.actions.WithLabelValues(operationName(action)).Inc()
			}
		}
	}
	for _, block := range plan.GetBlocks() {
		m.blocks.WithLabelValues(strings.TrimPrefix(block.GetCode().String(), "BLOCK_CODE_")).Inc()
	}
}

// operationName is the name of the oneof's member, such as "create_pod".
func operationName(action *setplanv1.Action) string {
	m := action.ProtoReflect()
	return string(m.WhichOneof(operationOneof).Name())
}

var operationOneof = (&setplanv1.Action{}).ProtoReflect().Descriptor().Oneofs().ByName("operation")

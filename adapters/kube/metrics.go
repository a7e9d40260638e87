package kube

import (
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const metricsPrefix = "setplan_adapter"

// Metrics counts what the loop does. No label names a set or a pod, because their number is unbounded.
type Metrics struct {
	reconciles *prometheus.HistogramVec
	plans      *prometheus.CounterVec
	planned    *prometheus.CounterVec
	actions    *prometheus.CounterVec
	errors     *prometheus.CounterVec
	held       *prometheus.CounterVec
	refused    *prometheus.CounterVec
	blocks     *prometheus.GaugeVec
	sets       *prometheus.GaugeVec
	leader     prometheus.Gauge

	mu     sync.Mutex
	counts map[adapters.Key]setState
}

// setState is what a set adds to the gauges.
type setState struct {
	blocks map[string]int // by code
	state  string
}

var _ adapters.Observer = (*Metrics)(nil)

// NewMetrics registers the metrics.
func NewMetrics(registry prometheus.Registerer) *Metrics {
	counter := func(name, help string, label ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: metricsPrefix, Name: name, Help: help}, label)
	}
	gauge := func(name, help string, label ...string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: metricsPrefix, Name: name, Help: help}, label)
	}
	m := &Metrics{
		reconciles: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: metricsPrefix, Name: "reconcile_duration_seconds",
			Help:    "How long one pass over one set took, and how it ended.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2.5, 12),
		}, []string{"result"}),
		plans:   counter("plans_total", "Plans received, by what they were.", "kind"),
		planned: counter("planned_actions_total", "Actions in the plans received, applied or not.", "operation"),
		actions: counter("actions_total", "Actions tried, by operation and result.", "operation", "result"),
		errors:  counter("planner_errors_total", "Calls to the planner that gave no plan, by gRPC code.", "code"),
		held:    counter("held_total", "Passes that did not apply their plan, or got none, by reason.", "reason"),
		refused: counter("refused_actions_total", "Actions that were refused unsent, because no plan for the set could mean them, by check.", "check"),
		blocks:  gauge("blocks", "What is held back now, by block code.", "code"),
		sets:    gauge("sets", "Sets by state: converged, progressing, or the reason why they are held.", "state"),
		leader: prometheus.NewGauge(prometheus.GaugeOpts{
			Namespace: metricsPrefix, Name: "leader", Help: "1 while this process is the one that acts.",
		}),
		counts: map[adapters.Key]setState{},
	}
	registry.MustRegister(m.reconciles, m.plans, m.planned, m.actions, m.errors, m.held, m.refused, m.blocks, m.sets, m.leader)
	return m
}

// Reconciled is called by the controller after each pass.
func (m *Metrics) Reconciled(duration time.Duration, err error) {
	result := "ok"
	if err != nil {
		result = "error"
	}
	m.reconciles.WithLabelValues(result).Observe(duration.Seconds())
}

// SetLeader sets the gauge that says whether this process acts.
func (m *Metrics) SetLeader(leads bool) {
	if leads {
		m.leader.Set(1)
	} else {
		m.leader.Set(0)
	}
}

// Planned implements adapters.Observer.
func (m *Metrics) Planned(key adapters.Key, _ *setplanv1.Snapshot, plan *setplanv1.Plan) {
	for operation, count := range adapters.CountOperations(plan) {
		m.planned.WithLabelValues(operation).Add(float64(count))
	}
	state := setState{state: "progressing", blocks: map[string]int{}}
	kind := "actions"
	if plan.GetDone() || plan.GetConverged() {
		state.state = "converged"
	}
	switch {
	case plan.GetConverged():
		kind = "converged"
	case len(plan.GetStages()) == 0:
		kind = "waiting"
	}
	m.plans.WithLabelValues(kind).Inc()
	for _, block := range plan.GetBlocks() {
		code, known := setplanv1.BlockCode_name[int32(block.GetCode())]
		if !known { // a label for each number that a planner can think of would stay for ever
			code = "UNKNOWN"
		}
		state.blocks[strings.TrimPrefix(code, "BLOCK_CODE_")]++
	}
	m.replace(key, &state)
}

// Applied implements adapters.Observer.
func (m *Metrics) Applied(_ adapters.Key, _ *setplanv1.Snapshot, action *setplanv1.Action, result adapters.Result) {
	m.actions.WithLabelValues(adapters.OperationName(action), outcomeName(result)).Inc()
	if refusal := refusalOf(result.Err); refusal != nil {
		m.refused.WithLabelValues(refusal.Check).Inc()
	}
}

// Held implements adapters.Observer.
func (m *Metrics) Held(key adapters.Key, reason string, err error) {
	m.held.WithLabelValues(reason).Inc()
	switch reason {
	case adapters.ReasonPlannerRefused, adapters.ReasonPlannerUnreachable, adapters.ReasonPlannerBusy:
		code := status.Code(err)
		if code > codes.Unauthenticated { // the last one that there is
			code = codes.Unknown
		}
		m.errors.WithLabelValues(code.String()).Inc()
	}
	if _, lasting := heldEvents[reason]; lasting || reason == adapters.ReasonVerification {
		m.mu.Lock()
		blocks := m.counts[key].blocks
		m.mu.Unlock()
		m.replace(key, &setState{state: reason, blocks: blocks})
	}
}

// Forgotten implements adapters.Observer.
func (m *Metrics) Forgotten(key adapters.Key) { m.replace(key, nil) }

// replace replaces what the set adds to the gauges.
func (m *Metrics) replace(key adapters.Key, now *setState) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if before, known := m.counts[key]; known {
		m.sets.WithLabelValues(before.state).Dec()
		for code, count := range before.blocks {
			m.blocks.WithLabelValues(code).Sub(float64(count))
		}
	}
	if now == nil {
		delete(m.counts, key)
		return
	}
	m.counts[key] = *now
	m.sets.WithLabelValues(now.state).Inc()
	for code, count := range now.blocks {
		m.blocks.WithLabelValues(code).Add(float64(count))
	}
}

func outcomeName(result adapters.Result) string {
	if result.Err == nil {
		return "success"
	}
	switch result.Outcome {
	case setplanv1.OutcomeResult_OUTCOME_RESULT_REJECTED, setplanv1.OutcomeResult_OUTCOME_RESULT_NODE_CAPACITY:
		return "rejected"
	case setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT:
		return "conflict"
	case setplanv1.OutcomeResult_OUTCOME_RESULT_DISRUPTION_BUDGET:
		return "disruption_budget"
	default:
		return "error"
	}
}

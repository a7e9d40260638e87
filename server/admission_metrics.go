package server

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// Why a call was shed.
const (
	shedCalls  = "calls"  // too many are open
	shedWait   = "wait"   // its turn did not come in time
	shedSlow   = "slow"   // the request did not arrive in time, or a part of the answer was not read
	shedLimit  = "limit"  // its cluster is at a limit of the policy file
	shedReview = "review" // its token could not be checked
)

// Why a connection was closed.
const (
	closedForRoom   = "room"   // there was one too many, and this one was missed least
	closedForAnswer = "answer" // its other side did not read an answer
	closedForCalls  = "calls"  // too many of its calls came to nothing
)

// admissionMetrics say how much of the server is in use, and which calls and connections were refused.
type admissionMetrics struct {
	shed   *prometheus.CounterVec
	closed *prometheus.CounterVec
}

func newAdmissionMetrics(registerer prometheus.Registerer) *admissionMetrics {
	factory := promauto.With(registerer)
	return &admissionMetrics{
		shed: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "setplan_server_shed_calls_total",
			Help: "Calls turned away, by reason: calls (too many open), wait (no turn in time), slow (the request did not arrive, or a part of the answer was not read), limit (of its cluster), review (its token could not be checked).",
		}, []string{"reason"}),
		closed: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "setplan_server_closed_connections_total",
			Help: "Connections closed to protect the server, by reason: room (one too many), answer (an answer was not read), calls (too many came to nothing).",
		}, []string{"reason"}),
	}
}

// watch registers the metrics that are read on demand.
func (a *admission) watch(registerer prometheus.Registerer, connections func() int) {
	gauge := func(name, help string, value func() float64) {
		promauto.With(registerer).NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			a.mu.Lock()
			defer a.mu.Unlock()
			return value()
		})
	}
	gauge("setplan_server_open_calls", "Calls that are open.", func() float64 { return float64(a.open) })
	gauge("setplan_server_waiting_calls", "Open calls that wait for memory or for their turn.",
		func() float64 { return float64(len(a.waiting)) })
	gauge("setplan_server_inflight_bytes", "Memory set aside for requests that are read or planned, and for answers that are not sent yet.",
		func() float64 { return float64(a.held + a.reading) })
	promauto.With(registerer).NewGaugeFunc(prometheus.GaugeOpts{Name: "setplan_server_connections", Help: "Connections that are open."},
		func() float64 { return float64(connections()) })
}

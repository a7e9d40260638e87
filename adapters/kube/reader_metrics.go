package kube

import "github.com/prometheus/client_golang/prometheus"

// NewReaderMetrics makes the counter of callers of /metrics and /plans, for an adapter that checks them.
func NewReaderMetrics(registry prometheus.Registerer) *prometheus.CounterVec {
	readers := prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: metricsPrefix, Name: "readers_total",
		Help: "Callers of /metrics and /plans by the answer: allowed, unknown, forbidden, too_many to review, or error.",
	}, []string{"answer"})
	registry.MustRegister(readers)
	return readers
}

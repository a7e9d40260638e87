package kube

import "github.com/prometheus/client_golang/prometheus"

// NewReaderMetrics counts callers of metrics and plans, if callers are checked.
func NewReaderMetrics(registry prometheus.Registerer) *prometheus.CounterVec {
	readers := prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: metricsPrefix, Name: "readers_total",
		Help: "Callers of /metrics and /plans by the answer: allowed, unknown, forbidden, too_many to review, or error.",
	}, []string{"answer"})
	registry.MustRegister(readers)
	return readers
}

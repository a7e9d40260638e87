package kube

import (
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/util/workqueue"
)

// queueMetrics gives one work queue its metrics. There is one queue, so its name is no label.
type queueMetrics struct {
	registry prometheus.Registerer
}

var _ workqueue.MetricsProvider = queueMetrics{}

func (q queueMetrics) gauge(name, help string) prometheus.Gauge {
	gauge := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: metricsPrefix, Subsystem: "queue", Name: name, Help: help})
	q.registry.MustRegister(gauge)
	return gauge
}

func (q queueMetrics) counter(name, help string) prometheus.Counter {
	counter := prometheus.NewCounter(prometheus.CounterOpts{Namespace: metricsPrefix, Subsystem: "queue", Name: name, Help: help})
	q.registry.MustRegister(counter)
	return counter
}

func (q queueMetrics) histogram(name, help string) prometheus.Histogram {
	histogram := prometheus.NewHistogram(prometheus.HistogramOpts{
		Namespace: metricsPrefix, Subsystem: "queue", Name: name, Help: help,
		Buckets: prometheus.ExponentialBuckets(0.0001, 10, 8),
	})
	q.registry.MustRegister(histogram)
	return histogram
}

func (q queueMetrics) NewDepthMetric(string) workqueue.GaugeMetric {
	return q.gauge("depth", "Sets that wait for a worker.")
}

func (q queueMetrics) NewAddsMetric(string) workqueue.CounterMetric {
	return q.counter("adds_total", "Sets that were put into the queue.")
}

func (q queueMetrics) NewLatencyMetric(string) workqueue.HistogramMetric {
	return q.histogram("wait_seconds", "How long a set waited for a worker.")
}

func (q queueMetrics) NewWorkDurationMetric(string) workqueue.HistogramMetric {
	return q.histogram("work_seconds", "How long a worker had a set.")
}

func (q queueMetrics) NewUnfinishedWorkSecondsMetric(string) workqueue.SettableGaugeMetric {
	return q.gauge("unfinished_work_seconds", "Sum of the time that workers have had their present sets. Growing without end: stuck.")
}

func (q queueMetrics) NewLongestRunningProcessorSecondsMetric(string) workqueue.SettableGaugeMetric {
	return q.gauge("longest_running_worker_seconds", "Longest time that a worker has had its present set.")
}

func (q queueMetrics) NewRetriesMetric(string) workqueue.CounterMetric {
	return q.counter("retries_total", "Sets that were put back after an error or to be looked at later.")
}

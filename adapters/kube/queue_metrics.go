package kube

import (
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/util/workqueue"
)

// queueName is the label of the work queue's metrics. Label and names are the built-in controller's.
const queueName = "statefulset"

// queueMetrics gives one work queue its metrics.
type queueMetrics struct {
	registry prometheus.Registerer
}

var _ workqueue.MetricsProvider = queueMetrics{}

func (q queueMetrics) gauge(name, help string) prometheus.Gauge {
	gauge := prometheus.NewGaugeVec(prometheus.GaugeOpts{Subsystem: "workqueue", Name: name, Help: help}, []string{"name"})
	q.registry.MustRegister(gauge)
	return gauge.WithLabelValues(queueName)
}

func (q queueMetrics) counter(name, help string) prometheus.Counter {
	counter := prometheus.NewCounterVec(prometheus.CounterOpts{Subsystem: "workqueue", Name: name, Help: help}, []string{"name"})
	q.registry.MustRegister(counter)
	return counter.WithLabelValues(queueName)
}

func (q queueMetrics) histogram(name, help string) prometheus.Observer {
	histogram := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Subsystem: "workqueue", Name: name, Help: help,
		Buckets: prometheus.ExponentialBuckets(10e-9, 10, 10),
	}, []string{"name"})
	q.registry.MustRegister(histogram)
	return histogram.WithLabelValues(queueName)
}

func (q queueMetrics) NewDepthMetric(string) workqueue.GaugeMetric {
	return q.gauge("depth", "Sets that wait for a worker.")
}

func (q queueMetrics) NewAddsMetric(string) workqueue.CounterMetric {
	return q.counter("adds_total", "Sets that were put into the queue.")
}

func (q queueMetrics) NewLatencyMetric(string) workqueue.HistogramMetric {
	return q.histogram("queue_duration_seconds", "How long a set waited for a worker.")
}

func (q queueMetrics) NewWorkDurationMetric(string) workqueue.HistogramMetric {
	return q.histogram("work_duration_seconds", "How long a worker worked on a set.")
}

func (q queueMetrics) NewUnfinishedWorkSecondsMetric(string) workqueue.SettableGaugeMetric {
	return q.gauge("unfinished_work_seconds", "Sum of the time that workers have been working on their current sets. If it keeps growing, they are stuck.")
}

func (q queueMetrics) NewLongestRunningProcessorSecondsMetric(string) workqueue.SettableGaugeMetric {
	return q.gauge("longest_running_processor_seconds", "Longest time that a worker has been working on its current set.")
}

func (q queueMetrics) NewRetriesMetric(string) workqueue.CounterMetric {
	return q.counter("retries_total", "Sets that were put back after an error or to be looked at later.")
}

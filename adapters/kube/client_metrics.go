package kube

import (
	"context"
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/metrics"
)

// RegisterClientMetrics counts what client-go does in this process, under the names that all components of Kubernetes use.
// client-go has one place for that in a process, so only the first call counts. A main calls it before anything connects.
func RegisterClientMetrics(registry prometheus.Registerer) {
	seconds := []float64{0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60}
	latency := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "rest_client_request_duration_seconds", Help: "How long requests to the API server took.", Buckets: seconds,
	}, []string{"verb", "host"})
	limiter := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "rest_client_rate_limiter_duration_seconds", Help: "How long writes and events waited for --kube-api-qps.", Buckets: seconds,
	}, []string{"verb", "host"})
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "rest_client_requests_total", Help: "Requests to the API server, by status code.",
	}, []string{"code", "method", "host"})
	retries := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "rest_client_request_retries_total", Help: "Requests to the API server that were sent again.",
	}, []string{"code", "verb", "host"})
	leader := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "leader_election_master_status", Help: "1 while this process has the lease of that name, 0 while another has.",
	}, []string{"name"})
	slow := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "leader_election_slowpath_total", Help: "Renewals of the lease that had to read it first.",
	}, []string{"name"})
	registry.MustRegister(latency, limiter, requests, retries, leader, slow)
	metrics.Register(metrics.RegisterOpts{
		RequestLatency: requestDuration{latency}, RateLimiterLatency: requestDuration{limiter},
		RequestResult: requestResults{requests}, RequestRetry: requestRetries{retries},
	})
	leaderelection.SetProvider(leaderMetrics{leader, slow})
}

type requestDuration struct{ *prometheus.HistogramVec }

func (d requestDuration) Observe(_ context.Context, verb string, u url.URL, took time.Duration) {
	d.WithLabelValues(verb, u.Host).Observe(took.Seconds())
}

type requestResults struct{ *prometheus.CounterVec }

func (r requestResults) Increment(_ context.Context, code, method, host string) {
	r.WithLabelValues(code, method, host).Inc()
}

type requestRetries struct{ *prometheus.CounterVec }

func (r requestRetries) IncrementRetry(_ context.Context, code, verb, host string) {
	r.WithLabelValues(code, verb, host).Inc()
}

type leaderMetrics struct {
	leader *prometheus.GaugeVec
	slow   *prometheus.CounterVec
}

func (m leaderMetrics) NewLeaderMetric() leaderelection.LeaderMetric { return m }

func (m leaderMetrics) On(name string)  { m.leader.WithLabelValues(name).Set(1) }
func (m leaderMetrics) Off(name string) { m.leader.WithLabelValues(name).Set(0) }

func (m leaderMetrics) SlowpathExercised(name string) { m.slow.WithLabelValues(name).Inc() }

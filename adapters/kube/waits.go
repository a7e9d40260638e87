package kube

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// What a set may wait for in the adapter, so that others get their share: labels of the metric, and words of /plans.
const (
	waitBackOff = "back-off"
	waitRetries = "retries"
	waitWorker  = "worker"
	waitWrite   = "write"
)

// waitSentences say why a set waits.
var waitSentences = map[string]string{
	waitBackOff: "The last pass failed. The set is retried after a delay, or when it changes.",
	waitRetries: "The set keeps failing, or the API server has refused one of its writes. All such sets share a limited number of retries per second.",
	waitWorker:  "All workers are busy, or those that are shared by failing and slow sets and by namespaces that have had more than their share.",
	waitWrite:   "Writes to the API server are limited (--kube-api-qps). Sets take turns, and a namespace that keeps the API server busy pauses between writes, and so does a set for which much was written.",
}

// Waits knows which sets wait in the adapter, for what and since when, and measures how long.
type Waits struct {
	clock   func() time.Time
	seconds *prometheus.HistogramVec

	mu   sync.Mutex
	sets map[adapters.Key]map[string]*waiting
}

type waiting struct {
	since time.Time
	until time.Time // when it ends by itself; zero if unknown
	count int       // actions of a plan that wait side by side
}

var _ adapters.Observer = (*Waits)(nil)

// NewWaits registers the metric.
func NewWaits(registry prometheus.Registerer, clock func() time.Time) *Waits {
	w := &Waits{
		clock: clock,
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: metricsPrefix, Name: "wait_duration_seconds",
			Help:    "How long a set or one of its writes waited in the adapter for its share, by what it waited for.",
			Buckets: prometheus.ExponentialBuckets(0.001, 4, 10),
		}, []string{"for"}),
		sets: map[adapters.Key]map[string]*waiting{},
	}
	registry.MustRegister(w.seconds)
	return w
}

// begin notes that a set waits, unless it does already. wait is how long; 0 if unknown.
func (w *Waits) begin(key adapters.Key, what string, wait time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.clock()
	of := w.sets[key]
	if of == nil {
		of = map[string]*waiting{}
		w.sets[key] = of
	}
	if of[what] == nil {
		of[what] = &waiting{since: now}
	}
	of[what].count++
	if wait > 0 {
		of[what].until = now.Add(wait)
	}
}

// end notes that a set no longer waits.
func (w *Waits) end(key adapters.Key, what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if is := w.sets[key][what]; is != nil {
		w.seconds.WithLabelValues(what).Observe(w.clock().Sub(is.since).Seconds())
		w.drop(key, what)
	}
}

func (w *Waits) drop(key adapters.Key, what string) {
	if delete(w.sets[key], what); len(w.sets[key]) == 0 {
		delete(w.sets, key)
	}
}

// turn measures how long a write waits for its turn.
func (w *Waits) turn(wait turnFunc) turnFunc {
	return func(ctx context.Context, key adapters.Key) (func(), error) {
		w.begin(key, waitWrite, 0)
		began := w.clock()
		done, err := wait(ctx, key)
		w.seconds.WithLabelValues(waitWrite).Observe(w.clock().Sub(began).Seconds())
		w.mu.Lock()
		defer w.mu.Unlock()
		if is := w.sets[key][waitWrite]; is != nil {
			if is.count--; is.count == 0 {
				w.drop(key, waitWrite)
			}
		}
		return done, err
	}
}

// WaitSummary is one thing that a set waits for.
type WaitSummary struct {
	For     string     `json:"for"`
	Since   time.Time  `json:"since"`
	Until   *time.Time `json:"until,omitempty"`
	Message string     `json:"message"`
}

// of lists what a set waits for.
func (w *Waits) of(key adapters.Key) []WaitSummary {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []WaitSummary
	for _, what := range []string{waitBackOff, waitRetries, waitWorker, waitWrite} {
		if is := w.sets[key][what]; is != nil {
			summary := WaitSummary{For: what, Since: is.since, Message: waitSentences[what]}
			if !is.until.IsZero() {
				until := is.until
				summary.Until = &until
			}
			list = append(list, summary)
		}
	}
	return list
}

// keys lists the waiting sets.
func (w *Waits) keys() []adapters.Key {
	w.mu.Lock()
	defer w.mu.Unlock()
	keys := make([]adapters.Key, 0, len(w.sets))
	for key := range w.sets {
		keys = append(keys, key)
	}
	return keys
}

// Forgotten implements adapters.Observer.
func (w *Waits) Forgotten(key adapters.Key) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.sets, key)
}

// Planned implements adapters.Observer.
func (w *Waits) Planned(adapters.Key, *setplanv1.Snapshot, *setplanv1.Plan) {}

// Applied implements adapters.Observer.
func (w *Waits) Applied(adapters.Key, *setplanv1.Snapshot, *setplanv1.Action, adapters.Result) {}

// Held implements adapters.Observer.
func (w *Waits) Held(adapters.Key, string, error) {}

package kube

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/util/workqueue"

	"github.com/setplan/setplan/adapters"
)

// spareWorkers are added to the configured number, which is the most that one namespace gets.
const spareWorkers = 2

// Controller has the queue and the workers.
type Controller struct {
	loop    *adapters.Loop
	workers int
	fair    *fairQueue
	queue   workqueue.TypedDelayingInterface[adapters.Key] // puts into fair
	pace    *Pace
	metrics *Metrics
	log     *slog.Logger
}

// NewController makes a controller. Its queue accepts keys at once; Run starts the workers. The pace observes the loop.
func NewController(loop *adapters.Loop, pace *Pace, workers int, metrics *Metrics, registry prometheus.Registerer, log *slog.Logger) *Controller {
	provider := queueMetrics{registry}
	// The delaying queue would pass its metrics to a queue that it makes itself, but this queue is ours.
	fair := newFairQueue(workers)
	working := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[adapters.Key]{Name: "sets", MetricsProvider: provider, Queue: fair})
	c := &Controller{
		loop:    loop,
		workers: workers,
		fair:    fair,
		queue: workqueue.NewTypedDelayingQueueWithConfig(
			workqueue.TypedDelayingQueueConfig[adapters.Key]{Name: "sets", MetricsProvider: provider, Queue: working},
		),
		pace:    pace,
		metrics: metrics,
		log:     log,
	}
	pace.echo, pace.queue = loop.Echo, func(key adapters.Key, wait time.Duration) {
		if wait > 0 {
			c.queue.AddAfter(key, wait)
		} else {
			c.queue.Add(key)
		}
	}
	return c
}

// Changed asks for a pass over a set because one of its objects has changed.
func (c *Controller) Changed(key adapters.Key, by Change) {
	if by.edited {
		c.fair.wasEdited(key)
	}
	c.pace.changed(key, by)
}

// Run works until the context ends and returns when every worker has finished its action.
func (c *Controller) Run(ctx context.Context) {
	defer context.AfterFunc(ctx, c.queue.ShutDown)()
	var running sync.WaitGroup
	for range c.workers + spareWorkers {
		running.Go(func() {
			for key, end := c.queue.Get(); !end; key, end = c.queue.Get() {
				if ctx.Err() == nil && c.pace.begin(key) {
					c.pass(ctx, key)
				}
				c.fair.done(key)
				c.queue.Done(key)
			}
		})
	}
	running.Wait()
}

// pass works on one set.
func (c *Controller) pass(ctx context.Context, key adapters.Key) {
	began := time.Now()
	after, err := c.loop.Reconcile(ctx, key)
	c.metrics.Reconciled(time.Since(began), err)
	if retry := c.pace.end(key, after, err); err != nil {
		// The observers have reported the error at its level.
		c.log.Info("retrying the set", "set", key.String(), "after", retry, "error", briefly(err))
	}
}

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

// Controller has the queue and the workers.
type Controller struct {
	loop    *adapters.Loop
	fair    *fairQueue
	queue   workqueue.TypedDelayingInterface[adapters.Key] // puts into fair
	retries *Retries
	lanes   *Lanes // from Run on
	pace    *Pace
	metrics *Metrics
	log     *slog.Logger
}

// NewController makes a controller. Its queue accepts keys at once; Run starts the workers. The pace and the retries
// observe the loop.
func NewController(loop *adapters.Loop, pace *Pace, retries *Retries, metrics *Metrics, registry prometheus.Registerer, log *slog.Logger) *Controller {
	provider := queueMetrics{registry}
	// The delaying queue would pass its metrics to a queue that it makes itself, but this queue is ours.
	fair := newFairQueue()
	working := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[adapters.Key]{Name: "sets", MetricsProvider: provider, Queue: fair})
	c := &Controller{
		loop: loop,
		fair: fair,
		queue: workqueue.NewTypedDelayingQueueWithConfig(
			workqueue.TypedDelayingQueueConfig[adapters.Key]{Name: "sets", MetricsProvider: provider, Queue: working},
		),
		retries: retries,
		pace:    pace,
		metrics: metrics,
		log:     log,
	}
	pace.echo, pace.queue, retries.budget.wake = loop.Echo, c.queue.Add, c.queue.Add
	return c
}

// Changed asks for a pass over a set because one of its objects has changed.
func (c *Controller) Changed(key adapters.Key, by Change) {
	c.pace.changed(key, by)
	if by.edited {
		c.fair.wasEdited(key)
	}
	c.queue.Add(key)
}

// Run works until the context ends and returns when every worker has finished its action.
func (c *Controller) Run(ctx context.Context, workers int) {
	c.lanes = NewLanes(workers, c.queue.Add)
	defer context.AfterFunc(ctx, c.queue.ShutDown)()
	var running sync.WaitGroup
	for range workers + spareWorkers {
		running.Go(func() {
			for key, end := c.queue.Get(); !end; key, end = c.queue.Get() {
				c.work(ctx, key)
			}
		})
	}
	running.Wait()
}

func (c *Controller) work(ctx context.Context, key adapters.Key) {
	defer c.queue.Done(key)
	if ctx.Err() != nil {
		return
	}
	lane, may := c.lanes.begin(key, c.retries.slow(key))
	if !may {
		return // it comes back
	}
	c.fair.begun(key)
	defer c.lanes.end(lane)
	if !c.retries.begin(key) { // in a lane, so that it pays once, and whoever is parked behind it is woken
		return // it comes back
	}
	if !c.pace.begin(key) {
		c.retries.keep(key)
		return // it comes back
	}
	defer c.pace.end(key)
	c.pass(ctx, key)
}

// pass works on one set, and requeues it if that is needed.
func (c *Controller) pass(ctx context.Context, key adapters.Key) {
	began := time.Now()
	after, err := c.loop.Reconcile(ctx, key)
	c.metrics.Reconciled(time.Since(began), err)
	if retry := c.retries.ended(key, err, began); err != nil {
		// The observers have reported the error at its level.
		c.log.Info("retrying the set", "set", key.String(), "after", retry, "error", briefly(err))
		c.pace.failed(key)
		after = retry
	}
	if after > 0 {
		c.pace.ask(key, after)
		c.queue.AddAfter(key, after)
	}
}

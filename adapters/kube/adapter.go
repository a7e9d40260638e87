package kube

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Config says what an Adapter runs, where, and how.
type Config struct {
	// REST is the API server. Its QPS and Burst hold for the actions of all sets together, and once more for events; nothing
	// else is limited on this side.
	REST *rest.Config
	// Planner decides.
	Planner adapters.Planner
	// Kind is the kind of set.
	Kind SetKind
	// Namespaces are watched; all of them where the list is empty.
	Namespaces []string
	// Workers is how many sets are worked on at once.
	Workers int
	// Behavior is the preset of rules.
	Behavior setplanv1.Behavior
	// DrainAlone only drains what sets leave behind, beside the controller that runs them.
	DrainAlone bool
	// ObserveOnly sends no write at all: no action, no event, no lease.
	ObserveOnly bool
	// ForeignManagers are the field managers of other controllers that must not write.
	ForeignManagers []string
	// Election, if set, makes the adapter act only while it holds the lease.
	Election *Election
	// Observers are told what the adapter does, besides its own logs, metrics and events.
	Observers adapters.Observers
	// Registry gets the metrics.
	Registry prometheus.Registerer
	// Log gets the log.
	Log *slog.Logger
}

// Adapter runs the sets of one cluster.
type Adapter struct {
	config     Config
	clients    *Clients
	caches     *Caches
	guard      *Guard
	plans      *Plans
	metrics    *Metrics
	controller *Controller
	events     record.EventBroadcaster // nil in observe mode
}

// New wires an adapter. It connects to nothing.
func New(config Config) (*Adapter, error) {
	clients, err := NewClients(config.REST)
	if err != nil {
		return nil, err
	}
	a := &Adapter{
		config:  config,
		clients: clients,
		caches:  NewCaches(config.Kind, clients, config.Namespaces),
		plans:   NewPlans(),
		metrics: NewMetrics(config.Registry),
	}
	a.guard = NewGuard(a.caches, config.ForeignManagers)
	source := NewSource(config.Kind, a.caches, clients.API, time.Now)
	pace := NewPace()
	observers := adapters.Observers{NewLogs(config.Log, config.ObserveOnly), a.metrics, a.plans, forget{a.guard}, pace}
	observers = append(observers, config.Observers...)
	var executor adapters.Executor
	if !config.ObserveOnly {
		executor = NewExecutor(config.Kind, clients.API, source)
		a.events = record.NewBroadcaster()
		recorder := a.events.NewRecorder(scheme.Scheme, corev1.EventSource{Component: Manager})
		observers = append(observers, NewEvents(recorder, source.Reference))
	}
	loop := adapters.NewLoop(source, executor, config.Planner, observers, adapters.Options{
		Behavior:    config.Behavior,
		DrainAlone:  config.DrainAlone,
		ObserveOnly: config.ObserveOnly,
		Guard:       a.guardCheck(),
		Turn:        NewTurns(config.REST.QPS, config.REST.Burst).Wait,
	})
	a.controller = NewController(loop, pace, a.metrics, config.Registry, config.Log)
	if err := a.caches.Watch(a.controller.Changed); err != nil {
		return nil, err
	}
	return a, a.guard.Watch()
}

// guardCheck is nil beside another controller, whose writes are what is expected.
func (a *Adapter) guardCheck() func(context.Context, adapters.Key) error {
	if a.config.DrainAlone {
		return nil
	}
	return a.guard.Check
}

// Plans serves the summaries of the last plans.
func (a *Adapter) Plans() *Plans { return a.plans }

// Ready reports whether the caches are filled. A replica that waits for the lease is ready too.
func (a *Adapter) Ready() bool { return a.caches.HasSynced() }

// Run works until the context ends, and returns when the actions under way are finished; an error means that it could
// not begin, or lost the lease.
func (a *Adapter) Run(ctx context.Context) error {
	// The caches outlive the workers: an action that is being finished may still read them.
	caching, stopCaching := context.WithCancel(context.WithoutCancel(ctx))
	defer stopCaching()
	defer context.AfterFunc(ctx, func() {
		if !a.Ready() {
			stopCaching() // told to stop before there was anything to finish
		}
	})()
	if a.events != nil {
		a.events.StartRecordingToSink(&coreclient.EventSinkImpl{Interface: a.clients.Events.Events("")})
		defer a.events.Shutdown()
	}
	if err := a.caches.Start(caching, a.config.Log); err != nil {
		return ctx.Err()
	}
	a.config.Log.Info("the caches are filled")
	if a.config.Election == nil {
		a.act(ctx)
		return nil
	}
	return a.config.Election.run(ctx, a.config.REST, a.config.Log, a.act)
}

// act takes over and works until the context ends.
func (a *Adapter) act(ctx context.Context) {
	now, err := a.clients.API.Now(ctx)
	if err != nil {
		now = time.Now()
		a.config.Log.Warn("the API server's clock could not be read; the foreign-writer guard uses this machine's", "error", err)
	}
	a.guard.TakeOver(now)
	a.metrics.SetLeader(true)
	defer a.metrics.SetLeader(false)
	a.config.Log.Info("working", "workers", a.config.Workers, "observe_only", a.config.ObserveOnly)
	go sweep(ctx, sweepEvery, sweepSpread, a.caches.Keys, a.controller.queue.AddAfter)
	a.controller.Run(ctx, a.config.Workers)
	a.config.Log.Info("stopped; the actions under way are finished")
}

// forget passes the end of a set on to the guard, which observes nothing else.
type forget struct{ guard *Guard }

func (forget) Planned(adapters.Key, *setplanv1.Snapshot, *setplanv1.Plan) {}

func (forget) Applied(adapters.Key, *setplanv1.Snapshot, *setplanv1.Action, adapters.Result) {}

func (forget) Held(adapters.Key, string, error) {}

func (f forget) Forgotten(key adapters.Key) { f.guard.Forget(key) }

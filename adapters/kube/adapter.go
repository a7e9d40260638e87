package kube

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
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

// Config says what an Adapter runs, where and how.
type Config struct {
	// REST is the API server. Its QPS and Burst limit the actions of all sets together and, separately, events. Nothing else is
	// limited on this side.
	REST *rest.Config
	// Planner decides.
	Planner adapters.Planner
	// Kind is the kind of set.
	Kind SetKind
	// Namespaces are the watched namespaces; empty means all.
	Namespaces []string
	// Workers is how many sets are worked on at the same time.
	Workers int
	// Behavior is the preset of rules.
	Behavior setplanv1.Behavior
	// Scope is this adapter's part of the work: with DRAIN_ONLY it drains what sets leave behind, beside the controller that runs
	// them.
	Scope setplanv1.Scope
	// DrainNamespaces are the namespaces in which drain policies are carried out; empty means all.
	DrainNamespaces []string
	// ObserveOnly means no writes at all: no action, no event, no lease.
	ObserveOnly bool
	// ForeignManagers are the field managers of other controllers that must not write.
	ForeignManagers []string
	// Turns, if set, are shared with the adapters of other kinds in this process: then the limits of REST hold for the actions of all.
	Turns *Turns
	// Election, if set, makes the adapter act only while it holds the lease.
	Election *Election
	// Probe asks the planner something that concerns no set. A holder of the lease gives it up when its planner is away. Nil: the
	// planner cannot be away.
	Probe func(context.Context) error
	// Observers are told what the adapter does, in addition to its logs, metrics and events.
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
	planner    *plannerWatch
	plans      *Plans
	metrics    *Metrics
	setMetrics *SetMetrics
	controller *Controller
	events     record.EventBroadcaster // nil in observe mode
	recorder   record.EventRecorder    // of events

	acts atomic.Bool
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
		metrics: NewMetrics(config.Registry),
		planner: newPlannerWatch(config.Probe, plannerPatience),
	}
	if config.Turns == nil {
		config.Turns = NewTurns(config.REST.QPS, config.REST.Burst)
	}
	a.setMetrics, a.plans = NewSetMetrics(config.Registry), NewPlans()
	a.guard = NewGuard(a.caches, config.ForeignManagers)
	if config.Kind != StatefulSets() {
		a.plans.kind = config.Kind.Name()
	}
	source := NewSource(config.Kind, a.caches, clients.API, time.Now)
	pace, volume := NewPace(), NewVolume()
	rights := newDrainRights(&a.config, a.caches, clients, pace.ask)
	observers := adapters.Observers{NewLogs(config.Log, config.ObserveOnly), a.metrics, a.setMetrics, a.plans,
		a.guard, a.planner, pace, volume}
	if source.defaults != nil {
		observers = append(observers, source.defaults)
	}
	observers = append(observers, config.Observers...)
	var executor adapters.Executor
	if !config.ObserveOnly {
		executor = NewExecutor(config.Kind, clients.API, source)
		a.events = newBroadcaster()
		a.recorder = a.events.NewRecorder(scheme.Scheme, corev1.EventSource{Component: Manager})
		observers = append(observers, NewEvents(a.recorder, source.Reference))
	}
	loop := adapters.NewLoop(source, executor, config.Planner, observers, adapters.Options{
		Behavior:    config.Behavior,
		Scope:       config.Scope,
		Without:     rights.without,
		ObserveOnly: config.ObserveOnly,
		Guard:       a.guardCheck(),
		Turn:        volume.before(config.Turns.Wait),
	})
	a.controller = NewController(loop, pace, config.Workers, a.metrics, config.Registry, config.Log)
	a.guard.noticed = func(key adapters.Key) { a.controller.Changed(key, Change{}) }
	if err := a.caches.Watch(a.controller.Changed); err != nil {
		return nil, err
	}
	if a.guardCheck() == nil {
		return a, nil
	}
	return a, a.guard.Watch()
}

// guardCheck is nil beside another controller, whose writes are expected, and if nothing is written.
func (a *Adapter) guardCheck() func(context.Context, adapters.Key) error {
	if a.config.Scope == setplanv1.Scope_SCOPE_DRAIN_ONLY || a.config.ObserveOnly {
		return nil
	}
	return a.guard.Check
}

// Plans serves the summaries of the last plans.
func (a *Adapter) Plans() *Plans { return a.plans }

// Ready reports whether the caches are filled, or not needed: a replica that waits for the lease is ready.
func (a *Adapter) Ready() bool {
	return a.config.Election != nil && !a.acts.Load() || a.caches.HasSynced()
}

// Healthy fails when the process should be restarted: see Election.Check.
func (a *Adapter) Healthy(request *http.Request) error {
	if a.config.Election == nil {
		return nil
	}
	return a.config.Election.Check(request)
}

// Run works until the context ends, and returns when the actions under way are finished. An error means that it could not
// begin, or that another replica should act: the lease is lost, or the planner is away. Run it once: what it knows then may be old.
func (a *Adapter) Run(ctx context.Context) error {
	if a.events != nil {
		a.events.StartRecordingToSink(&coreclient.EventSinkImpl{Interface: a.clients.Events.Events("")})
		defer a.events.Shutdown()
	}
	if a.config.Election == nil {
		return a.act(ctx)
	}
	campaign, err := a.config.Election.campaign(a.config.REST, a.config.Kind, a.config.Namespaces, a.planner.reachable, a.config.Log)
	if err != nil {
		return err
	}
	return campaign.run(ctx, a.config.Kind.leasesFor(a.config.Namespaces), a.act)
}

// act fills the caches and works until the context ends, or until the planner has been away for so long that another replica should try.
//
// Nobody else acts now, and each cache begins with a list that the API server makes after that. So it knows all that another process did before: that
// a claim was handed to a pod, say, or that the set was scaled up again.
func (a *Adapter) act(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	// The caches outlive the workers: an action that is being finished may still read them.
	caching, stopCaching := context.WithCancel(context.WithoutCancel(ctx))
	defer stopCaching()
	defer context.AfterFunc(ctx, func() {
		if !a.caches.HasSynced() {
			stopCaching() // stopped before there was anything to finish
		}
	})()
	a.acts.Store(true)
	if err := a.caches.Start(caching, a.config.Log); err != nil {
		return nil // it is told to end
	}
	a.guard.TakeOver(a.caches.versions())
	a.metrics.SetLeader(true)
	defer a.metrics.SetLeader(false)
	a.config.Log.Info("the caches are filled; working", "workers", a.config.Workers, "observe_only", a.config.ObserveOnly)
	if a.config.Election != nil {
		go func() {
			if err := a.planner.untilAway(ctx); err != nil {
				stop(fmt.Errorf("%w; ending for a replica that can act: %w", errPlannerAway, err))
			}
		}()
	}
	go sweep(ctx, sweepEvery, sweepSpread, a.caches.keys, a.controller.pace.ask)
	a.controller.Run(ctx)
	a.config.Log.Info("stopped; the actions in progress are finished")
	if err := context.Cause(ctx); errors.Is(err, errPlannerAway) {
		return err
	}
	return nil
}

// errPlannerAway is why an adapter gives its lease back and ends.
var errPlannerAway = fmt.Errorf("the planner has been unreachable for %s", plannerPatience)

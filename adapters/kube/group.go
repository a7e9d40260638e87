package kube

import (
	"context"
	"net/http"
	"slices"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
)

// Group is the adapters of one process, each for a kind of sets. They share nothing but the limit of writes: each kind has its own lease,
// so that a process that runs one of them stands in nobody's way who runs another.
type Group []*Adapter

// Run works until the context ends, or one of them cannot go on.
func (g Group) Run(ctx context.Context) error {
	all, ctx := errgroup.WithContext(ctx)
	for _, a := range g {
		all.Go(func() error { return a.Run(ctx) })
	}
	return all.Wait()
}

// Ready reports whether the caches of all are filled.
func (g Group) Ready() bool {
	return !slices.ContainsFunc(g, func(a *Adapter) bool { return !a.Ready() })
}

// Healthy fails when a restart of the process would do good to one of them.
func (g Group) Healthy(request *http.Request) error {
	for _, a := range g {
		if err := a.Healthy(request); err != nil {
			return err
		}
	}
	return nil
}

// ServeHTTP lists the last plans of all, by set.
func (g Group) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	list := []PlanSummary{}
	for _, a := range g {
		list = append(list, a.plans.list()...)
	}
	writePlans(w, list)
}

// PlansChecked records on the lease of each that plans are only checked, and why: it is about no set. Nothing is recorded without leases, or in
// observe mode.
func (g Group) PlansChecked(why string) {
	for _, a := range g {
		if a.recorder == nil || a.config.Election == nil {
			continue
		}
		a.recorder.Event(&corev1.ObjectReference{APIVersion: "coordination.k8s.io/v1", Kind: "Lease", Namespace: LeaseNamespace,
			Name: a.config.Kind.leasesFor(a.config.Namespaces)[0]}, corev1.EventTypeWarning, EventPlansChecked, brief(why))
	}
}

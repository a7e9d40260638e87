package kube

import (
	"context"
	"net/http"
	"slices"

	"golang.org/x/sync/errgroup"
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

package kube

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const (
	rightHolds    = 10 * time.Minute // how long a yes counts
	rightAgain    = 15 * time.Second // how often a no is asked again
	rightPatience = 5 * time.Second  // with the API server
)

// drainRights knows in which namespaces a drain can finish. A drain that cannot would move the data away and keep the claims, and
// the replica would come back to empty ones. So the right to delete claims is checked before anything is drained, and where it is
// missing the planner may not plan it. Finalizers stay allowed: a set whose policy was removed must be deletable.
type drainRights struct {
	named   []string // namespaces in which drains are allowed at all; empty means all
	may     func(ctx context.Context, namespace string) (bool, error)
	sets    func(namespace string) []adapters.Key // those with a drain policy
	policy  func(adapters.Key) bool
	changed func(adapters.Key)
	clock   func() time.Time
	log     *slog.Logger
	mu      sync.Mutex
	answers map[string]*rightAnswer
}

// rightAnswer is what the API server has said of one namespace.
type rightAnswer struct {
	mu    sync.Mutex
	no    bool
	asked time.Time
}

// newDrainRights makes the rights of an adapter; nil for one that only observes, which plans as if it had all rights.
func newDrainRights(config *Config, caches *Caches, clients *Clients, changed func(adapters.Key)) *drainRights {
	r := &drainRights{named: config.DrainNamespaces, sets: caches.draining, policy: caches.hasDrain, changed: changed, clock: time.Now,
		log: config.Log, answers: map[string]*rightAnswer{}}
	r.may = mayDeleteClaims(clients.Access)
	if config.ObserveOnly {
		r.may = func(context.Context, string) (bool, error) { return true, nil }
	}
	return r
}

// without is what an adapter must not do to a set.
func (r *drainRights) without(key adapters.Key) []setplanv1.Capability {
	if len(r.named) > 0 && !slices.Contains(r.named, key.Namespace) || r.policy(key) && !r.allowed(key.Namespace) {
		return []setplanv1.Capability{setplanv1.Capability_CAPABILITY_DELETE_CLAIM}
	}
	return nil
}

func (r *drainRights) of(namespace string) *rightAnswer {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.answers[namespace] == nil {
		r.answers[namespace] = &rightAnswer{}
	}
	return r.answers[namespace]
}

// allowed asks if nothing is known, or if a yes is old. watch asks again about a no.
func (r *drainRights) allowed(namespace string) bool {
	a := r.of(namespace)
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.no && r.clock().Sub(a.asked) >= rightHolds {
		r.ask(namespace, a)
	}
	return !a.no
}

// ask keeps the last answer if the API server gives none. Without any answer the right counts as granted: then the deletion
// itself fails and says why.
func (r *drainRights) ask(namespace string, a *rightAnswer) {
	ctx, cancel := context.WithTimeout(context.Background(), rightPatience)
	defer cancel()
	may, err := r.may(ctx, namespace)
	a.asked = r.clock()
	switch {
	case err != nil:
		a.asked = a.asked.Add(rightAgain - rightHolds)
		r.log.Warn("cannot find out whether claims may be deleted", "namespace", namespace, "error", briefly(err))
		return
	case may == !a.no:
		return
	case !may:
		r.log.Warn("no set of the namespace is drained: the adapter may not delete persistentvolumeclaims there",
			"namespace", namespace, "remedy", "kubectl apply -n "+namespace+" -f deploy/manifests/drain-namespace.yaml")
	default:
		r.log.Info("sets of the namespace can be drained now", "namespace", namespace)
	}
	a.no = !may
}

// watch asks again about each no until the context ends, and wakes the sets that waited for a yes.
func (r *drainRights) watch(ctx context.Context) {
	clock := time.NewTicker(rightAgain)
	defer clock.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-clock.C:
			r.look()
		}
	}
}

// look also forgets namespaces without drain policies.
func (r *drainRights) look() {
	for _, namespace := range r.known() {
		draining := r.sets(namespace)
		if len(draining) == 0 {
			r.forget(namespace)
			continue
		}
		a := r.of(namespace)
		a.mu.Lock()
		before := a.no
		if before {
			r.ask(namespace, a)
		}
		again := before && !a.no
		a.mu.Unlock()
		for _, key := range draining {
			if again {
				r.changed(key)
			}
		}
	}
}

func (r *drainRights) forget(namespace string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.answers, namespace)
}

// known lists the namespaces with an answer.
func (r *drainRights) known() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.answers))
}

package kube

import (
	"context"
	"log/slog"
	"slices"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/cache"
	authorizationclient "k8s.io/client-go/kubernetes/typed/authorization/v1"

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
	named  []string // namespaces in which drains are allowed at all; empty means all
	may    func(ctx context.Context, namespace string) (bool, error)
	drains func(adapters.Key) bool           // whether a set has a drain policy
	ask    func(adapters.Key, time.Duration) // asks for another pass
	known  *cache.Expiring                   // bool, by namespace
	log    *slog.Logger
}

// newDrainRights makes the rights of an adapter. One that only observes plans as if it had all rights.
func newDrainRights(config *Config, caches *Caches, clients *Clients, ask func(adapters.Key, time.Duration)) *drainRights {
	r := &drainRights{named: config.DrainNamespaces, may: mayDeleteClaims(clients.Access), drains: caches.hasDrain, ask: ask,
		known: cache.NewExpiring(), log: config.Log}
	if config.ObserveOnly {
		r.may = func(context.Context, string) (bool, error) { return true, nil }
	}
	return r
}

// without is what an adapter must not do to a set.
func (r *drainRights) without(key adapters.Key) []setplanv1.Capability {
	lacks := []setplanv1.Capability{setplanv1.Capability_CAPABILITY_DELETE_CLAIM}
	switch {
	case len(r.named) > 0 && !slices.Contains(r.named, key.Namespace):
		return lacks
	case !r.drains(key) || r.allowed(key.Namespace):
		return nil
	}
	r.ask(key, rightAgain)
	return lacks
}

// allowed asks the API server once what it has said is old. Without an answer nothing is drained.
func (r *drainRights) allowed(namespace string) bool {
	if may, ok := r.known.Get(namespace); ok {
		return may.(bool)
	}
	ctx, cancel := context.WithTimeout(context.Background(), rightPatience)
	defer cancel()
	may, err := r.may(ctx, namespace)
	if err != nil {
		r.log.Warn("cannot find out whether claims may be deleted; until then no set is drained", "namespace", namespace, "error", briefly(err))
	}
	holds := rightAgain
	if may {
		holds = rightHolds
	}
	r.known.Set(namespace, may, holds)
	return may
}

// hasDrain reports whether a set has a drain policy.
func (c *Caches) hasDrain(key adapters.Key) bool {
	scope := c.of(key.Namespace)
	if scope == nil {
		return false
	}
	set, err := scope.set(key)
	return err == nil && adapters.HasDrain(set.GetAnnotations())
}

// mayDeleteClaims asks the API server whether the adapter may delete claims. The role system:basic-user lets every
// authenticated user ask that.
func mayDeleteClaims(client authorizationclient.SelfSubjectAccessReviewInterface) func(context.Context, string) (bool, error) {
	return func(ctx context.Context, namespace string) (bool, error) {
		answer, err := client.Create(ctx, &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: namespace, Verb: "delete", Resource: "persistentvolumeclaims"},
		}}, metav1.CreateOptions{})
		if err != nil {
			return false, err
		}
		return answer.Status.Allowed, nil
	}
}

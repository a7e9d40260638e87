package server

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"

	"github.com/setplan/setplan/server/access"
)

// doorkeeper admits the calls of a policy file's clusters, within each cluster's limits, and refuses all others.
type doorkeeper struct {
	policy    *access.File
	tokens    *bearers // nil: only certificates identify callers
	admission *admission
	calls     *prometheus.CounterVec
}

// nobody stands for the cluster of refused callers in the metrics. No cluster can have this name.
const nobody = "(unknown)"

func newDoorkeeper(policy *access.File, tokens *bearers, a *admission, registerer prometheus.Registerer) *doorkeeper {
	return &doorkeeper{policy, tokens, a, promauto.With(registerer).NewCounterVec(prometheus.CounterOpts{
		Name: "setplan_server_cluster_calls_total",
		Help: "Calls by cluster of the policy file and by code; cluster " + nobody + ": the caller belongs to no cluster. Empty without a policy file.",
	}, []string{"cluster", "code"})}
}

// intercept finds the cluster of a call, and refuses a call without one.
func (d *doorkeeper) intercept(ctx context.Context, request any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (response any, err error) {
	if d.policy == nil {
		return next(ctx, request)
	}
	name := nobody
	defer func() { d.calls.WithLabelValues(name, status.Code(err).String()).Inc() }()
	cluster, err := d.clusterOf(ctx)
	if err != nil {
		return nil, err
	}
	name = cluster.Name
	callOf(ctx).cluster = cluster
	if !d.admission.join(callerOf(ctx), name) {
		return nil, d.admission.otherCluster()
	}
	end, err := cluster.Begin(time.Now())
	if exceeded := (*access.Exceeded)(nil); errors.As(err, &exceeded) {
		d.admission.worked(ctx)
		return nil, d.admission.overLimit(exceeded)
	}
	defer end()
	return next(ctx, request)
}

// clusterOf returns the cluster of a call, by the names in the certificate of its connection and by its token. If they belong to two
// clusters, the call is refused.
func (d *doorkeeper) clusterOf(ctx context.Context) (*access.Cluster, error) {
	identities := callerOf(ctx).identities
	if d.tokens != nil {
		account, err := d.tokens.accountOf(ctx, d.policy.Policy())
		if err != nil {
			return nil, d.admission.unchecked(err)
		}
		if account != "" {
			identities = append(slices.Clone(identities), account)
		}
	}
	// The policy is read again: the review may have taken seconds, in which the file may have changed.
	if cluster := d.policy.Policy().Of(identities); cluster != nil {
		return cluster, nil
	}
	return nil, unknownCaller(identities)
}

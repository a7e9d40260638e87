package server

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"

	"github.com/setplan/setplan/server/access"
)

// doorkeeper serves the clusters of a policy file, each within its limits, and nobody else.
type doorkeeper struct {
	policy    *access.File
	admission *admission
	calls     *prometheus.CounterVec
}

// nobody is the cluster of a refused caller, in the metrics. No cluster can have this name.
const nobody = "(unknown)"

func newDoorkeeper(policy *access.File, a *admission, registerer prometheus.Registerer) *doorkeeper {
	return &doorkeeper{policy, a, promauto.With(registerer).NewCounterVec(prometheus.CounterOpts{
		Name: "setplan_server_cluster_calls_total",
		Help: "Calls by cluster of the policy file, and by code; cluster " + nobody + ": the caller is in no cluster. Without a policy file there are none.",
	}, []string{"cluster", "code"})}
}

// intercept finds the cluster of a call, and refuses a call without one.
func (d *doorkeeper) intercept(ctx context.Context, request any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (response any, err error) {
	if d.policy == nil {
		return next(ctx, request)
	}
	c := callerOf(ctx)
	cluster, name := d.policy.Policy().Of(c.identities), nobody
	if cluster != nil {
		name = cluster.Name
	}
	defer func() { d.calls.WithLabelValues(name, status.Code(err).String()).Inc() }()
	if cluster == nil {
		return nil, unknownCaller(c.identities)
	}
	callOf(ctx).cluster = cluster
	d.admission.join(c, cluster.Name)
	end, err := cluster.Begin(time.Now())
	if exceeded := (*access.Exceeded)(nil); errors.As(err, &exceeded) {
		return nil, d.admission.overLimit(exceeded)
	}
	defer end()
	return next(ctx, request)
}

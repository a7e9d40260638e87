package kube

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// Times of the lease, those of the controllers of Kubernetes.
const (
	leaseDuration = 15 * time.Second
	renewDeadline = 10 * time.Second
	retryPeriod   = 2 * time.Second
)

// ErrLeaseLost is what Run returns when another replica may act now.
var ErrLeaseLost = errors.New("the lease was lost")

// Election names the lease that adapters of one cluster share.
type Election struct {
	Namespace string
	Name      string
	Identity  string
}

// run calls act while this process holds the lease. The lease is given back only after act has returned: as long as an
// action is under way nobody else may begin.
func (e *Election) run(ctx context.Context, config *rest.Config, log *slog.Logger, act func(context.Context)) error {
	// Its own connection limit: a renewal must not queue behind a thousand pods.
	config = rest.CopyConfig(config)
	config.UserAgent, config.RateLimiter, config.QPS, config.Burst = Manager, nil, 0, 0
	config.Timeout = renewDeadline / 2
	client, err := coordinationclient.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("client for the lease: %w", err)
	}

	electing, stopElecting := context.WithCancel(context.WithoutCancel(ctx))
	defer stopElecting()
	var leads atomic.Bool
	defer context.AfterFunc(ctx, func() {
		if !leads.Load() {
			stopElecting()
		}
	})()

	done := make(chan struct{})
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Name:            e.Name,
		LeaseDuration:   leaseDuration,
		RenewDeadline:   renewDeadline,
		RetryPeriod:     retryPeriod,
		ReleaseOnCancel: true,
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: e.Namespace, Name: e.Name},
			Client:     client,
			LockConfig: resourcelock.ResourceLockConfig{Identity: e.Identity},
		},
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(leading context.Context) {
				defer close(done)
				leads.Store(true)
				working, stopWorking := context.WithCancel(ctx)
				defer stopWorking()
				defer context.AfterFunc(leading, stopWorking)()
				act(working)
				stopElecting()
			},
			OnStoppedLeading: func() {},
			OnNewLeader: func(identity string) {
				log.Info("the lease is held", "holder", identity, "ours", identity == e.Identity)
			},
		},
	})
	if err != nil {
		return fmt.Errorf("lease %s/%s: %w", e.Namespace, e.Name, err)
	}
	elector.Run(electing)
	if leads.Load() {
		<-done
	}
	if ctx.Err() == nil {
		return ErrLeaseLost
	}
	return nil
}
